interface ObjectSchema {
  type: 'object';
  required: string[];
  properties: Record<string, object>;
}

export type ExampleDocument = ReturnType<typeof exampleDocument>;

/** An API with one operation and one event. */
export function exampleDocument() {
  const order: ObjectSchema = {
    type: 'object',
    required: ['id', 'status'],
    properties: {
      id: { type: 'string' },
      status: { enum: ['open', 'paid'] },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
    },
  };
  const newOrder: ObjectSchema = {
    type: 'object',
    required: ['amount'],
    properties: {
      amount: { type: 'integer', maximum: 100 },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      reason: { type: ['string', 'null'], enum: ['gift', 'sale', null] },
      address: { type: 'object', properties: { city: { type: 'string' } } },
    },
  };
  const problem: ObjectSchema = {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string' } },
  };
  const event: ObjectSchema = {
    type: 'object',
    required: ['order'],
    properties: { order: { $ref: '#/components/schemas/Order' } },
  };
  const parameters: object[] = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }];
  const security: Record<string, string[]>[] = [{ key: [] }, { signature: [] }];
  return {
    security,
    paths: {
      '/v1/orders': {
        post: {
          operationId: 'createOrder',
          deprecated: false,
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/NewOrder' } } },
          },
          responses: {
            '201': {
              headers: { Location: { schema: { type: 'string' } } },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } as object } },
            },
            '409': {
              content: { 'application/problem+json': { examples: { a: { value: { code: 'conflict' } } } } },
            },
          },
        },
      },
    },
    webhooks: {
      'order.created': { post: { requestBody: { content: { 'application/json': { schema: event } } } } },
    },
    components: {
      schemas: { Order: order, NewOrder: newOrder, Problem: problem },
      securitySchemes: { key: { type: 'http', scheme: 'bearer' }, signature: { type: 'mutualTLS' } },
    },
  };
}

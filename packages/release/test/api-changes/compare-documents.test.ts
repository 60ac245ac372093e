import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../src/api-changes/compare-documents.ts';
import type { OpenapiDocument } from '../../src/api-changes/openapi-document.ts';
import { type ExampleDocument, exampleDocument } from './example-document.ts';

const CREATE = '/v1/orders';

function differencesAfter(change: (document: ExampleDocument) => void): (readonly [string, string])[] {
  const current = exampleDocument();
  change(current);
  return compareDocuments(exampleDocument() as OpenapiDocument, current as OpenapiDocument).map(
    ({ impact, sentence }) => [impact, sentence] as const,
  );
}

type Case = [what: string, change: (document: ExampleDocument) => void, impact: string, sentence: string];

describe('reports', () => {
  it.each<Case>([
    [
      'a new operation',
      ({ paths }) => {
        Object.assign(paths, { '/v1/refunds': { get: paths[CREATE].post } });
      },
      'compatible',
      '`GET /v1/refunds`: added',
    ],
    [
      'a removed operation',
      ({ paths }) => {
        Reflect.deleteProperty(paths, CREATE);
      },
      'breaking',
      '`POST /v1/orders`: removed',
    ],
    [
      'a deprecated operation',
      ({ paths }) => {
        paths[CREATE].post.deprecated = true;
      },
      'compatible',
      '`POST /v1/orders`: deprecated',
    ],
    [
      'a renamed operation id',
      ({ paths }) => {
        paths[CREATE].post.operationId = 'makeOrder';
      },
      'breaking',
      '`POST /v1/orders` operation id: changed',
    ],
    [
      'a new event type',
      ({ webhooks }) => {
        Object.assign(webhooks, { 'order.paid': webhooks['order.created'] });
      },
      'compatible',
      '`webhook order.paid`: added',
    ],
    [
      'a new field of an event',
      ({ webhooks }) => {
        bodyOf(webhooks['order.created'].post).properties['sequence'] = { type: 'integer' };
      },
      'compatible',
      '`webhook order.created` body `sequence`: added',
    ],
    [
      'a credential that is accepted, too',
      (document) => {
        Object.assign(document.components.securitySchemes, { token: { type: 'apiKey', name: 'X-Token' } });
        document.security = [{ key: [] }, { signature: [] }, { token: [] }];
      },
      'compatible',
      '`POST /v1/orders` credential `apiKey X-Token`: added',
    ],
    [
      'a credential that is no longer accepted',
      (document) => {
        document.security = [{ key: [] }];
      },
      'breaking',
      '`POST /v1/orders` credential `mutualTLS`: removed',
    ],
    [
      'a new optional parameter',
      ({ paths }) => {
        paths[CREATE].post.parameters.push({ name: 'dry_run', in: 'query', schema: { type: 'boolean' } });
      },
      'compatible',
      '`POST /v1/orders` query parameter `dry_run`: added',
    ],
    [
      'a parameter that becomes required',
      ({ paths }) => {
        paths[CREATE].post.parameters[0] = { ...paths[CREATE].post.parameters[0], required: true };
      },
      'breaking',
      '`POST /v1/orders` header parameter `Idempotency-Key`: required',
    ],
    [
      'a removed parameter',
      ({ paths }) => {
        paths[CREATE].post.parameters.pop();
      },
      'breaking',
      '`POST /v1/orders` header parameter `Idempotency-Key`: removed',
    ],
    [
      'a new optional field of a request',
      ({ components }) => {
        components.schemas.NewOrder.properties['note'] = { type: 'string' };
      },
      'compatible',
      '`NewOrder` request `note`: added',
    ],
    [
      'a new required field of a request',
      ({ components }) => {
        components.schemas.NewOrder.properties['note'] = { type: 'string' };
        components.schemas.NewOrder.required.push('note');
      },
      'breaking',
      '`NewOrder` request `note`: added',
    ],
    [
      'a removed field of a request',
      ({ components }) => {
        Reflect.deleteProperty(components.schemas.NewOrder.properties, 'address');
      },
      'breaking',
      '`NewOrder` request `address`: removed',
    ],
    [
      'a nested field that becomes required in a request',
      ({ components }) => {
        components.schemas.NewOrder.properties['address'] = {
          ...(components.schemas.NewOrder.properties['address'] as object),
          required: ['city'],
        };
      },
      'breaking',
      '`NewOrder` request `address.city`: required',
    ],
    [
      'a lower limit of a request',
      ({ components }) => {
        components.schemas.NewOrder.properties['amount'] = { type: 'integer', maximum: 10 };
      },
      'breaking',
      '`NewOrder` request `amount` limit `maximum`: changed',
    ],
    [
      'a higher limit of a request',
      ({ components }) => {
        components.schemas.NewOrder.properties['amount'] = { type: 'integer', maximum: 1000 };
      },
      'compatible',
      '`NewOrder` request `amount` limit `maximum`: changed',
    ],
    [
      'a limit of a request that was not documented',
      ({ components }) => {
        components.schemas.NewOrder.properties['amount'] = { type: 'integer', minimum: 1, maximum: 100 };
      },
      'undecided',
      '`NewOrder` request `amount` limit `minimum`: added',
    ],
    [
      'a changed pattern of a request',
      ({ components }) => {
        components.schemas.NewOrder.properties['currency'] = { type: 'string', pattern: '^[a-z]{3}$' };
      },
      'undecided',
      '`NewOrder` request `currency` limit `pattern`: changed',
    ],
    [
      'a new value in a response',
      ({ components }) => {
        components.schemas.Order.properties['status'] = { enum: ['open', 'paid', 'expired'] };
      },
      'compatible',
      '`Order` response `status` value `expired`: added',
    ],
    [
      'a removed value in a response',
      ({ components }) => {
        components.schemas.Order.properties['status'] = { type: 'string', const: 'open' };
      },
      'breaking',
      '`Order` response `status` value `paid`: removed',
    ],
    [
      'a removed field of a response',
      ({ components }) => {
        Reflect.deleteProperty(components.schemas.Order.properties, 'id');
      },
      'breaking',
      '`Order` response `id`: removed',
    ],
    [
      'a field of a response that may be missing',
      ({ components }) => {
        components.schemas.Order.required.pop();
      },
      'breaking',
      '`Order` response `status`: optional',
    ],
    [
      'a field of a response that may be null',
      ({ components }) => {
        components.schemas.Order.properties['id'] = { anyOf: [{ type: 'string' }, { type: 'null' }] };
      },
      'breaking',
      '`Order` response `id` type: changed',
    ],
    [
      'a field of the items of a list',
      ({ components }) => {
        components.schemas.Order.properties['lines'] = {
          type: 'array',
          items: { type: 'object', properties: { sku: { type: 'string' }, tax: { type: 'integer' } } },
        };
      },
      'compatible',
      '`Order` response `lines[].tax`: added',
    ],
    [
      'a new success status',
      ({ paths }) => {
        Object.assign(paths[CREATE].post.responses, { 202: { description: 'Accepted.' } });
      },
      'compatible',
      '`POST /v1/orders` response status `202`: added',
    ],
    [
      'a removed header',
      ({ paths }) => {
        Reflect.deleteProperty(paths[CREATE].post.responses['201'], 'headers');
      },
      'breaking',
      '`POST /v1/orders` response header `Location`: removed',
    ],
    [
      'a new error code',
      ({ paths }) => {
        const { content } = paths[CREATE].post.responses['409'];
        Object.assign(content['application/problem+json'].examples, {
          locked: { value: { code: 'order-locked' } },
        });
      },
      'compatible',
      '`POST /v1/orders` error `order-locked`: added',
    ],
    [
      'a new field of a problem',
      ({ components }) => {
        components.schemas.Problem.properties['help'] = { type: 'string' };
      },
      'compatible',
      '`Problem` response `help`: added',
    ],
    [
      'an error code with another status',
      ({ paths }) => {
        const { responses } = paths[CREATE].post;
        Object.assign(responses, { 422: responses['409'] });
        Reflect.deleteProperty(responses, '409');
      },
      'breaking',
      '`POST /v1/orders` error `conflict` status: changed',
    ],
  ])('%s', (_what, change, impact, sentence) => {
    expect(differencesAfter(change)).toEqual([[impact, sentence]]);
  });
});

describe('reports nothing', () => {
  it.each<[string, (document: ExampleDocument) => void]>([
    ['for the same document', () => {}],
    [
      'for other descriptions and examples',
      ({ paths, components }) => {
        Object.assign(paths[CREATE].post, { description: 'Other words.' });
        components.schemas.Order.properties['id'] = { type: 'string', description: 'Other', examples: ['a'] };
      },
    ],
    [
      'for a schema that moves to the components',
      ({ components }) => {
        const address = components.schemas.NewOrder.properties['address'] as object;
        Object.assign(components.schemas, { Address: address });
        components.schemas.NewOrder.properties['address'] = { $ref: '#/components/schemas/Address' };
      },
    ],
    [
      'for a type beside an enumeration',
      ({ components }) => {
        components.schemas.Order.properties['status'] = { type: 'string', enum: ['paid', 'open'] };
      },
    ],
    [
      'for an enumeration that is written as a union of constants',
      ({ components }) => {
        components.schemas.Order.properties['status'] = { anyOf: [{ const: 'open' }, { const: 'paid' }] };
      },
    ],
    [
      'for an enumeration that may grow',
      ({ components }) => {
        components.schemas.Order.properties['status'] = {
          type: 'string',
          'x-extensible-enum': ['open', 'paid'],
        };
      },
    ],
    [
      'for a nullable enumeration that is written as a union',
      ({ components }) => {
        components.schemas.NewOrder.properties['reason'] = {
          anyOf: [{ type: 'string', enum: ['gift', 'sale'] }, { type: 'null' }],
        };
      },
    ],
    [
      'for codes that the schema of problems lists, and no operation returns',
      ({ components }) => {
        components.schemas.Problem.properties['code'] = { type: 'string', enum: ['conflict', 'gone'] };
      },
    ],
    [
      'for limits and open schemas of a response',
      ({ components }) => {
        components.schemas.Order.properties['id'] = { type: 'string', pattern: '^ord_', maxLength: 40 };
        Object.assign(components.schemas.Order, { additionalProperties: true });
      },
    ],
    [
      'for a scheme of the same credential with another name',
      (document) => {
        Object.assign(document.components.securitySchemes, { token: { type: 'http', scheme: 'bearer' } });
        document.security = [{ token: [] }, { signature: [] }];
      },
    ],
  ])('%s', (_what, change) => {
    expect(differencesAfter(change)).toEqual([]);
  });
});

it('the comparison reports a difference of a shared schema once', () => {
  const differences = differencesAfter(({ components, webhooks }) => {
    components.schemas.Order.properties['total'] = { type: 'integer' };
    bodyOf(webhooks['order.created'].post).properties['order'] = { $ref: '#/components/schemas/Order' };
  });
  expect(differences).toEqual([['compatible', '`Order` response `total`: added']]);
});

it('the comparison names the schema that a field comes from when schemas are combined', () => {
  const released = exampleDocument();
  const inline = structuredClone(released.components.schemas.Order);
  contentOf(released).schema = inline;
  const current = exampleDocument();
  contentOf(current).schema = {
    allOf: [{ $ref: '#/components/schemas/Order' }, { type: 'object', properties: { secret: {} } }],
  };
  current.components.schemas.Order.properties['total'] = { type: 'integer' };
  const differences = compareDocuments(released as OpenapiDocument, current as OpenapiDocument);
  expect(differences.map(({ sentence }) => sentence)).toEqual([
    '`Order` response `total`: added',
    '`POST /v1/orders` response `secret`: added',
  ]);
});

it('the comparison ends for a schema that refers to itself', () => {
  const differences = differencesAfter(({ components }) => {
    components.schemas.Order.properties['parent'] = { $ref: '#/components/schemas/Order' };
  });
  expect(differences).toEqual([['compatible', '`Order` response `parent`: added']]);
});

function bodyOf(operation: ExampleDocument['webhooks']['order.created']['post']) {
  return operation.requestBody.content['application/json'].schema;
}

function contentOf({ paths }: ExampleDocument): { schema: object } {
  return paths[CREATE].post.responses['201'].content['application/json'];
}

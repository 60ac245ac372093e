import { IDEMPOTENCY_KEY_FORMAT, MAX_IDEMPOTENCY_KEY_LENGTH } from '@tollgate/contracts/headers';
import { CancelPaymentBody, CreatePaymentBody, Payment } from '@tollgate/contracts/payment';
import { OPERATIONS, type Operation } from '../operations/operations.ts';
import { EXAMPLE_PAYMENT_ID } from './examples.ts';
import { API_VERSION, errorResponses, HEADERS, headerRef } from './openapi-parts.ts';
import { OPERATION_DOCS } from './operation-docs.ts';
import { ProblemSchema } from './problem-schema.ts';

/** The public API as an OpenAPI 3.1 document, generated from the schemas that validate requests. */
export function createOpenapi(docsBaseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version: API_VERSION,
      description:
        'Create, read, and cancel payments. Live and sandbox have separate base URLs and the same reference. Keys and data of one environment are never visible in the other.',
    },
    // Relative: both environments serve the document, each for itself.
    servers: [{ url: '/' }],
    externalDocs: { url: docsBaseUrl },
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      OPERATIONS.map((operation) => [
        operation.path.replace(':payment_id', '{payment_id}'),
        { [operation.method.toLowerCase()]: describeOperation(operation, docsBaseUrl) },
      ]),
    ),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the environment, `tg_live_…` or `tg_sandbox_…`.',
        },
      },
      schemas: { Payment, CreatePaymentBody, CancelPaymentBody, Problem: ProblemSchema },
      headers: HEADERS,
    },
  };
}

function describeOperation(operation: Operation, docsBaseUrl: string): object {
  const docs = OPERATION_DOCS[operation.name];
  return {
    operationId: docs.operationId,
    summary: docs.summary,
    description: `${docs.description}\n\nRequires the scope \`${operation.scope}\`. Accepts no query parameters.`,
    parameters: parametersOf(operation),
    ...(docs.body && {
      requestBody: {
        required: docs.body.required,
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${docs.body.schemaName}` },
            example: docs.body.example,
          },
        },
      },
    }),
    responses: { ...successResponses(operation), ...errorResponses(docs.errors, docsBaseUrl) },
  };
}

function parametersOf(operation: Operation): object[] {
  const parameters: object[] = [];
  if (operation.path.includes(':payment_id')) {
    parameters.push({
      name: 'payment_id',
      in: 'path',
      required: true,
      schema: { type: 'string' },
      example: EXAMPLE_PAYMENT_ID,
    });
  }
  if (operation.method === 'POST') {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: `${IDEMPOTENCY_KEY_FORMAT}, with or without double quotes. The same key with the same request returns the first response again.`,
      schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH + 2 },
      example: 'order-4711',
    });
  } else {
    parameters.push({
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: '`ETag` of an earlier response.',
      schema: { type: 'string' },
    });
  }
  return parameters;
}

function successResponses(operation: Operation): Record<string, object> {
  const { success } = OPERATION_DOCS[operation.name];
  const headers: Record<string, object> = {
    'X-Request-Id': headerRef('RequestId'),
    'RateLimit-Policy': headerRef('RateLimitPolicy'),
    RateLimit: headerRef('RateLimit'),
  };
  const text = (description: string) => ({ description, schema: { type: 'string' } });
  if (operation.method === 'GET') headers['ETag'] = text('Changes with `version`.');
  else headers['Idempotent-Replayed'] = text('`true` when an earlier response is returned again.');
  if (success.status === 201) headers['Location'] = text('Path of the payment.');

  const responses: Record<string, object> = {
    [success.status]: {
      description: success.description,
      headers,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Payment' }, example: success.example },
      },
    },
  };
  if (operation.method === 'GET') responses['304'] = { description: 'The payment has not changed.' };
  return responses;
}

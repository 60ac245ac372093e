import { ERRORS, type ErrorCode } from '@tollgate/contracts/errors';
import { CancelPaymentBody, CreatePaymentBody, Payment } from '@tollgate/contracts/payment';
import { OPERATIONS, type Operation } from '../public-api/operations.ts';
import { EXAMPLE_PAYMENT_ID, EXAMPLE_REQUEST_ID } from './examples.ts';
import { OPERATION_DOCS } from './operation-docs.ts';
import { ProblemSchema } from './problem-schema.ts';

const API_VERSION = '1.0.0';

/** The public API as an OpenAPI 3.1 document, made from the schemas that requests are checked by. */
export function createOpenapi(docsBaseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version: API_VERSION,
      description:
        'Create, read and cancel payments. Live and sandbox are two base addresses with the same reference; keys and data of one never show in the other.',
    },
    // Relative: the document is served by both environments, each describing itself.
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

const HEADERS = {
  RequestId: {
    description: 'Id of this request; quote it when you ask for help.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'The burst `q` and the seconds `w` in which it refills.',
    schema: { type: 'string', examples: ['"application";q=200;w=2'] },
  },
  RateLimit: {
    description: 'Requests left `r`, and seconds `t` until the full burst is there again.',
    schema: { type: 'string', examples: ['"application";r=199;t=1'] },
  },
  RetryAfter: { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
  ShouldRetry: {
    description: 'Whether the same request may succeed later, unchanged.',
    schema: { type: 'boolean' },
  },
} as const;

const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

function describeOperation(operation: Operation, docsBaseUrl: string): object {
  const docs = OPERATION_DOCS[operation.name];
  return {
    operationId: docs.operationId,
    summary: docs.summary,
    description: `${docs.description}\n\nNeeds the scope \`${operation.scope}\`. Takes no query parameters.`,
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
      description:
        '1 to 255 visible ASCII characters, bare or in double quotes. The same key and request get the first answer again.',
      schema: { type: 'string', minLength: 1, maxLength: 257 },
      example: 'order-4711',
    });
  } else {
    parameters.push({
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'An `ETag` of an earlier answer.',
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
  else headers['Idempotent-Replayed'] = text('`true` when this is an earlier answer, given again.');
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

/** OpenAPI has one response per status, so codes that share one stand together as examples. */
function errorResponses(codes: readonly ErrorCode[], docsBaseUrl: string): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [status, errorResponse(status, same, docsBaseUrl)]),
  );
}

function errorResponse(status: number, codes: ErrorCode[], docsBaseUrl: string): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      'X-Should-Retry': headerRef('ShouldRetry'),
      ...((status === 429 || status === 503) && { 'Retry-After': headerRef('RetryAfter') }),
    },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: exampleProblem(code, docsBaseUrl) }]),
        ),
      },
    },
  };
}

/** A problem as it could be answered, without what belongs to one request. */
export function exampleProblem(code: ErrorCode, docsBaseUrl: string): Record<string, unknown> {
  const { status, title, remedy, retryable } = ERRORS[code];
  return {
    type: `${docsBaseUrl}/errors/${code}`,
    title,
    status,
    detail: remedy,
    code,
    request_id: EXAMPLE_REQUEST_ID,
    retryable,
    ...(code === 'insufficient-scope' && { required_scope: 'payment:create' }),
    ...(code === 'payment-not-cancelable' && { payment_status: 'succeeded' }),
    ...(code === 'invalid-request' && {
      errors: [{ pointer: '/amount', code: 'missing', detail: 'This field is required.' }],
    }),
  };
}

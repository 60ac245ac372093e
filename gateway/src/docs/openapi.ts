import {
  SecretScanningAlert,
  SecretScanningFeedback,
} from '@tollgate/contracts/applications/secret-scanning';
import { WebhookBody } from '@tollgate/contracts/payments/event-types';
import {
  CancelPaymentBody,
  CreatePaymentBody,
  Party,
  PartyInput,
  Payment,
  PaymentFailure,
} from '@tollgate/contracts/payments/payment';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import { CREATION_WAIT_S } from '@tollgate/contracts/platform/headers';
import { OPERATIONS, type Operation } from '../operations/operations.ts';
import { EXAMPLE_PAYMENT, EXAMPLE_PAYMENT_ID } from './examples.ts';
import { withDeprecation } from './openapi-deprecation.ts';
import { errorResponses, exampleComponents, usedErrorCodes } from './openapi-errors.ts';
import { deprecationHeaderRefs, headerComponents, headerRef, RATE_LIMIT_HEADERS } from './openapi-headers.ts';
import { idempotencyKeyParameter } from './openapi-idempotency-key.ts';
import { apiInfo } from './openapi-info.ts';
import { createDocumentSchemas, type DocumentSchemas } from './openapi-schemas.ts';
import { describeSecretScanning, SECRET_SCANNING_TAG } from './openapi-secret-scanning.ts';
import { describeWebhooks, WEBHOOKS_TAG } from './openapi-webhooks.ts';
import { OPERATION_DOCS } from './operation-docs.ts';
import { FieldErrorSchema, problemSchema } from './problem-schema.ts';

const PAYMENTS_TAG = { name: 'Payments', description: 'Create, read, and cancel payments.' };

const NAMED_SCHEMAS = {
  request: { CreatePaymentBody, CancelPaymentBody, PartyInput, SecretScanningAlert },
  response: {
    Payment,
    SecretScanningFeedback,
    Party,
    PaymentFailure,
    WebhookPayment: WebhookBody.properties.data,
    FieldError: FieldErrorSchema,
  },
};

export interface OpenapiOptions {
  /** Without a trailing slash, like the base URLs. */
  docsBaseUrl: string;
  baseUrls: Record<Environment, string>;
  operations?: readonly Operation[];
}

/** The public API as an OpenAPI 3.1 document, generated from the schemas that validate requests. */
export function createOpenapi({ docsBaseUrl, baseUrls, operations = OPERATIONS }: OpenapiOptions): object {
  const schemas = createDocumentSchemas(NAMED_SCHEMAS);
  const payments = Object.fromEntries(
    operations.map((operation) => [
      operation.path.replace(':payment_id', '{payment_id}'),
      { [operation.method.toLowerCase()]: describeOperation(operation, schemas) },
    ]),
  );
  const paths = { ...payments, ...describeSecretScanning(schemas) };
  const webhooks = describeWebhooks(schemas);
  schemas.namedResponse('Problem', problemSchema(usedErrorCodes(paths)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      ...apiInfo(docsBaseUrl),
      description:
        'Create, read, and cancel payments. Live and sandbox have separate base URLs and the same reference. Keys and data of one environment are never visible in the other. Responses and events may gain fields and enumeration values: ignore unknown fields, and treat an unknown value as "other".',
    },
    // Tools send to the first server unless a person chooses another one.
    servers: [
      { url: baseUrls.sandbox, description: 'Sandbox: no real money moves' },
      { url: baseUrls.live, description: 'Live' },
    ],
    tags: [PAYMENTS_TAG, SECRET_SCANNING_TAG, WEBHOOKS_TAG],
    externalDocs: { description: 'API reference', url: docsBaseUrl },
    security: [{ apiKey: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the environment, `tg_live_…` or `tg_sandbox_…`.',
        },
      },
      schemas: schemas.components(),
      headers: headerComponents(paths),
      examples: exampleComponents(paths, docsBaseUrl),
    },
  };
}

function describeOperation(operation: Operation, schemas: DocumentSchemas): object {
  const docs = OPERATION_DOCS[operation.name];
  const deprecation = deprecationHeaderRefs(operation.deprecation ?? null);
  return {
    operationId: docs.operationId,
    summary: docs.summary,
    description: withDeprecation(
      `${docs.description}\n\nRequires the scope \`${operation.scope}\`. Accepts no query parameters.`,
      operation.deprecation,
    ),
    tags: [PAYMENTS_TAG.name],
    ...(operation.deprecation && { deprecated: true }),
    parameters: parametersOf(operation),
    ...(docs.body && {
      requestBody: {
        description: docs.body.description,
        required: docs.body.required,
        content: {
          'application/json': { schema: schemas.request(docs.body.schema), example: docs.body.example },
        },
      },
    }),
    responses: {
      ...successResponses(operation, { schemas, deprecation }),
      ...errorResponses(docs.errors, (codes) => ({ ...rateLimitHeaders(codes), ...deprecation })),
    },
  };
}

const VERSION_TAG = { schema: { type: 'string' }, example: `"${EXAMPLE_PAYMENT.version}"` };

const RELAYED_HEADERS: Record<NonNullable<Operation['relayedHeader']>, object> = {
  'if-none-match': { name: 'If-None-Match', description: '`ETag` of an earlier response.', ...VERSION_TAG },
  'if-match': {
    name: 'If-Match',
    description: '`ETag` of the version that may be canceled, or `*` for any version.',
    ...VERSION_TAG,
  },
  prefer: {
    name: 'Prefer',
    description:
      `\`wait=N\`: how many seconds the response may wait for the first reply of the processor, with \`next_action\` or the outcome (RFC 7240). ` +
      `At most ${CREATION_WAIT_S.max}; 0 does not wait. Without the header, ${CREATION_WAIT_S.default}. Other preferences are ignored.`,
    schema: { type: 'string' },
    example: `wait=${CREATION_WAIT_S.max}`,
  },
};

function parametersOf(operation: Operation): object[] {
  const parameters: object[] = [];
  if (operation.path.includes(':payment_id')) {
    parameters.push({
      name: 'payment_id',
      in: 'path',
      required: true,
      description: 'Id of the payment.',
      schema: { type: 'string' },
      example: EXAMPLE_PAYMENT_ID,
    });
  }
  if (operation.method === 'POST') {
    parameters.push(
      idempotencyKeyParameter('The same key with the same request returns the first response again.'),
    );
  }
  const { relayedHeader } = operation;
  if (relayedHeader) parameters.push({ ...RELAYED_HEADERS[relayedHeader], in: 'header', required: false });
  return parameters;
}

/** Errors of requests that are not counted, because they name no operation or no key that may be used. */
const UNCOUNTED = new Set<ErrorCode>([
  'route-not-found',
  'unauthenticated',
  'invalid-api-key',
  'application-disabled',
  'ip-not-allowed',
]);

function rateLimitHeaders(codes: readonly ErrorCode[]): Record<string, object> {
  return codes.every((code) => UNCOUNTED.has(code)) ? {} : RATE_LIMIT_HEADERS;
}

function successResponses(
  operation: Operation,
  { schemas, deprecation }: { schemas: DocumentSchemas; deprecation: Record<string, object> },
): Record<string, object> {
  const { successes } = OPERATION_DOCS[operation.name];
  const isRead = operation.method === 'GET';
  const headers = {
    'X-Request-Id': headerRef('RequestId'),
    ...RATE_LIMIT_HEADERS,
    ...(isRead ? { ETag: headerRef('ETag') } : { 'Idempotent-Replayed': headerRef('IdempotentReplayed') }),
    ...deprecation,
  };
  const responses = successes.map(({ status, description, example }) => [
    status,
    {
      description,
      headers: { ...headers, ...(status === 201 && { Location: headerRef('Location') }) },
      content: { 'application/json': { schema: schemas.response(Payment), example } },
    },
  ]);
  return {
    ...Object.fromEntries(responses),
    ...(isRead && { 304: { description: 'The payment has not changed.', headers } }),
  };
}

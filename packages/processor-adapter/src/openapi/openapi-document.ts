import type { TSchema } from 'typebox';
import {
  ADAPTER_LIMITS,
  ASK_PROCESSOR,
  Callback,
  PaymentState,
  ProcessorPayment,
  Rejection,
} from '../contract/payment-state.ts';
import { ADAPTER_RULES } from '../contract/rules.ts';

const DESCRIPTION = `The contract between Tollgate and an adapter, a service that connects one processor. Tollgate sends the calls under
\`paths\`. The adapter sends the callback under \`webhooks\`.

Requests, responses with status 200, 404, and 422, and callbacks are signed as [Standard Webhooks](https://www.standardwebhooks.com)
1.0.0, with a secret that both sides share. The \`webhook-id\` of a call is \`start:\`, \`status:\`, or \`cancel:\`, the payment id,
\`:\`, and random characters. The response is signed with the same \`webhook-id\`. The body of a request without a body is the empty
string. During a rotation there are two secrets: a message has a signature of each, separated by a space, and one that matches
suffices.

A call that belongs to a trace has \`traceparent\` and \`tracestate\` of [W3C Trace Context](https://www.w3.org/TR/trace-context/). They are
not signed, and decide nothing.

Both sides ignore fields that they do not know. No body is larger than ${ADAPTER_LIMITS.bodyBytes} bytes.

Rules:

${Object.values(ADAPTER_RULES)
  .map((rule) => `- ${rule}`)
  .join('\n')}`;

const SIGNATURE_HEADERS = {
  'webhook-id': 'Id of the message',
  'webhook-timestamp': 'Time of the signature, in seconds since 1970',
  'webhook-signature':
    '`v1,` and the base64 of the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>`; one for each secret, separated by a space',
};

const signatureNames = Object.keys(SIGNATURE_HEADERS);

const signatureParameters = signatureNames.map((name) => ({ $ref: `#/components/parameters/${name}` }));

const TRACE_HEADERS = {
  traceparent: 'Trace of the request that created the payment (W3C Trace Context)',
  tracestate: 'Belongs to `traceparent`',
};

const callParameters = [...Object.keys(TRACE_HEADERS), ...signatureNames].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

const signatureResponseHeaders = Object.fromEntries(
  signatureNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const paymentIdParameter = {
  name: 'payment_id',
  in: 'path',
  required: true,
  description: 'Payment id',
  schema: ProcessorPayment.properties.id,
};

const askParameter = {
  name: 'ask',
  in: 'query',
  description: `\`${ASK_PROCESSOR}\`: asks the processor again about a payment with a final status`,
  schema: { type: 'string', enum: [ASK_PROCESSOR] },
};

const json = (schema: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});

const signed = (description: string, schema: string) => ({
  description: `${description} Signed.`,
  headers: signatureResponseHeaders,
  content: json(schema),
});

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

const stateResponse = { 200: signed('The state of the payment at the processor.', 'PaymentState') };

const errorResponses = {
  400: problem('The request does not match the contract. The payment is as it was.'),
  401: problem('The signature is not valid, or is for another call. The payment is as it was.'),
  502: problem('The processor, or the code of the adapter, reported an error. The outcome is unknown.'),
  503: problem('The adapter cannot serve the call now. The outcome is unknown.'),
  504: problem('The processor did not respond in time. The outcome is unknown.'),
};

const paths = {
  '/payments': {
    post: {
      operationId: 'start',
      summary: 'Starts a payment at the processor, once.',
      parameters: callParameters,
      requestBody: { required: true, content: json('ProcessorPayment') },
      responses: {
        ...stateResponse,
        422: signed('The processor does not accept the payment.', 'Rejection'),
        413: problem(`The body is larger than ${ADAPTER_LIMITS.bodyBytes} bytes.`),
        ...errorResponses,
      },
    },
  },
  '/payments/{payment_id}': {
    get: {
      operationId: 'status',
      summary: 'Returns the current state of a payment at the processor.',
      parameters: [paymentIdParameter, askParameter, ...callParameters],
      responses: {
        ...stateResponse,
        404: signed('The payment was never started.', 'Problem'),
        ...errorResponses,
      },
    },
  },
  '/payments/{payment_id}/cancel': {
    post: {
      operationId: 'cancel',
      summary: 'Cancels a payment if no money has moved, and returns its state.',
      parameters: [paymentIdParameter, ...callParameters],
      responses: { ...stateResponse, ...errorResponses },
    },
  },
  '/healthz': {
    get: {
      operationId: 'health',
      summary: 'Reports whether the adapter can serve requests.',
      responses: {
        200: { description: 'The adapter can serve requests.' },
        503: problem('The adapter cannot serve requests.'),
      },
    },
  },
};

const webhooks = {
  'payment-changed': {
    post: {
      operationId: 'callback',
      summary: 'Reports a change at the processor to `POST /v1/processor-events/{processor}` of Tollgate.',
      description: 'Repeated with the same `webhook-id` and body until Tollgate responds with 2xx.',
      parameters: signatureParameters,
      requestBody: { required: true, content: json('Callback') },
      responses: { 204: { description: 'Tollgate has stored the change, or knew it already.' } },
    },
  },
};

const Problem = {
  type: 'object',
  description: 'An error (RFC 9457)',
  required: ['status', 'detail'],
  properties: {
    status: { type: 'integer', description: 'HTTP status' },
    detail: { type: 'string', description: 'What happened, why, and what to do' },
  },
};

const schemas = { ProcessorPayment, PaymentState, Rejection, Callback };

/** The contract for authors of adapters in any language. */
export function openapiDocument(): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate processor adapter', version: '1', description: DESCRIPTION },
    paths,
    webhooks,
    components: {
      parameters: {
        ...mapValues(SIGNATURE_HEADERS, (description, name) => headerParameter(name, description, true)),
        ...mapValues(TRACE_HEADERS, (description, name) => headerParameter(name, description, false)),
      },
      headers: mapValues(SIGNATURE_HEADERS, (description) => ({
        description,
        required: true,
        schema: { type: 'string' },
      })),
      schemas: { ...mapValues(schemas, open), Problem },
    },
  };
}

function headerParameter(name: string, description: string, required: boolean): object {
  return { name, in: 'header', required, description, schema: { type: 'string' } };
}

/** Without `additionalProperties: false`: both sides ignore fields that they do not know. */
function open(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema), (name, value) =>
    name === 'additionalProperties' && value === false ? undefined : value,
  );
}

function mapValues<Value>(values: Record<string, Value>, map: (value: Value, name: string) => unknown) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

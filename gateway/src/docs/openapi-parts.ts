import { ERRORS, type ErrorCode } from '@tollgate/contracts/errors';
import { EXAMPLE_REQUEST_ID } from './examples.ts';

/** Parts shared by the documents of both APIs. */
export const API_VERSION = '1.0.0';

export const HEADERS = {
  RequestId: {
    description: 'Id of this request. Quote it when you ask for help.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'Burst `q`, and the seconds `w` in which it refills.',
    schema: { type: 'string', examples: ['"application";q=200;w=2'] },
  },
  RateLimit: {
    description: 'Remaining requests `r`, and the seconds `t` until the full burst is available again.',
    schema: { type: 'string', examples: ['"application";r=199;t=1'] },
  },
  RetryAfter: { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
  ShouldRetry: {
    description: 'Whether this request may be repeated unchanged without a second effect.',
    schema: { type: 'boolean' },
  },
} as const;

export const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** OpenAPI has one response per status, so codes with the same status become examples of one response. */
export function errorResponses(codes: readonly ErrorCode[], docsBaseUrl: string): Record<string, object> {
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

/** An example problem, without the members that belong to one request. */
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

import type { Deprecation } from '@tollgate/contracts/deprecation';
import { ERRORS, type ErrorCode } from '@tollgate/contracts/errors';
import manifest from '../../package.json' with { type: 'json' };
import { EXAMPLE_REQUEST_ID } from './examples.ts';

/** The release that describes itself in the documents of both APIs. All packages have the same version. */
const API_VERSION = manifest.version;

/** The parts of `info` that do not depend on the API. */
export const apiInfo = (docsBaseUrl: string) => ({
  version: API_VERSION,
  contact: { name: 'Operator of this installation', url: docsBaseUrl },
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
});

const HEADERS = {
  RequestId: {
    description: 'Id of this request. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string' },
    example: EXAMPLE_REQUEST_ID,
  },
  RateLimitPolicy: {
    description:
      'Burst `q`, and the seconds `w` in which it refills. Absent if the request was rejected before it was counted.',
    schema: { type: 'string' },
    example: '"application";q=200;w=2',
  },
  RateLimit: {
    description:
      'Remaining requests `r`, and the seconds `t` until the full burst is available again. Absent if the request was rejected before it was counted.',
    schema: { type: 'string' },
    example: '"application";r=199;t=1',
  },
  RetryAfter: {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  ShouldRetry: {
    description: 'Whether this request may be repeated unchanged without a second effect.',
    required: true,
    schema: { type: 'boolean' },
    example: false,
  },
  WwwAuthenticate: {
    description: 'The required authentication (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  ETag: {
    description: 'Version of the resource. Send it back as `If-None-Match` or `If-Match`.',
    required: true,
    schema: { type: 'string' },
    example: '"7"',
  },
  Location: {
    description: 'Path of the created resource.',
    required: true,
    schema: { type: 'string' },
    example: '/v1/payments/pay_01kdvf5600er0bqwmkpv3d9a7x',
  },
  IdempotentReplayed: {
    description: '`true` if this is the response to an earlier request with the same key. Absent otherwise.',
    schema: { type: 'boolean' },
    example: true,
  },
  ContentDisposition: {
    description: 'Name of the file.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="payments-live-2026-01-01.csv"',
  },
  Deprecation: {
    description: 'When this operation was deprecated (RFC 9745).',
    required: true,
    schema: { type: 'string' },
    example: '@1803859200',
  },
  Sunset: {
    description: 'When this operation stops working (RFC 8594).',
    required: true,
    schema: { type: 'string' },
    example: 'Fri, 30 Jun 2028 12:00:00 GMT',
  },
  Link: {
    description: 'The page about the deprecation.',
    required: true,
    schema: { type: 'string' },
    example: '<https://api.example.com/docs>; rel="deprecation"; type="text/html"',
  },
} as const;

type HeaderName = keyof typeof HEADERS;

export const headerRef = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });

/** The headers that the responses of a document refer to. */
export function headerComponents(paths: object): Partial<typeof HEADERS> {
  const text = JSON.stringify(paths);
  const used = Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`));
  return Object.fromEntries(used);
}

/** The headers of every response of a deprecated operation. */
export function deprecationHeaderRefs(deprecation: Deprecation | null): Record<string, object> {
  if (deprecation === null) return {};
  return {
    Deprecation: headerRef('Deprecation'),
    Sunset: headerRef('Sunset'),
    Link: headerRef('Link'),
  };
}

/** OpenAPI has one response per status, so codes with the same status become examples of one response. */
export function errorResponses(
  codes: readonly ErrorCode[],
  headersOf: (codes: readonly ErrorCode[]) => Record<string, object>,
): Record<string, object> {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [status, errorResponse(status, same, headersOf(same))]),
  );
}

function errorResponse(status: number, codes: ErrorCode[], headers: Record<string, object>): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      'X-Should-Retry': headerRef('ShouldRetry'),
      ...((status === 401 || status === 403) && { 'WWW-Authenticate': headerRef('WwwAuthenticate') }),
      ...((status === 429 || status === 503) && { 'Retry-After': headerRef('RetryAfter') }),
      ...headers,
    },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** An example of each code that the responses of a document refer to. */
export function exampleComponents(paths: object, docsBaseUrl: string): Record<string, object> {
  return Object.fromEntries(
    usedErrorCodes(paths).map((code) => [
      code,
      { summary: ERRORS[code].title, value: exampleProblem(code, docsBaseUrl) },
    ]),
  );
}

export function usedErrorCodes(paths: object): ErrorCode[] {
  const text = JSON.stringify(paths);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) =>
    text.includes(`"#/components/examples/${code}"`),
  );
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

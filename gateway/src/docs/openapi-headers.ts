import type { Deprecation } from '@tollgate/contracts/platform/deprecation';
import { EXAMPLE_REQUEST_ID } from './examples.ts';

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

/** The headers of every response to a request that was counted against a limit. */
export const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
  RateLimit: headerRef('RateLimit'),
};

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

import { ERRORS, type ErrorCode } from '@tollgate/contracts/platform/errors';
import { exampleProblem } from './example-problem.ts';
import { headerRef } from './openapi-headers.ts';

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

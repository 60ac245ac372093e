import { validateHeaderValue } from 'node:http';
import { ERRORS } from '@tollgate/contracts/platform/errors';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import type { ProblemDetails } from '@tollgate/contracts/platform/problem';
import { isRetryable, type RepeatableRequest } from '@tollgate/contracts/platform/retryable';

export interface ProblemResponse {
  status: number;
  headers: Record<string, string>;
  /** JSON text of the problem. */
  body: string;
}

/** An error as RFC 9457 `application/problem+json`, with the headers of its code. */
export function problemResponse(
  details: ProblemDetails,
  context: { requestId: string; docsBaseUrl: string; request: RepeatableRequest },
): ProblemResponse {
  const { status, title } = ERRORS[details.code];
  const retryable = isRetryable(details, context.request);
  const body = {
    type: `${context.docsBaseUrl}/errors/${details.code}`,
    title,
    status,
    detail: details.detail,
    code: details.code,
    request_id: context.requestId,
    retryable,
    ...(details.errors && details.errors.length > 0 ? { errors: details.errors } : {}),
    ...details.extensions,
  };
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-should-retry': String(retryable),
  };
  if (details.retryAfterS !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(details.retryAfterS)));
  const challenge = bearerChallenge(details);
  if (challenge) headers['www-authenticate'] = challenge;
  return { status, headers, body: JSON.stringify(body) };
}

/** The response to what is no HTTP. Nothing of the request is known, and a malformed one is never retryable. */
export function malformedRequest(
  detail: string,
  { requestId, docsBaseUrl }: { requestId: string; docsBaseUrl: string },
): ProblemResponse {
  const request = { method: '', hasIdempotencyKey: false };
  const response = problemResponse(
    { code: 'malformed-request', detail },
    { requestId, docsBaseUrl, request },
  );
  return { ...response, headers: { ...response.headers, [HEADERS.requestId]: requestId } };
}

/** A problem of a listener whose clients know no codes. RFC 9457 §4.2.1: without a type, the status says it all. */
export function plainProblem(status: number, detail: string): ProblemResponse {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ status, detail }),
  };
}

/** Removes the headers that Node rejects: an error response would fail like the response that had them. */
export function dropInvalidHeaders(reply: {
  getHeaders(): Record<string, unknown>;
  removeHeader(name: string): unknown;
}): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    try {
      validateHeaderValue(name, String(value));
    } catch {
      reply.removeHeader(name);
    }
  }
}

/** RFC 6750 §3: the challenge has no error code when the request has no credential, or when the credential is not the cause. */
function bearerChallenge(details: ProblemDetails): string | undefined {
  switch (details.code) {
    case 'invalid-api-key':
    case 'invalid-session':
    case 'invalid-api-token':
      return 'Bearer error="invalid_token"';
    case 'insufficient-scope':
      return `Bearer error="insufficient_scope", scope="${details.extensions?.['required_scope']}"`;
    case 'unauthenticated':
    case 'ip-not-allowed':
    case 'application-disabled':
      return 'Bearer';
    default:
      return undefined;
  }
}

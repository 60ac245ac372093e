import { BODY_LIMITS } from '@tollgate/contracts/platform/body-limits';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem, type ProblemDetails } from '@tollgate/contracts/platform/problem';
import { createMalformedHttpResponses, type MalformedHttpResponses } from '@tollgate/http/malformed-http';
import { dropInvalidHeaders, malformedRequest, problemResponse } from '@tollgate/http/problem-response';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { paymentNotFound } from '../lifecycle/find-payment.ts';

type ErrorDeps = Pick<Context, 'docsBaseUrl' | 'logger'>;

/** Responses to what is no HTTP. */
export function malformedHttpResponses({ docsBaseUrl }: ErrorDeps): MalformedHttpResponses {
  return createMalformedHttpResponses((detail) =>
    malformedRequest(detail, { requestId: newId('request'), docsBaseUrl }),
  );
}

/** Responds to a request that ended in an error. Logs only faults of this service, and exposes nothing internal. */
export function sendError(deps: ErrorDeps, error: Error, request: FastifyRequest, reply: FastifyReply) {
  const details = detailsOf(error);
  // A client disconnect also ends a request with an error, which is not a fault of this service.
  if (LOGGED.has(details.code) && !request.socket.destroyed) {
    deps.logger.error(
      { err: error, request_id: request.id, method: request.method, code: details.code },
      'request failed',
    );
  }
  return respond(deps, details, request, reply);
}

const LOGGED = new Set<ErrorCode>(['internal', 'unavailable']);

export function sendRouteNotFound(deps: ErrorDeps, request: FastifyRequest, reply: FastifyReply) {
  return respond(deps, { code: 'route-not-found', detail: 'Unknown operation.' }, request, reply);
}

function respond(deps: ErrorDeps, details: ProblemDetails, request: FastifyRequest, reply: FastifyReply) {
  const { docsBaseUrl } = deps;
  dropInvalidHeaders(reply);
  const { status, headers, body } = problemResponse(details, {
    requestId: request.id,
    docsBaseUrl,
    request: {
      method: request.method,
      hasIdempotencyKey: request.headers[HEADERS.idempotencyKey] !== undefined,
    },
  });
  // Sent as bytes: fastify would add a charset to a string, which the media type does not define (RFC 9457 §3, RFC 8259
  // §11).
  // The hook that sets the id does not run for a target that is no URL.
  return reply
    .code(status)
    .headers({ ...headers, [HEADERS.requestId]: request.id })
    .send(Buffer.from(body));
}

function detailsOf(error: Error): ProblemDetails {
  if (error instanceof Problem) return error.details;
  if (isStoreUnavailable(error)) {
    return {
      code: 'unavailable',
      detail: 'The payments service is unreachable. The request may have been processed.',
      retryAfterS: 1,
      // A write that got no reply may still have happened.
      outcomeUnknown: true,
    };
  }
  return (
    FRAMEWORK_ERRORS.get(codeOf(error)) ?? {
      code: 'internal',
      detail: 'The request failed because of an internal error.',
    }
  );
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

/** Requests that fastify itself rejects, by error code. */
const FRAMEWORK_ERRORS = new Map<string, ProblemDetails>([
  [
    'FST_ERR_CTP_BODY_TOO_LARGE',
    { code: 'content-too-large', detail: `The body is larger than ${BODY_LIMITS.payments / 1024} KiB.` },
  ],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', malformed('The length of the body does not match Content-Length.')],
  [
    'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    { code: 'unsupported-media-type', detail: 'The Content-Type is not valid.' },
  ],
  ['FST_ERR_NOT_FOUND', malformed('The request is not valid HTTP.')],
  ['FST_ERR_BAD_URL', { code: 'route-not-found', detail: 'The path is not valid.' }],
  // A QUERY without a type. No route has this method.
  ['FST_ERR_ROUTE_MISSING_CONTENT_TYPE', { code: 'route-not-found', detail: 'Unknown operation.' }],
  ['FST_ERR_MAX_PARAM_LENGTH', paymentNotFound().details],
]);

function malformed(detail: string): ProblemDetails {
  return { code: 'malformed-request', detail };
}

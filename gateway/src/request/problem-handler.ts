import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import { Problem, type ProblemDetails } from '@tollgate/contracts/platform/problem';
import { loggedErrors } from '@tollgate/contracts/usage/logged-error';
import { dropInvalidHeaders, problemResponse } from '@tollgate/http/problem-response';
import type { Logger } from '@tollgate/runtime/logger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentTooLarge } from './content-rules.ts';
import { repeatableRequest } from './repeatable-request.ts';

export type ProblemHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Fastify errors caused by the client, as problems. Any other error is a fault of the gateway. */
const FASTIFY_ERRORS: Record<string, (request: FastifyRequest) => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) => contentTooLarge(routeOptions.bodyLimit),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem('unsupported-media-type', 'The Content-Type of the body must be application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem('malformed-request', 'The length of the body does not match Content-Length.'),
  /**
   * Node's parser accepts PRI, the method that RFC 9113 §3.4 reserves. Fastify's router does not know it, and no hook
   * runs.
   */
  FST_ERR_NOT_FOUND: () => new Problem('malformed-request', 'The request is not valid HTTP.'),
  FST_ERR_BAD_URL: () => new Problem('malformed-request', 'The path is not valid.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Problem('route-not-found', 'No route matches this path.'),
  /** The connection ended within the body, so the client does not receive this response. */
  ECONNRESET: () => new Problem('malformed-request', 'The request body is incomplete.'),
};

/** Responds to thrown errors with `application/problem+json`. An unexpected error becomes `internal`. */
export function createProblemHandler(deps: { docsBaseUrl: string; logger: Logger }): ProblemHandler {
  const { docsBaseUrl, logger } = deps;

  function detailsOf(error: unknown, request: FastifyRequest): ProblemDetails {
    if (error instanceof Problem) return error.details;
    const known = FASTIFY_ERRORS[String((error as { code?: unknown } | null)?.code)];
    if (known) return known(request).details;
    logger.error({ request_id: request.id, err: error }, 'request failed in the gateway');
    return { code: 'internal', detail: 'The request failed because of an internal error.' };
  }

  return function sendProblem(error, request, reply) {
    const details = detailsOf(error, request);
    request.problemCode = details.code;
    request.problemErrors = loggedErrors(details.errors);
    dropInvalidHeaders(reply);
    // The rest of a body that is too large would need to be read and discarded.
    if (closesConnection(details.code)) reply.header('connection', 'close');
    const { status, headers, body } = problemResponse(details, {
      requestId: request.id,
      docsBaseUrl,
      request: repeatableRequest(request),
    });
    // As bytes: Fastify adds a charset to a string, which RFC 9457 does not define for this type.
    reply.code(status).headers({ ...headers, 'x-request-id': request.id });
    reply.send(Buffer.from(body));
  };
}

const CLOSING: readonly ErrorCode[] = [
  'content-too-large',
  'malformed-request',
  'unsupported-transfer-encoding',
];

/** Where the next request would start is unknown, or far away. */
function closesConnection(code: ErrorCode): boolean {
  return CLOSING.includes(code);
}

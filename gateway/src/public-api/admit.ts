import type { IncomingHttpHeaders } from 'node:http';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate, AuthenticatedCaller } from '../authentication/authenticate.ts';
import type { Principals } from '../authentication/principals.ts';
import type { Operation } from '../operations/operations.ts';
import { rateLimitHeaders } from '../rate-limit/rate-limit-headers.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { rejectQuery, requireAccepted } from '../request/content-rules.ts';

const RETRY_AFTER_NOT_READY_S = 5;

/** Admits the request or throws the Problem that rejects it, before its body is read. */
export type Admit = (operation: Operation, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * The order matters: first who calls, how often, and what they may do, and only then whether the request is valid. A
 * key used from an address that is not allowed does not count against its application's limit: otherwise a
 * stolen key could exhaust it.
 */
export function createAdmit(deps: {
  environment: Environment;
  principals: Principals;
  authenticate: Authenticate;
  rateLimiter: RateLimiter;
}): Admit {
  const { environment, principals, authenticate, rateLimiter } = deps;

  return function admit(operation, request, reply) {
    if (principals.reasonNotUsable() !== null) {
      throw new Problem('unavailable', 'API keys cannot be checked right now.', {
        retryAfterS: RETRY_AFTER_NOT_READY_S,
      });
    }
    const caller = authenticate(request.headers.authorization, request.clientAddress);
    request.caller = caller;
    countRequest(caller, reply);
    requireScope(operation.scope, caller.principal.scopes);
    if (operation.createsPayment && caller.application.requireIdempotencyKey[environment])
      requireIdempotencyKey(request.headers);
    rejectQuery(request.raw.url ?? '');
    requireAccepted(request.raw, 'application/json');
  };

  function countRequest(caller: AuthenticatedCaller, reply: FastifyReply): void {
    const limit = caller.application.limits[environment];
    const decision = rateLimiter.take(caller.key.applicationId, limit);
    reply.headers(rateLimitHeaders([{ name: 'application', limit, decision }]));
    if (!decision.allowed) {
      throw new Problem(
        'rate-limited',
        `The application exceeded its limit of ${limit.requests_per_second} requests per second.`,
        { retryAfterS: decision.retryInMs / 1000 },
      );
    }
  }
}

function requireScope(required: Scope, held: readonly Scope[]): void {
  if (held.includes(required)) return;
  throw new Problem('insufficient-scope', `This operation requires the scope ${required}.`, {
    extensions: { required_scope: required },
  });
}

/** An empty key passes: payments rejects it with a more precise error. */
function requireIdempotencyKey(headers: IncomingHttpHeaders): void {
  if (headers[HEADERS.idempotencyKey] !== undefined) return;
  throw new Problem(
    'idempotency-key-required',
    'The application requires an Idempotency-Key for every payment that it creates in this environment.',
    { errors: [{ header: 'Idempotency-Key', code: 'missing', detail: 'This header is required.' }] },
  );
}

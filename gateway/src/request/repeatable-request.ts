import { HEADERS } from '@tollgate/contracts/platform/headers';
import type { RepeatableRequest } from '@tollgate/contracts/platform/retryable';
import type { FastifyRequest } from 'fastify';

/** The header has no effect on a route that takes no idempotency key, so it does not make a repetition safe there. */
export function repeatableRequest({ method, headers, routeOptions }: FastifyRequest): RepeatableRequest {
  const takesKey = routeOptions.config?.takesIdempotencyKey === true;
  return { method, hasIdempotencyKey: takesKey && headers[HEADERS.idempotencyKey] !== undefined };
}

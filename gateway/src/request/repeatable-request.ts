import { HEADERS } from '@tollgate/contracts/headers';
import type { RepeatableRequest } from '@tollgate/contracts/retryable';
import type { FastifyRequest } from 'fastify';

export function repeatableRequest({ method, headers }: FastifyRequest): RepeatableRequest {
  return { method, hasIdempotencyKey: headers[HEADERS.idempotencyKey] !== undefined };
}

import type { ErrorCode } from '@tollgate/contracts/errors';
import type { Principal } from '@tollgate/contracts/principal';
import type { FastifyInstance } from 'fastify';
import type { Operation } from '../public-api/operations.ts';
import type { TraceContext } from './trace-context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    receivedAtMs: number;
    trace: TraceContext | null;
    /** Who calls, once the key check has passed. */
    caller: { lookupId: string; principal: Principal } | null;
    /** Code of the problem that was answered, for the access log. */
    problemCode: ErrorCode | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** Gives every request these members from the start, so that all have one shape. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('receivedAtMs', 0);
  app.decorateRequest('trace', null);
  app.decorateRequest('caller', null);
  app.decorateRequest('problemCode', null);
}

import type { ErrorCode } from '@tollgate/contracts/errors';
import type { Principal } from '@tollgate/contracts/principal';
import type { FastifyInstance } from 'fastify';
import type { Session } from '../admin-api/session.ts';
import type { Effect } from '../usage/usage-outcome.ts';
import type { TraceContext } from './trace-context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    receivedAtMs: number;
    trace: TraceContext | null;
    /** Who calls, once the key check has passed. */
    caller: { lookupId: string; principal: Principal } | null;
    /** What payments said that the request changed; null before its response, and for reads. */
    effect: Effect | null;
    /** Whose session the request carries, once it has been checked; of the admin API. */
    session: Session | null;
    /** Code of the problem that was returned, for the access log. */
    problemCode: ErrorCode | null;
  }
  interface FastifyContextConfig {
    /** Name of the operation in metrics and logs. */
    operation?: string;
  }
}

/** Gives every request these members from the start, so that all have one shape. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('receivedAtMs', 0);
  app.decorateRequest('trace', null);
  app.decorateRequest('caller', null);
  app.decorateRequest('effect', null);
  app.decorateRequest('session', null);
  app.decorateRequest('problemCode', null);
}

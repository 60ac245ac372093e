import type { Principal } from '@tollgate/contracts/applications/principal';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import type { RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import type { LoggedError } from '@tollgate/contracts/usage/logged-error';
import type { Span } from '@tollgate/tracing/span';
import type { TraceContext } from '@tollgate/tracing/trace-context';
import type { FastifyInstance } from 'fastify';

/** A session or API token that accounts has confirmed for this request. */
export interface Session {
  /**
   * Returns the actor token for one RPC of an admin request. Valid for less than a minute, so that long-running requests must open the
   * session again.
   */
  actorTokenFor: (subject: string, requestId: string) => string;
  /** Whether other calls may use the session, too: its actor tokens are not for the RPCs of this route only. */
  isShareable: boolean;
  /** Id of the session or API token. */
  id: string;
  caller: SessionCaller;
}

type SessionCaller =
  | { type: 'member'; memberId: string; teamId: string }
  /** `actsFor` is the member whose login created the token, or null. `environments` is null for both. */
  | {
      type: 'token';
      tokenId: string;
      actsFor: string | null;
      teamId: string;
      environments: Environment[] | null;
    };

declare module 'fastify' {
  interface FastifyRequest {
    receivedAtMs: number;
    /** IP address of the client in its only form; null if a trusted proxy sent one that is unreadable. */
    clientAddress: string | null;
    trace: TraceContext | null;
    /** Ended with the request. */
    span: Span | null;
    /** Set after the key check has passed. */
    caller: { lookupId: string; principal: Principal } | null;
    /** When this request changed the payment, as payments reported; null before its response, and without a change. */
    changedAt: Date | null;
    /** Set after the session check of the admin API has passed. */
    session: Session | null;
    /** Code of the problem in the response, for the access log. */
    problemCode: ErrorCode | null;
    /** Errors of single fields in that problem, for the request log. */
    problemErrors: LoggedError[] | null;
  }
  interface FastifyInstance {
    /** Responses then close their connection. */
    isStopping(): boolean;
  }
  interface FastifyContextConfig {
    /** Operation name in metrics and logs. */
    operation?: string;
    /** RPCs that the route makes as the caller: the only ones for which its actor token is valid. */
    calls?: readonly RpcContract[];
    /** Whether a repeated request with the same `Idempotency-Key` has no second effect. */
    takesIdempotencyKey?: boolean;
    /** Headers of every response of a deprecated route. */
    deprecation?: Record<string, string>;
  }
}

/** Adds these members to every request at creation, so that all requests have the same shape. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('receivedAtMs', 0);
  app.decorateRequest('clientAddress', null);
  app.decorateRequest('trace', null);
  app.decorateRequest('span', null);
  app.decorateRequest('caller', null);
  app.decorateRequest('changedAt', null);
  app.decorateRequest('session', null);
  app.decorateRequest('problemCode', null);
  app.decorateRequest('problemErrors', null);
}

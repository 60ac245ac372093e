import type { Logger } from '@tollgate/runtime/logger';
import type { FastifyRequest } from 'fastify';
import type { GatewayMetrics, Listener } from './gateway-metrics.ts';
import type { Session } from './request-state.ts';

export interface AccessLog {
  responded(request: FastifyRequest, status: number): void;
  /** Called instead of `responded` when the client disconnected or the response was cut off. */
  disconnected(request: FastifyRequest): void;
}

/**
 * Writes one log line and one count per request. The path is not logged: people put keys and names into it by mistake.
 * Of the credential, only the lookup id is logged, which is not secret.
 */
export function createAccessLog(deps: {
  listener: Listener;
  metrics: GatewayMetrics;
  logger: Logger;
}): AccessLog {
  const { listener, metrics, logger } = deps;

  function record(request: FastifyRequest, status: number | null, message: string): void {
    const operation = request.routeOptions.config.operation ?? 'other';
    const durationMs = performance.now() - request.receivedAtMs;
    const statusClass = status === null ? 'aborted' : `${Math.floor(status / 100)}xx`;
    metrics.requests.inc({ listener, operation, status_class: statusClass });
    metrics.durations.observe({ listener, operation }, durationMs / 1000);
    logger.info(
      {
        request_id: request.id,
        trace_id: request.trace?.traceId,
        environment: listener === 'admin' ? undefined : listener,
        method: request.method,
        operation,
        status,
        code: request.problemCode ?? undefined,
        duration_ms: Math.round(durationMs * 10) / 10,
        application_id: request.caller?.principal.application_id,
        ...actorFields(request.session),
        lookup_id: request.caller?.lookupId,
      },
      message,
    );
  }

  return {
    responded: (request, status) => record(request, status, 'request'),
    disconnected: (request) => record(request, null, 'the connection closed before the end of the response'),
  };
}

function actorFields(session: Session | null): { member_id?: string; token_id?: string } {
  if (!session) return {};
  const { caller } = session;
  return caller.type === 'member' ? { member_id: caller.memberId } : { token_id: caller.tokenId };
}

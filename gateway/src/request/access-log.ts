import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import type { Clock } from '@tollgate/runtime/clock';
import { writeInfoLine } from '@tollgate/runtime/info-line';
import type { Logger } from '@tollgate/runtime/logger';
import type { FastifyRequest } from 'fastify';
import { sentLookupId } from '../authentication/sent-lookup-id.ts';
import type { GatewayMetrics, Listener } from './gateway-metrics.ts';
import { createLineBudget } from './line-budget.ts';
import type { Session } from './request-state.ts';
import { endTrace } from './request-trace.ts';

/** Enough to see an attack and where it comes from. At about 500 bytes each, less than 1 GB a day. */
export const FAILED_AUTHENTICATION_LINES_PER_SECOND = 20;

/** Rejections of API keys. Without a key that works, a client is limited by nothing else. */
const REJECTED_API_KEYS: readonly (ErrorCode | null)[] = [
  'unauthenticated',
  'invalid-api-key',
  'ip-not-allowed',
  'application-disabled',
];
/** Rejections of API tokens. A session that has ended is not one: it happens to every member. */
const REJECTED_API_TOKENS: readonly (ErrorCode | null)[] = ['invalid-api-token', 'ip-not-allowed'];

export interface AccessLog {
  /** `status` is null if the client disconnected before it had the whole response. */
  ended(request: FastifyRequest, status: number | null): void;
}

/**
 * Writes one log line and one count per request, and ends its span. The path is not logged: people put keys and names into it by mistake.
 * The only part of the credential that is logged is the lookup id, which is not secret. A failed authentication with an API
 * key or an API token is a warning with the client's address, and only a number of them is logged each second.
 */
export function createAccessLog(deps: {
  listener: Listener;
  metrics: GatewayMetrics;
  clock: Clock;
  logger: Logger;
}): AccessLog {
  const { listener, metrics, clock, logger } = deps;
  const failures = createLineBudget({ linesPerSecond: FAILED_AUTHENTICATION_LINES_PER_SECOND, clock });

  function ended(request: FastifyRequest, status: number | null): void {
    const operation = request.routeOptions.config.operation ?? 'other';
    const durationMs = performance.now() - request.receivedAtMs;
    const statusClass = status === null ? 'aborted' : `${Math.floor(status / 100)}xx`;
    endTrace(request, status);
    metrics.requests.inc({ listener, operation, status_class: statusClass });
    metrics.durations.observe({ listener, operation }, durationMs / 1000);
    const withheld = failures.takeWithheld();
    if (withheld > 0) logger.warn({ count: withheld }, 'failed authentications were not logged one by one');
    const rejections = listener === 'admin' ? REJECTED_API_TOKENS : REJECTED_API_KEYS;
    const isFailure = rejections.includes(request.problemCode);
    if (!isFailure) {
      const message = status === null ? 'the connection closed before the end of the response' : 'request';
      writeInfoLine(logger, fieldsOf(request, { listener, operation, status, durationMs }), message);
      return;
    }
    if (!failures.take()) return;
    logger.warn(
      {
        request_id: request.id,
        trace_id: request.trace?.traceId,
        environment: listener === 'admin' ? undefined : listener,
        method: request.method,
        operation,
        status,
        code: request.problemCode,
        duration_ms: roundToTenths(durationMs),
        application_id: request.caller?.principal.application_id,
        ...actorFields(request.session),
        lookup_id: request.caller?.lookupId ?? sentLookupId(request),
        address: request.clientAddress,
      },
      'authentication failed',
    );
  }

  return { ended };
}

/**
 * The fields of a request as JSON. Their values have no character that JSON escapes: ids of Tollgate, numbers, and words of this code
 * or of HTTP.
 */
function fieldsOf(
  { id, trace, method, problemCode, caller, session }: FastifyRequest,
  known: { listener: Listener; operation: string; status: number | null; durationMs: number },
): string {
  let json = `,"request_id":"${id}"`;
  if (trace) json += `,"trace_id":"${trace.traceId}"`;
  if (known.listener !== 'admin') json += `,"environment":"${known.listener}"`;
  json += `,"method":"${method}","operation":"${known.operation}","status":${known.status}`;
  if (problemCode !== null) json += `,"code":"${problemCode}"`;
  json += `,"duration_ms":${roundToTenths(known.durationMs)}`;
  if (caller)
    json += `,"application_id":"${caller.principal.application_id}","lookup_id":"${caller.lookupId}"`;
  if (session) {
    for (const [name, actorId] of Object.entries(actorFields(session))) json += `,"${name}":"${actorId}"`;
  }
  return json;
}

function roundToTenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

function actorFields(session: Session | null): { member_id?: string; token_id?: string } {
  if (!session) return {};
  const { caller } = session;
  return caller.type === 'member' ? { member_id: caller.memberId } : { token_id: caller.tokenId };
}

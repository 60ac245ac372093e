import type { UsageOutcome } from '@tollgate/contracts/usage';
import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Operation } from '../operations/operations.ts';
import type { UsageRecord } from './usage-record.ts';
import type { UsageRecorder } from './usage-recorder.ts';

const DAY_LENGTH = '2026-01-01'.length;

/** Records the outcome of requests. Requests without a valid key belong to no application and are not counted. */
export interface CountRequests {
  /** Counts every response of the routes in this scope, before it is sent. */
  countResponses(scope: FastifyInstance, operation: Operation): void;
  /** Counts a request whose client disconnected before the response. */
  countAborted(operation: Operation, request: FastifyRequest): void;
}

export function createCountRequests({
  recorder,
  clock,
}: {
  recorder: UsageRecorder;
  clock: Clock;
}): CountRequests {
  return {
    countResponses(scope, operation) {
      scope.addHook('onSend', (request, reply, payload, done) => {
        if (!request.caller) return done(null, payload);
        const outcome = outcomeOf(reply.statusCode, operation.method === 'POST', request.changedAt);
        recorder.record(recordOf(operation, request, outcome, clock.now()), () => done(null, payload));
      });
    },
    countAborted(operation, request) {
      if (request.caller) recorder.record(recordOf(operation, request, 'aborted', clock.now()));
    },
  };
}

function recordOf(
  { name, method }: Operation,
  request: FastifyRequest,
  outcome: UsageOutcome,
  nowMs: number,
): UsageRecord {
  const { team_id, application_id, key_id, environment } = (
    request.caller as NonNullable<typeof request.caller>
  ).principal;
  const reason = method === 'POST' ? reasonToAsk(outcome, request.changedAt, nowMs) : null;
  return {
    caller: { team_id, application_id, key_id, environment },
    operation: name,
    outcome,
    durationUs: Math.max(0, Math.round((performance.now() - request.receivedAtMs) * 1_000)),
    question: reason && { request_id: request.id, at: new Date(nowMs).toISOString(), reason },
  };
}

/** The one outcome class of a request with a response. `isChange`: its operation changes a payment if it succeeds. */
function outcomeOf(status: number, isChange: boolean, changedAt: Date | null): UsageOutcome {
  if (status >= 500) return 'server_error';
  if (status === 429) return 'rate_limited';
  if (status >= 400) return 'client_error';
  return isChange && changedAt === null ? 'replayed' : 'succeeded';
}

function reasonToAsk(outcome: UsageOutcome, changedAt: Date | null, nowMs: number) {
  if (outcome === 'server_error' || outcome === 'aborted') return outcome;
  return changedAt !== null && dayOf(changedAt) !== dayOf(new Date(nowMs)) ? ('other_day' as const) : null;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, DAY_LENGTH);
}

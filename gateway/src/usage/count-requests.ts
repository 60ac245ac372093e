import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { isId } from '@tollgate/contracts/platform/ids';
import type { UsageOutcome } from '@tollgate/contracts/usage/usage';
import { parseIdempotencyKey, unquoteIdempotencyKey } from '@tollgate/http/parse-idempotency-key';
import type { Clock } from '@tollgate/runtime/clock';
import { idempotencyDigest } from '@tollgate/security/idempotency-digest';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FindRejectedCaller } from '../authentication/rejected-caller.ts';
import { type Operation, PAYMENT_PATH } from '../operations/operations.ts';
import { createLineBudget } from '../request/line-budget.ts';
import type { UsageCaller, UsageRecord } from './usage-record.ts';
import type { UsageRecorder } from './usage-recorder.ts';

/**
 * Rejected requests in the log of all teams together. A client that knows the public part of a key can cause them, without
 * any other limit.
 */
const REJECTIONS_LOGGED_PER_SECOND = 20;

/** Records the outcome of requests. Requests without a valid key are logged if the key is known, and not counted. */
export interface CountRequests {
  /** Records the responses of the routes in this scope before they are sent, and logs those of rejected keys. */
  countResponses(scope: FastifyInstance, operation: Operation, findRejected: FindRejectedCaller): void;
  /** Records a request whose client disconnected before the response. */
  countAborted(operation: Operation, request: FastifyRequest): void;
}

interface CountedResponse {
  status: number;
  /** The path of a new payment. */
  location: string | null;
}

export function createCountRequests({
  recorder,
  clock,
}: {
  recorder: UsageRecorder;
  clock: Clock;
}): CountRequests {
  const rejections = createLineBudget({ linesPerSecond: REJECTIONS_LOGGED_PER_SECOND, clock });

  return {
    countResponses(scope, operation, findRejected) {
      scope.addHook('onSend', (request, reply, payload, done) => {
        const location = reply.getHeader('location');
        const response = {
          status: reply.statusCode,
          location: typeof location === 'string' ? location : null,
        };
        if (request.caller) {
          const outcome = outcomeOf(response.status, operation.method === 'POST', request.changedAt);
          const record = {
            ...logged(request, response),
            ...counted(operation, request, outcome, clock.now()),
          };
          recorder.record(record, () => done(null, payload));
          return;
        }
        const rejected = findRejected(request);
        if (rejected && rejections.take())
          recorder.record({ ...logged(request, response), ...rejection(operation, rejected) });
        done(null, payload);
      });
    },
    countAborted(operation, request) {
      if (!request.caller) return;
      recorder.record({ ...logged(request, null), ...counted(operation, request, 'aborted', clock.now()) });
    },
  };
}

type Logged = Omit<UsageRecord, 'caller' | 'operation' | 'outcome' | 'idempotencyKey' | 'question'>;

/** @param response null if the client disconnected before it */
function logged(request: FastifyRequest, response: CountedResponse | null): Logged {
  return {
    id: request.id,
    durationUs: Math.max(0, Math.round((performance.now() - request.receivedAtMs) * 1_000)),
    status: response?.status ?? null,
    code: response && request.problemCode,
    errors: (response && request.problemErrors) ?? [],
    address: request.clientAddress ?? 'unknown',
    paymentId: paymentIdOf(request, response),
  };
}

/** The payment id in the path, or that of a new payment. A path may contain anything, so only a valid id is logged. */
function paymentIdOf({ params }: FastifyRequest, response: CountedResponse | null): string | null {
  const { payment_id: sent } = params as { payment_id?: string };
  const id = sent ?? response?.location?.slice(PAYMENT_PATH.length) ?? '';
  return isId('payment', id) ? id : null;
}

function rejection({ name }: Operation, caller: UsageCaller): Omit<UsageRecord, keyof Logged> {
  return { caller, operation: name, outcome: null, idempotencyKey: null, question: null };
}

function counted(
  { name, method }: Operation,
  request: FastifyRequest,
  outcome: UsageOutcome,
  nowMs: number,
): Omit<UsageRecord, keyof Logged> {
  const { team_id, application_id, key_id, environment } = (
    request.caller as NonNullable<typeof request.caller>
  ).principal;
  const reason = method === 'POST' ? reasonToAsk(outcome, request.changedAt, nowMs) : null;
  return {
    caller: { team_id, application_id, key_id, environment },
    operation: name,
    outcome,
    idempotencyKey: method === 'POST' ? keyDigest(team_id, request, outcome) : null,
    question: reason && { at: new Date(nowMs).toISOString(), reason },
  };
}

/**
 * Null without a valid key: the log must contain no digest of a card number. A request that succeeded has a valid key, and
 * another check would cost more than the digest.
 */
function keyDigest(teamId: string, { headers }: FastifyRequest, outcome: UsageOutcome): string | null {
  const header = headers[HEADERS.idempotencyKey] as string | undefined;
  if (header === undefined) return null;
  if (outcome === 'succeeded') return idempotencyDigest(teamId, unquoteIdempotencyKey(header));
  try {
    return idempotencyDigest(teamId, parseIdempotencyKey(header) ?? '');
  } catch {
    return null;
  }
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
  return changedAt !== null && dayOf(changedAt.getTime()) !== dayOf(nowMs) ? ('other_day' as const) : null;
}

/** The number of the day in UTC, which has no leap seconds in Unix time. */
function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { PaymentSummary } from '@tollgate/contracts/payments/payment-history';
import type { summarizePayments as contract } from '@tollgate/contracts/payments/rpc';
import type { Clock } from '@tollgate/runtime/clock';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import type { Static } from 'typebox';
import type { CountedPayments, HistoryStore, SummaryScan } from './history-store.ts';
import { summaryOf, totalsOf } from './payment-summary.ts';
import { bucketsOf } from './summary-period.ts';

/**
 * Maximum number of payments that one summary counts. It keeps summaries fast for a team of any size
 * (bench/history-growth.ts).
 */
const MAX_PAYMENTS_COUNTED = 25_000;

export type SummaryRequest = Static<typeof contract.request>;

/** Sums over many payments. Equal requests at the same time share one computation. */
export function createPaymentSummaries(deps: {
  history: HistoryStore;
  clock: Clock;
  maxPaymentsCounted?: number;
}) {
  const inFlight = new Map<string, Promise<PaymentSummary>>();

  return {
    /**
     * Counts the payments created within a period (default 24h). When there are too many, it counts the newest, and
     * `counted_from` is the time from which on every payment is counted.
     */
    async summarize(actor: Actor, request: SummaryRequest): Promise<PaymentSummary> {
      requireRole(actor, 'viewer', 'read payments');
      const { environment, period, currency, application_id } = request;
      requireEnvironment(actor, environment);
      const key = JSON.stringify([actor.team_id, environment, period, currency, application_id]);
      const shared = inFlight.get(key);
      if (shared) return shared;
      const own = summarizePayments(deps, actor.team_id, request).finally(() => inFlight.delete(key));
      inFlight.set(key, own);
      return own;
    },
  };
}

async function summarizePayments(
  {
    history,
    clock,
    maxPaymentsCounted = MAX_PAYMENTS_COUNTED,
  }: { history: HistoryStore; clock: Clock; maxPaymentsCounted?: number },
  teamId: string,
  { environment, period = '24h', currency, application_id }: SummaryRequest,
): Promise<PaymentSummary> {
  const to = new Date(clock.now());
  const { unit, starts, lengthMs } = bucketsOf(period, to.getTime());
  const from = starts[0] as Date;
  const scan: SummaryScan = {
    teamId,
    environment,
    applicationId: application_id ?? null,
    from,
    to,
    bucket: unit,
    limit: maxPaymentsCounted,
  };
  const counted = await history.count(scan);
  return {
    environment,
    period,
    from: from.toISOString(),
    to: to.toISOString(),
    counted_from: countedFrom(counted, scan).toISOString(),
    ...summaryOf(counted, starts, currency ?? null),
    // Counts of which payments are missing cannot be compared.
    previous: isComplete(counted, scan) ? await countPrevious(history, scan, lengthMs) : null,
  };
}

async function countPrevious(
  history: HistoryStore,
  { from, to, ...scan }: SummaryScan,
  lengthMs: number,
): Promise<PaymentSummary['previous']> {
  const before = (time: Date) => new Date(time.getTime() - lengthMs);
  const counted = await history.count({ ...scan, from: before(from), to: before(to) });
  return isComplete(counted, scan) ? totalsOf(counted) : null;
}

function countedFrom(counted: CountedPayments[], scan: SummaryScan): Date {
  if (isComplete(counted, scan)) return scan.from;
  return new Date(Math.min(...counted.map(({ oldest }) => oldest.getTime())));
}

/** When the count reached its maximum, older payments may be missing. */
function isComplete(counted: CountedPayments[], { limit }: Pick<SummaryScan, 'limit'>): boolean {
  return counted.reduce((sum, group) => sum + group.payments, 0) < limit;
}

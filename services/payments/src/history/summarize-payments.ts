import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { PaymentSummary } from '@tollgate/contracts/payments/payment-history';
import type { summarizePayments as contract } from '@tollgate/contracts/payments/rpc';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import type { Static } from 'typebox';
import { type CountDeps, countPayments } from '../totals/count-payments.ts';
import type { CountedRow } from '../totals/counted-payments.ts';
import { summaryOf, totalsOf } from './payment-summary.ts';
import { bucketsOf } from './summary-period.ts';

export type SummaryRequest = Static<typeof contract.request>;

/** Sums over many payments. Equal requests at the same time share one computation. */
export function createPaymentSummaries(deps: CountDeps) {
  const inFlight = new Map<string, Promise<PaymentSummary>>();

  return {
    /** Counts the payments created within a period (default 24h). */
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
  deps: CountDeps,
  teamId: string,
  { environment, period = '24h', currency, application_id }: SummaryRequest,
): Promise<PaymentSummary> {
  const to = new Date(deps.clock.now());
  const { unit, starts, lengthMs } = bucketsOf(period, to.getTime());
  const from = starts[0] as Date;
  const count = async (earlierMs: number): Promise<CountedRow[]> => {
    const { rows } = await countPayments(deps, {
      teamId,
      environment,
      basis: 'created',
      unit,
      from: new Date(from.getTime() - earlierMs),
      // A payment of this millisecond counts.
      to: new Date(to.getTime() + 1 - earlierMs),
    });
    return rows.filter((row) => application_id === undefined || row.application_id === application_id);
  };
  const [counted, previous] = await Promise.all([count(0), count(lengthMs)]);
  return {
    environment,
    period,
    from: from.toISOString(),
    to: to.toISOString(),
    counted_from: from.toISOString(),
    ...summaryOf(counted, starts, currency ?? null),
    previous: totalsOf(previous),
  };
}

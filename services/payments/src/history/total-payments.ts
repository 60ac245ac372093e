import type { Actor } from '@tollgate/contracts/accounts/actor';
import { MAX_COUNTED_PAYMENTS } from '@tollgate/contracts/payments/counted-payments';
import { PAYMENT_STATUSES, type PaymentStatus } from '@tollgate/contracts/payments/payment';
import type { PaymentTotal } from '@tollgate/contracts/payments/payment-history';
import type { totalPayments as contract } from '@tollgate/contracts/payments/rpc';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import type { Static } from 'typebox';
import { HISTORY_INDEXES } from '../store/history-indexes.ts';
import type { CurrencyTotal, HistoryStore } from './history-store.ts';
import { type PaymentFilters, readFilters } from './payment-filters.ts';
import { readStretch } from './read-stretch.ts';

export type TotalsRequest = Static<typeof contract.request>;

/**
 * Counts and sums the payments that meet the filters, by status. Without conditions but the time, MongoDB counts each status by its
 * index. Otherwise, one page of the greatest length is read.
 *
 * @throws Problem `invalid-request` for a reversed range
 */
export async function totalPayments(
  {
    history,
    maxPaymentsCounted = MAX_COUNTED_PAYMENTS,
  }: { history: HistoryStore; maxPaymentsCounted?: number },
  actor: Actor,
  request: TotalsRequest,
): Promise<PaymentTotal[]> {
  requireRole(actor, 'viewer', 'read payments');
  requireEnvironment(actor, request.environment);
  const filters = await readFilters(history, actor.team_id, request);
  const scope = { teamId: actor.team_id, environment: request.environment, filters, maxPaymentsCounted };
  return hasNoConditions(filters) ? totalsByIndex(history, scope) : totalsOfPage(history, scope);
}

interface CountedScope {
  teamId: string;
  environment: TotalsRequest['environment'];
  filters: PaymentFilters;
  maxPaymentsCounted: number;
}

function hasNoConditions({ ordered, paymentIds }: PaymentFilters): boolean {
  return ordered.index === HISTORY_INDEXES.all && ordered.isCovering && paymentIds === null;
}

async function totalsByIndex(history: HistoryStore, scope: CountedScope): Promise<PaymentTotal[]> {
  const { filters, maxPaymentsCounted: limit, ...owner } = scope;
  const { from, to } = filters;
  const index = HISTORY_INDEXES.status;
  return Promise.all(
    PAYMENT_STATUSES.map(async (status) => {
      const totals = await history.total({ ...owner, index, values: [status], from, to, limit });
      return totalOf(status, totals, (payments) => payments < limit);
    }),
  );
}

async function totalsOfPage(history: HistoryStore, scope: CountedScope): Promise<PaymentTotal[]> {
  const { maxPaymentsCounted, ...owner } = scope;
  const { payments, reached } = await readStretch(history, {
    ...owner,
    cursor: null,
    direction: 'older',
    wanted: maxPaymentsCounted,
    maxKeys: maxPaymentsCounted,
  });
  return PAYMENT_STATUSES.map((status) => {
    const ofStatus = payments.filter((payment) => payment.status === status);
    const totals = [...Map.groupBy(ofStatus, ({ currency }) => currency)].map(([currency, group]) => ({
      currency,
      payments: group.length,
      amount: group.reduce((sum, { amount }) => sum + amount, 0),
    }));
    return totalOf(status, totals, () => reached === null);
  });
}

function totalOf(
  status: PaymentStatus,
  totals: CurrencyTotal[],
  isComplete: (payments: number) => boolean,
): PaymentTotal {
  const payments = totals.reduce((sum, total) => sum + total.payments, 0);
  const amounts = totals
    .map(({ currency, amount }) => ({ currency, amount }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return { status, payments, amounts, is_complete: isComplete(payments) };
}

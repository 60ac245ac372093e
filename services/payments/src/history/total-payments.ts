import type { Actor } from '@tollgate/contracts/accounts/actor';
import { MAX_COUNTED_PAYMENTS } from '@tollgate/contracts/payments/counted-payments';
import { PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import type { PaymentTotal } from '@tollgate/contracts/payments/payment-history';
import type { totalPayments as contract } from '@tollgate/contracts/payments/rpc';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import type { Static } from 'typebox';
import { type CountDeps, countPayments } from '../totals/count-payments.ts';
import type { TotalRow } from '../totals/roll-up.ts';
import type { HistoryStore } from './history-store.ts';
import { type PaymentFilters, readFilters } from './payment-filters.ts';
import { readStretch } from './read-stretch.ts';

export type TotalsRequest = Static<typeof contract.request>;
type TotalDeps = CountDeps & { history: HistoryStore; maxPaymentsCounted?: number };

/** What rows of roll-ups can be chosen by. With any other filter, the newest payments are read. */
const ROLLED_UP_FILTERS: readonly string[] = [
  'environment',
  'created_from',
  'created_to',
  'succeeded_from',
  'succeeded_to',
  'application_id',
  'currency',
  'failure_code',
] satisfies (keyof TotalsRequest)[];

/**
 * Counts and sums the payments that meet the filters, by status and currency: all of a period, an application, a currency, and a failure.
 * With other filters, those among the newest `MAX_COUNTED_PAYMENTS` of the payments that a page would examine.
 *
 * @throws Problem `invalid-request` for a reversed range
 */
export async function totalPayments(
  deps: TotalDeps,
  actor: Actor,
  request: TotalsRequest,
): Promise<PaymentTotal[]> {
  requireRole(actor, 'viewer', 'read payments');
  requireEnvironment(actor, request.environment);
  const teamId = actor.team_id;
  const filters = await readFilters(deps.history, teamId, request);
  const { rows, isComplete } = isRolledUp(request)
    ? await rolledUpRows(deps, { teamId, request, filters })
    : await newestRows(deps, { teamId, request, filters });
  return PAYMENT_STATUSES.map((status) => totalOf(status, rows, isComplete));
}

interface Counted {
  teamId: string;
  request: TotalsRequest;
  filters: PaymentFilters;
}

function isRolledUp(request: TotalsRequest): boolean {
  const given = Object.entries(request).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const hasBoth = [/^created_/, /^succeeded_/].every((basis) => given.some((name) => basis.test(name)));
  return !hasBoth && given.every((name) => ROLLED_UP_FILTERS.includes(name));
}

async function rolledUpRows(deps: TotalDeps, { teamId, request, filters }: Counted) {
  const { environment, application_id, currency, failure_code } = request;
  const { basis, from, to } = filters;
  const { rows, isComplete } = await countPayments(deps, {
    teamId,
    environment,
    basis,
    unit: 'day',
    from: from.at,
    to: to.at,
  });
  const isCounted = (row: TotalRow) =>
    (application_id === undefined || row.application_id === application_id) &&
    (currency === undefined || row.currency === currency.toUpperCase()) &&
    (failure_code === undefined || row.failure_code === failure_code);
  return { rows: rows.filter(isCounted), isComplete };
}

async function newestRows(
  { history, maxPaymentsCounted = MAX_COUNTED_PAYMENTS }: TotalDeps,
  { teamId, request, filters }: Counted,
) {
  const { payments, reached } = await readStretch(history, {
    teamId,
    environment: request.environment,
    filters,
    cursor: null,
    direction: 'older',
    wanted: maxPaymentsCounted,
    maxKeys: maxPaymentsCounted,
  });
  return { rows: payments.map((payment) => ({ ...payment, payments: 1 })), isComplete: reached === null };
}

function totalOf(
  status: PaymentTotal['status'],
  all: readonly Pick<TotalRow, 'status' | 'currency' | 'payments' | 'amount'>[],
  isComplete: boolean,
): PaymentTotal {
  const sums = new Map<string, PaymentTotal['amounts'][number]>();
  const rows = all.filter((row) => row.status === status);
  for (const { currency, payments, amount } of rows) {
    const sum = sums.get(currency) ?? { currency, payments: 0, amount: 0 };
    sums.set(currency, { currency, payments: (sum.payments ?? 0) + payments, amount: sum.amount + amount });
  }
  return {
    status,
    payments: rows.reduce((sum, { payments }) => sum + payments, 0),
    amounts: [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1)),
    is_complete: isComplete,
  };
}

import { createHash } from 'node:crypto';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/environment';
import { Problem } from '@tollgate/contracts/problem';
import type { listPayments } from '@tollgate/contracts/rpc/payments';
import type { Static } from 'typebox';
import type { ListedPayment } from '../lifecycle/payment-detail.ts';
import { HISTORY_INDEXES, type HistoryIndex } from '../store/history-indexes.ts';
import { FIRST_PLACE, LAST_PLACE, type Place, startOf } from './history-place.ts';

export type FilterRequest = Omit<Static<typeof listPayments.request>, 'limit' | 'cursor'>;

/** How to find the requested payments: by one index, and by a test of each payment that the index returns. */
export interface PaymentFilters {
  environments: readonly Environment[];
  index: HistoryIndex;
  value: string | null;
  /** Inclusive. */
  from: Place;
  /** Exclusive. */
  to: Place;
  /** The conditions that the index does not cover; null when it covers all. */
  holds: ((payment: ListedPayment) => boolean) | null;
  /** Equal for requests with the same filters. */
  digest: string;
}

/** A condition that one of the indexes covers. */
interface IndexedFilter {
  index: HistoryIndex;
  value: string;
  holds(payment: ListedPayment): boolean;
}

const DIGEST_LENGTH = 16;

/** @throws Problem `invalid-request` for a range whose end comes before its start */
export function readFilters(request: FilterRequest): PaymentFilters {
  const currency = request.currency?.toUpperCase();
  const from = request.created_from === undefined ? null : new Date(request.created_from);
  const to = request.created_to === undefined ? null : new Date(request.created_to);
  assertRange('amount', request.amount_min, request.amount_max);
  assertRange('created', from?.getTime(), to?.getTime());
  const [first, ...others] = indexedFilters(request, currency);
  const residual = [...others, ...residualFilters(request)];
  return {
    environments: request.environment ? [request.environment] : ENVIRONMENTS,
    index: first?.index ?? HISTORY_INDEXES.all,
    value: first?.value ?? null,
    from: from ? startOf(from) : FIRST_PLACE,
    to: to ? startOf(to) : LAST_PLACE,
    holds: residual.length === 0 ? null : (payment) => residual.every(({ holds }) => holds(payment)),
    digest: digestOf({ ...request, currency, created_from: from?.getTime(), created_to: to?.getTime() }),
  };
}

/** Most selective first: the query reads the first one's index. */
function indexedFilters(request: FilterRequest, currency: string | undefined): IndexedFilter[] {
  const { reference, payer, application_id, status } = request;
  const filters: IndexedFilter[] = [];
  const add = (index: HistoryIndex, value: string | undefined, read: (payment: ListedPayment) => unknown) => {
    if (value !== undefined) filters.push({ index, value, holds: (payment) => read(payment) === value });
  };
  add(HISTORY_INDEXES.reference, reference, (payment) => payment.reference);
  if (isEmail(payer)) add(HISTORY_INDEXES.payerEmail, payer, (payment) => payment.payer?.email);
  add(HISTORY_INDEXES.application, application_id, (payment) => payment.application_id);
  add(HISTORY_INDEXES.status, status, (payment) => payment.status);
  add(HISTORY_INDEXES.currency, currency, (payment) => payment.currency);
  return filters;
}

function residualFilters({ amount_min, amount_max, payer }: FilterRequest): Pick<IndexedFilter, 'holds'>[] {
  const filters: Pick<IndexedFilter, 'holds'>[] = [];
  if (amount_min !== undefined) filters.push({ holds: ({ amount }) => amount >= amount_min });
  if (amount_max !== undefined) filters.push({ holds: ({ amount }) => amount <= amount_max });
  if (payer !== undefined && !isEmail(payer)) {
    filters.push({ holds: (payment) => [payment.payer?.name, payment.payer?.account].includes(payer) });
  }
  return filters;
}

function isEmail(payer: string | undefined): boolean {
  return payer?.includes('@') === true;
}

function assertRange(field: 'amount' | 'created', start: number | undefined, end: number | undefined): void {
  if (start === undefined || end === undefined || start <= end) return;
  const [first, last] = field === 'amount' ? ['amount_min', 'amount_max'] : ['created_from', 'created_to'];
  throw new Problem('invalid-request', `${last} is less than ${first}.`, {
    errors: [{ pointer: `/${last}`, code: 'invalid', detail: `Must not be less than ${first}.` }],
  });
}

function digestOf(filters: Record<string, unknown>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const canonical = JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(canonical).digest('base64url').slice(0, DIGEST_LENGTH);
}

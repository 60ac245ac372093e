import { createHash } from 'node:crypto';
import type { listPayments } from '@tollgate/contracts/payments/rpc';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { readIds } from '@tollgate/contracts/platform/ids';
import { MAX_AMOUNT, MIN_AMOUNT } from '@tollgate/contracts/platform/money';
import type { Static } from 'typebox';
import type { ListedPayment } from '../lifecycle/payment-detail.ts';
import { searchKeyOf, searchTextOf } from '../lifecycle/search-keys.ts';
import {
  HISTORY_INDEXES,
  type HistoryIndex,
  type IndexValue,
  type ValueRange,
} from '../store/history-indexes.ts';
import type { Basis } from '../totals/roll-up.ts';
import { assertRange } from './assert-range.ts';
import { periodOf, timesOf } from './filter-period.ts';
import {
  comparePlaces,
  FIRST_PLACE,
  isWithin,
  LAST_PLACE,
  type Place,
  placeOf,
  startOf,
} from './history-place.ts';
import type { HistoryStore } from './history-store.ts';
import { mayNameMoney, type PaymentSearch, readSearch } from './payment-search.ts';

export type FilterRequest = Omit<Static<typeof listPayments.request>, 'limit' | 'cursor'>;

/** How to find the requested payments. */
export interface PaymentFilters {
  /** The time that places are of. */
  basis: Basis;
  environments: readonly Environment[];
  /** Inclusive. */
  from: Place;
  /** Exclusive. */
  to: Place;
  /** The only payments that can match; null if others can. */
  paymentIds: readonly string[] | null;
  /**
   * Ranges of indexes in other orders than that of the list. Each list of them has all payments to find, perhaps among others.
   */
  ranges: readonly (readonly ValueRange[])[];
  /** The index that has all payments to find in the order of the list, perhaps among others. */
  ordered: IndexedValues;
  /** Whether the payment meets all conditions but those on its time. */
  holds(payment: ListedPayment): boolean;
  /** Equal for requests with the same filters. */
  digest: string;
}

/** The payments with these values. */
export interface IndexedValues {
  index: HistoryIndex;
  /** At the paths of the index. */
  values: readonly IndexValue[];
  /** Whether all payments with these values meet all conditions. */
  isCovering: boolean;
}

interface Condition {
  /** The index by which the payments with one value are found; null if no index has it. */
  indexed: Omit<IndexedValues, 'isCovering'> | null;
  /** Whether all payments with this value in the index meet the condition. */
  isExact: boolean;
  holds(payment: ListedPayment): boolean;
}

const DIGEST_LENGTH = 16;
/** How far the time in a payment's id can be from its creation time: both are taken one after the other. */
const ID_TIME_MARGIN_MS = SECOND_MS;

/** @throws Problem `invalid-request` for a range whose end comes before its start */
export async function readFilters(
  history: HistoryStore,
  teamId: string,
  request: FilterRequest,
): Promise<PaymentFilters> {
  const currency = request.currency?.toUpperCase();
  const environments = request.environment ? [request.environment] : ENVIRONMENTS;
  const created = periodOf(request, 'created');
  const succeeded = periodOf(request, 'succeeded');
  const period = succeeded ?? created ?? { from: FIRST_PLACE, to: LAST_PLACE };
  assertRange('amount', request.amount_min, request.amount_max);
  const conditions = readConditions(request, currency);
  // The index of the list has one time.
  if (succeeded && created)
    conditions.push(without((payment) => isWithin(created, placeOf(payment, 'created'))));
  const search =
    request.search === undefined
      ? null
      : readSearch(
          request.search,
          await currenciesOf(history, { teamId, environments, search: request.search }),
          conditions.length === 0,
        );
  if (search !== null) conditions.push(without(search.holds));
  const byAmount = amountRange(request, currency, conditions.length);
  return {
    environments,
    ...(succeeded ? bySuccess(conditions) : byCreation(conditions)),
    ...(search?.times && !succeeded ? narrowToTimes(search.times, period) : period),
    paymentIds: paymentIdsOf(request, search),
    // Their payments are in the order of creation.
    ranges: succeeded ? [] : [...(search?.ranges ?? []), ...(byAmount === null ? [] : [[byAmount]])],
    digest: digestOf({ ...request, currency, ...timesOf(request) }),
  };
}

type Order = Pick<PaymentFilters, 'basis' | 'ordered' | 'holds'>;

function byCreation(conditions: readonly Condition[]): Order {
  const chosen = conditions.find(({ indexed }) => indexed !== null);
  return {
    basis: 'created',
    ordered: {
      ...(chosen?.indexed ?? { index: HISTORY_INDEXES.all, values: [] }),
      isCovering: conditions.every((condition) => condition === chosen && condition.isExact),
    },
    holds: (payment) => conditions.every(({ holds }) => holds(payment)),
  };
}

function bySuccess(conditions: readonly Condition[]): Order {
  return {
    basis: 'succeeded',
    ordered: { index: HISTORY_INDEXES.succeeded, values: [], isCovering: conditions.length === 0 },
    holds: (payment) => payment.succeeded_at !== undefined && conditions.every(({ holds }) => holds(payment)),
  };
}

/** The currencies of the team's payments, for a search that may name an amount. */
async function currenciesOf(
  history: HistoryStore,
  scope: { teamId: string; environments: readonly Environment[]; search: string },
): Promise<string[]> {
  const { teamId, environments, search } = scope;
  if (!mayNameMoney(search)) return [];
  const found = await Promise.all(
    environments.map((environment) => history.currencies({ teamId, environment })),
  );
  return [...new Set(found.flat())];
}

/** Most selective first: a query reads the index of the first one that has one. */
function readConditions(request: FilterRequest, currency: string | undefined): Condition[] {
  const { reference, payer, application_id, failure_code, status, amount_min, amount_max } = request;
  const { application, status: byStatus, currency: byCurrency } = HISTORY_INDEXES;
  const conditions: Condition[] = [];
  const add = (condition: Condition) => conditions.push(condition);
  if (reference !== undefined) add(withText(reference, (payment) => [payment.reference]));
  if (payer !== undefined) add(withText(payer, (payment) => payerTexts(payment, payer)));
  if (application_id !== undefined) add(withValue(application, application_id, 'application_id'));
  if (failure_code !== undefined) add(withFailure(failure_code));
  if (status !== undefined) add(withValue(byStatus, status, 'status'));
  if (currency !== undefined) add(withValue(byCurrency, currency, 'currency'));
  if (amount_min !== undefined) add(without(({ amount }) => amount >= amount_min));
  if (amount_max !== undefined) add(without(({ amount }) => amount <= amount_max));
  return conditions;
}

function withValue(
  index: HistoryIndex,
  value: string,
  field: 'application_id' | 'status' | 'currency',
): Condition {
  return { indexed: { index, values: [value] }, isExact: true, holds: (payment) => payment[field] === value };
}

/** Only failed payments have a failure, and few payments fail: the failures need no index of their own. */
function withFailure(code: string): Condition {
  return {
    indexed: { index: HISTORY_INDEXES.status, values: ['failed'] },
    isExact: false,
    holds: ({ failure }) => failure?.code === code,
  };
}

/** The whole text. The index of the search has it in another form, which other texts share. */
function withText(text: string, read: (payment: ListedPayment) => unknown[]): Condition {
  const key = searchKeyOf(searchTextOf(text));
  return {
    // The index has no key for a blank text.
    indexed: key === '' ? null : { index: HISTORY_INDEXES.search, values: [key] },
    isExact: false,
    holds: (payment) => read(payment).includes(text),
  };
}

function without(holds: Condition['holds']): Condition {
  return { indexed: null, isExact: false, holds };
}

function payerTexts({ payer }: ListedPayment, sought: string): unknown[] {
  return sought.includes('@') ? [payer?.email] : [payer?.name, payer?.account];
}

/** The payments that the request names by their ids, in the search or in a list. */
function paymentIdsOf({ ids }: FilterRequest, search: PaymentSearch | null): string[] | null {
  if (ids !== undefined) return readIds(ids);
  return search === null || search.paymentId === null ? null : [search.paymentId];
}

/** An id contains its creation time, so a search by the beginning of an id needs no index of its own. */
function narrowToTimes(times: { first: Date; last: Date }, { from, to }: { from: Place; to: Place }) {
  const first = startOf(new Date(times.first.getTime() - ID_TIME_MARGIN_MS));
  const last = startOf(new Date(times.last.getTime() + ID_TIME_MARGIN_MS));
  return {
    from: comparePlaces(first, from) > 0 ? first : from,
    to: comparePlaces(last, to) < 0 ? last : to,
  };
}

/** Null without a currency: amounts of different currencies cannot be compared. */
function amountRange(
  { amount_min, amount_max }: FilterRequest,
  currency: string | undefined,
  conditions: number,
): ValueRange | null {
  const bounds = [amount_min, amount_max].filter((bound) => bound !== undefined);
  if (currency === undefined || bounds.length === 0) return null;
  const from = amount_min ?? MIN_AMOUNT;
  return {
    index: HISTORY_INDEXES.amount,
    stem: [currency],
    from,
    second: from + 1,
    to: (amount_max ?? MAX_AMOUNT) + 1,
    isCovering: conditions === bounds.length + 1,
  };
}

function digestOf(filters: Record<string, unknown>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const canonical = JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(canonical).digest('base64url').slice(0, DIGEST_LENGTH);
}

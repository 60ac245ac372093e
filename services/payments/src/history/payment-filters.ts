import { createHash } from 'node:crypto';
import type { listPayments } from '@tollgate/contracts/payments/rpc';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { timesOfIds } from '@tollgate/contracts/platform/id-time';
import { isId, readIds } from '@tollgate/contracts/platform/ids';
import { MAX_AMOUNT, MIN_AMOUNT } from '@tollgate/contracts/platform/money';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import type { ListedPayment } from '../lifecycle/payment-detail.ts';
import { behindSearchKey, isFoundBy, searchKeyOf, searchTextOf } from '../lifecycle/search-keys.ts';
import { HISTORY_INDEXES, type HistoryIndex, type IndexValue } from '../store/history-indexes.ts';
import type { Basis } from '../totals/roll-up.ts';
import {
  comparePlaces,
  FIRST_PLACE,
  isWithin,
  LAST_PLACE,
  type Place,
  placeOf,
  startOf,
} from './history-place.ts';

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
  /** Indexes that have payments to find, but not in the order of the list. Most selective first. */
  ranges: readonly ValueRange[];
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

/** The payments with a value in a range at the last path of the index. */
export interface ValueRange {
  index: HistoryIndex;
  /** At the paths before it. */
  stem: readonly IndexValue[];
  /** Inclusive. */
  from: IndexValue;
  /** The least value above `from`. */
  second: IndexValue;
  /** Exclusive. */
  to: IndexValue;
  /** Whether all payments with the value `from` meet all conditions. */
  isCovering: boolean;
}

/** A search by the beginning of an id or of another text. */
interface Search {
  text: string;
  /** The creation times of ids that begin with the text. Null if no id does. */
  idTimes: { first: Date; last: Date } | null;
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
export function readFilters(request: FilterRequest): PaymentFilters {
  const currency = request.currency?.toUpperCase();
  const search = request.search === undefined ? null : readSearch(request.search);
  const created = periodOf(request, 'created');
  const succeeded = periodOf(request, 'succeeded');
  const basis = succeeded ? 'succeeded' : 'created';
  const period = succeeded ?? created ?? { from: FIRST_PLACE, to: LAST_PLACE };
  assertRange('amount', request.amount_min, request.amount_max);
  const paymentIds = paymentIdsOf(request, search);
  const conditions = [
    ...readConditions(request, currency, search),
    // The index of the list has one time.
    ...(succeeded && created ? [without((payment) => isWithin(created, placeOf(payment, 'created')))] : []),
  ];
  return {
    basis,
    environments: request.environment ? [request.environment] : ENVIRONMENTS,
    ...(search?.idTimes && paymentIds === null && !succeeded ? narrowToIds(search.idTimes, period) : period),
    paymentIds,
    ranges: succeeded
      ? []
      : [searchRange(search, conditions.length), amountRange(request, currency, conditions.length)].filter(
          (range) => range !== null,
        ),
    ordered: orderedBy(conditions, basis),
    holds: (payment) =>
      (!succeeded || payment.status === 'succeeded') && conditions.every(({ holds }) => holds(payment)),
    digest: digestOf({ ...request, currency, ...timesOf(request) }),
  };
}

/** One text for each moment. */
function timesOf(request: FilterRequest): Record<string, number> {
  const names = ['created_from', 'created_to', 'succeeded_from', 'succeeded_to'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const time = request[name];
      return time === undefined ? [] : [[name, Date.parse(time)]];
    }),
  );
}

/** Null without a bound. @throws Problem `invalid-request` for a range whose end comes before its start */
function periodOf(request: FilterRequest, basis: Basis): { from: Place; to: Place } | null {
  const [from, to] = [request[`${basis}_from`], request[`${basis}_to`]].map((time) =>
    time === undefined ? undefined : new Date(time),
  );
  if (!from && !to) return null;
  assertRange(basis, from?.getTime(), to?.getTime());
  return { from: from ? startOf(from) : FIRST_PLACE, to: to ? startOf(to) : LAST_PLACE };
}

function orderedBy(conditions: Condition[], basis: Basis): IndexedValues {
  const chosen = basis === 'created' ? conditions.find(({ indexed }) => indexed !== null) : undefined;
  return {
    ...(chosen?.indexed ?? {
      index: basis === 'created' ? HISTORY_INDEXES.all : HISTORY_INDEXES.succeeded,
      values: [],
    }),
    isCovering: conditions.every((condition) => condition === chosen && condition.isExact),
  };
}

function readSearch(search: string): Search {
  const text = searchTextOf(search);
  return { text, idTimes: timesOfIds('payment', text) };
}

/** Most selective first: a query reads the index of the first one that has one. */
function readConditions(
  request: FilterRequest,
  currency: string | undefined,
  search: Search | null,
): Condition[] {
  const { reference, payer, application_id, status, amount_min, amount_max } = request;
  const { application, status: byStatus, currency: byCurrency } = HISTORY_INDEXES;
  const conditions: Condition[] = [];
  const add = (condition: Condition) => conditions.push(condition);
  if (reference !== undefined) add(withText(reference, (payment) => [payment.reference]));
  if (payer !== undefined) add(withText(payer, (payment) => payerTexts(payment, payer)));
  if (application_id !== undefined) add(withValue(application, application_id, 'application_id'));
  if (status !== undefined) add(withValue(byStatus, status, 'status'));
  if (currency !== undefined) add(withValue(byCurrency, currency, 'currency'));
  if (search !== null) add(without((payment) => matches(payment, search)));
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

function matches(payment: ListedPayment, { text, idTimes }: Search): boolean {
  return idTimes === null ? isFoundBy(payment, text) : payment._id.startsWith(text);
}

function payerTexts({ payer }: ListedPayment, sought: string): unknown[] {
  return sought.includes('@') ? [payer?.email] : [payer?.name, payer?.account];
}

/** The payments that the request names by their ids, in the search or in a list. */
function paymentIdsOf({ ids }: FilterRequest, search: Search | null): string[] | null {
  if (ids !== undefined) return readIds(ids);
  return search !== null && isId('payment', search.text) ? [search.text] : null;
}

/** A payment id contains its creation time, so a search by the beginning of an id needs no index of its own. */
function narrowToIds(times: { first: Date; last: Date }, { from, to }: { from: Place; to: Place }) {
  const first = startOf(new Date(times.first.getTime() - ID_TIME_MARGIN_MS));
  const last = startOf(new Date(times.last.getTime() + ID_TIME_MARGIN_MS));
  return {
    from: comparePlaces(first, from) > 0 ? first : from,
    to: comparePlaces(last, to) < 0 ? last : to,
  };
}

/** @param conditions the number of all conditions */
function searchRange(search: Search | null, conditions: number): ValueRange | null {
  if (search === null || search.text === '' || search.idTimes !== null) return null;
  const from = searchKeyOf(search.text);
  return {
    index: HISTORY_INDEXES.search,
    stem: [],
    from,
    second: `${from}\0`,
    to: behindSearchKey(from),
    isCovering: conditions === 1 && from === search.text,
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

function assertRange(field: 'amount' | Basis, start: number | undefined, end: number | undefined): void {
  if (start === undefined || end === undefined || start <= end) return;
  const [first, last] = field === 'amount' ? ['amount_min', 'amount_max'] : [`${field}_from`, `${field}_to`];
  throw new Problem('invalid-request', `${last} is less than ${first}.`, {
    errors: [{ pointer: `/${last}`, code: 'invalid', detail: `Must not be less than ${first}.` }],
  });
}

function digestOf(filters: Record<string, unknown>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const canonical = JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(canonical).digest('base64url').slice(0, DIGEST_LENGTH);
}

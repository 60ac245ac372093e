import type { Environment } from '@tollgate/contracts/platform/environment';
import type { ListedPayment } from '../lifecycle/payment-detail.ts';
import type { ValueRange } from '../store/history-indexes.ts';
import { compareInDirection, comparePlaces, isWithin, type Place, placeOf } from './history-place.ts';
import type { HistoryStore, PlacedPayment } from './history-store.ts';
import { cutOf, type PageCursor } from './page-cursor.ts';
import type { IndexedValues, PaymentFilters } from './payment-filters.ts';

const READ_AT_ONCE = 100;
/** Keys examined of a range to compare it with others. */
const KEYS_PROBED = 50;
/** Lists of ranges that are read. The others likely have more payments. */
const LISTS_READ = 2;

/** The part of a history that was read, in the direction of travel. */
export interface Stretch {
  payments: ListedPayment[];
  /** The last payment examined, matching or not; null when there are no more. */
  reached: Place | null;
}

interface StretchRequest {
  teamId: string;
  environment: Environment;
  filters: PaymentFilters;
  cursor: PageCursor | null;
  direction: PageCursor['direction'];
  /** Maximum number of payments to return. */
  wanted: number;
  /** Maximum number of payments to examine. */
  maxKeys: number;
}

/**
 * Reads a team's payments in one environment that meet the filters, from the cursor on. A range of values is read as a
 * whole and sorted if it has few payments. Otherwise, the payments are examined in the order of the list.
 */
export async function readStretch(history: HistoryStore, request: StretchRequest): Promise<Stretch> {
  const { filters, cursor } = request;
  const { from, to } = boundsOf(filters, cursor);
  // MongoDB rejects an empty range.
  if (comparePlaces(from, to) >= 0) return { payments: [], reached: null };
  if (filters.paymentIds !== null) return readNamed(history, request, filters.paymentIds);
  for (const ranges of (await fewestFirst(history, request)).slice(0, LISTS_READ)) {
    const stretch = await readRanges(history, request, ranges);
    if (stretch !== null) return stretch;
  }
  return readInOrder(history, request, filters.ordered);
}

/** The lists of ranges without empty ranges, the one with the fewest payments first. */
async function fewestFirst(
  history: HistoryStore,
  { teamId, environment, filters }: StretchRequest,
): Promise<ValueRange[][]> {
  const ranges = [...new Set(filters.ranges.flat())];
  if (ranges.length <= 1) return filters.ranges.map((list) => [...list]);
  const probed = await Promise.all(
    ranges.map(async (range) => {
      const found = history.scanRange({ teamId, environment, ...range, limit: KEYS_PROBED });
      return [range, (await found.toArray()).length] as const;
    }),
  );
  const keys = new Map(probed);
  const sizeOf = (list: readonly ValueRange[]) =>
    list.reduce((sum, range) => sum + (keys.get(range) ?? 0), 0);
  return filters.ranges
    .toSorted((a, b) => Math.min(sizeOf(a), KEYS_PROBED) - Math.min(sizeOf(b), KEYS_PROBED))
    .map((list) => list.filter((range) => keys.get(range) !== 0));
}

async function readNamed(
  history: HistoryStore,
  { teamId, environment, filters, cursor, direction }: StretchRequest,
  paymentIds: readonly string[],
): Promise<Stretch> {
  const bounds = boundsOf(filters, cursor);
  const found = await history.findAll({ teamId, environment }, paymentIds);
  const payments = found
    .filter((payment) => isWithin(bounds, placeOf(payment, filters.basis)) && filters.holds(payment))
    .sort((a, b) => compareInDirection(direction, placeOf(a, filters.basis), placeOf(b, filters.basis)));
  return { payments, reached: null };
}

/** Null when too many payments are in the ranges. */
async function readRanges(
  history: HistoryStore,
  request: StretchRequest,
  ranges: readonly ValueRange[],
): Promise<Stretch | null> {
  const { teamId, environment, filters, cursor, direction, maxKeys } = request;
  const [range] = ranges;
  if (range === undefined) return { payments: [], reached: null };
  if (ranges.length === 1 && (await hasOneValue(history, request, range))) {
    const { index, stem, from, isCovering } = range;
    return readInOrder(history, request, { index, values: [...stem, from], isCovering });
  }
  const found: PlacedPayment[] = [];
  for (const other of ranges) {
    const limit = maxKeys + 1 - found.length;
    const scan = history.scanRange({ teamId, environment, ...other, limit });
    for await (const payment of scan) found.push(payment);
    if (found.length > maxKeys) return null;
  }
  const bounds = boundsOf(filters, cursor);
  const places = [...new Map(found.map((payment) => [payment._id, placeOf(payment, filters.basis)])).values()]
    .filter((place) => isWithin(bounds, place))
    .sort((a, b) => compareInDirection(direction, a, b));
  return readPlaces(history, request, places);
}

async function hasOneValue(
  history: HistoryStore,
  { teamId, environment }: StretchRequest,
  { second, ...range }: ValueRange,
): Promise<boolean> {
  if (second >= range.to) return true;
  const others = history.scanRange({ teamId, environment, ...range, from: second, limit: 1 });
  return (await others.toArray()).length === 0;
}

/** Reads the payments at these places, in their order, until the page has enough. */
async function readPlaces(
  history: HistoryStore,
  { teamId, environment, filters, wanted }: StretchRequest,
  places: readonly Place[],
): Promise<Stretch> {
  const payments: ListedPayment[] = [];
  for (let start = 0; start < places.length; start += READ_AT_ONCE) {
    const ids = places.slice(start, start + READ_AT_ONCE).map(({ id }) => id);
    const read = new Map(
      (await history.findAll({ teamId, environment }, ids)).map((payment) => [payment._id, payment]),
    );
    for (const id of ids) {
      const payment = read.get(id);
      if (!payment || !filters.holds(payment)) continue;
      payments.push(payment);
      if (payments.length === wanted) return { payments, reached: placeOf(payment, filters.basis) };
    }
  }
  return { payments, reached: null };
}

async function readInOrder(
  history: HistoryStore,
  { teamId, environment, filters, cursor, direction, wanted, maxKeys }: StretchRequest,
  { index, values, isCovering }: IndexedValues,
): Promise<Stretch> {
  const limit = isCovering ? wanted : maxKeys;
  const scan = history.scan({
    ...{ teamId, environment, index, values, limit },
    ...boundsOf(filters, cursor),
    newestFirst: direction === 'older',
  });
  const payments: ListedPayment[] = [];
  let examined = 0;
  let reached: Place | null = null;
  for await (const payment of scan) {
    examined += 1;
    reached = placeOf(payment, filters.basis);
    if (!filters.holds(payment)) continue;
    payments.push(payment);
    if (payments.length === wanted) return { payments, reached };
  }
  return { payments, reached: examined === limit ? reached : null };
}

function boundsOf({ from, to }: PaymentFilters, cursor: PageCursor | null): { from: Place; to: Place } {
  if (!cursor) return { from, to };
  const cut = cutOf(cursor);
  return cursor.direction === 'older'
    ? { from, to: comparePlaces(cut, to) < 0 ? cut : to }
    : { from: comparePlaces(cut, from) > 0 ? cut : from, to };
}

import type { Actor } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import type { PaymentRow } from '@tollgate/contracts/payment-history';
import type { listPayments as contract } from '@tollgate/contracts/rpc/payments';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import { createPageBudget } from '@tollgate/store/page-budget';
import type { Static } from 'typebox';
import { type ListedPayment, paymentRow } from '../lifecycle/payment-detail.ts';
import { comparePlaces, type Place, placeOf } from './history-place.ts';
import type { HistoryStore } from './history-store.ts';
import { cutOf, decodePageCursor, encodePageCursor, type PageCursor } from './page-cursor.ts';
import { type PaymentFilters, readFilters } from './payment-filters.ts';

const DEFAULT_PAGE_SIZE = 25;
/** Maximum number of index keys, and so of payments, that one page examines, whatever its filters. */
export const MAX_KEYS_EXAMINED = 1_000;

export type ListRequest = Static<typeof contract.request>;
export type PaymentsPage = Static<typeof contract.reply>;

/** The part of a history that was read, in the direction of travel. */
interface Stretch {
  payments: ListedPayment[];
  /** The last payment examined, matching or not; null when there are no more. */
  reached: Place | null;
}

/**
 * Returns a page of the team's payments, newest first. A page ends early when more rows would not fit into one reply,
 * or when it has examined `MAX_KEYS_EXAMINED` payments. It may then be short or empty, and its cursor continues from
 * there.
 *
 * @throws Problem `invalid-request` for an unknown cursor, a cursor of other filters, and a reversed range
 */
export async function listPayments(
  { history }: { history: HistoryStore },
  actor: Actor,
  { limit = DEFAULT_PAGE_SIZE, cursor: cursorText, ...request }: ListRequest,
): Promise<PaymentsPage> {
  requireRole(actor, 'viewer', 'read payments');
  const environment = narrowEnvironment(actor, request.environment);
  const filters = readFilters({ ...request, ...(environment && { environment }) });
  const cursor = cursorText === undefined ? null : decodePageCursor(cursorText, filters.digest);
  const direction = cursor?.direction ?? 'older';
  const stretches = await Promise.all(
    filters.environments.map((environment) =>
      readStretch(history, {
        teamId: actor.team_id,
        environment,
        filters,
        cursor,
        // One more than the page holds shows whether there is a next page.
        wanted: limit + 1,
        maxKeys: MAX_KEYS_EXAMINED / filters.environments.length,
      }),
    ),
  );
  const { rows, reached } = fill(merge(stretches, direction), limit);
  const ends = cursorsOf({ direction, cursor, reached });
  return {
    data: direction === 'older' ? rows : rows.reverse(),
    next_cursor: ends.next && encodePageCursor(ends.next, filters.digest),
    previous_cursor: ends.previous && encodePageCursor(ends.previous, filters.digest),
  };
}

async function readStretch(
  history: HistoryStore,
  read: {
    teamId: string;
    environment: Environment;
    filters: PaymentFilters;
    cursor: PageCursor | null;
    wanted: number;
    maxKeys: number;
  },
): Promise<Stretch> {
  const { teamId, environment, filters, cursor, wanted, maxKeys } = read;
  const { from, to } = boundsOf(filters, cursor);
  const payments: ListedPayment[] = [];
  // MongoDB rejects an empty range.
  if (comparePlaces(from, to) >= 0) return { payments, reached: null };
  const limit = filters.holds ? maxKeys : wanted;
  const newestFirst = cursor?.direction !== 'newer';
  let examined = 0;
  let reached: Place | null = null;
  const { index, value } = filters;
  for await (const payment of history.scan({
    teamId,
    environment,
    index,
    value,
    from,
    to,
    newestFirst,
    limit,
  })) {
    examined += 1;
    reached = placeOf(payment);
    if (filters.holds?.(payment) === false) continue;
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

/**
 * Merges only as far as every stretch was read: beyond that, a payment not yet read could sort before one already read.
 */
function merge(stretches: Stretch[], direction: PageCursor['direction']): Stretch {
  const inOrder = (a: Place, b: Place) => (direction === 'older' ? comparePlaces(b, a) : comparePlaces(a, b));
  const [reached = null] = stretches
    .map((stretch) => stretch.reached)
    .filter((place) => place !== null)
    .sort(inOrder);
  const payments = stretches
    .flatMap((stretch) => stretch.payments)
    .filter((payment) => reached === null || inOrder(placeOf(payment), reached) <= 0)
    .sort((a, b) => inOrder(placeOf(a), placeOf(b)));
  return { payments, reached };
}

/** The rows of one page, and where the page ends. */
function fill({ payments, reached }: Stretch, limit: number): { rows: PaymentRow[]; reached: Place | null } {
  const rows: PaymentRow[] = [];
  const budget = createPageBudget();
  let last: Place | null = null;
  for (const payment of payments) {
    const row = paymentRow(payment);
    if (rows.length === limit || !budget.takes(row)) return { rows, reached: last };
    rows.push(row);
    last = placeOf(payment);
  }
  return { rows, reached };
}

function cursorsOf(page: {
  direction: PageCursor['direction'];
  cursor: PageCursor | null;
  reached: Place | null;
}): { next: PageCursor | null; previous: PageCursor | null } {
  const { direction, cursor, reached } = page;
  // After the last payment examined, in the direction of travel.
  const onward: PageCursor | null = reached && { direction, beside: reached, side: direction };
  const back: PageCursor | null = cursor && {
    ...cursor,
    direction: direction === 'older' ? 'newer' : 'older',
  };
  return direction === 'older' ? { next: onward, previous: back } : { next: back, previous: onward };
}

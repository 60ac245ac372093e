import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import type { listPayments as contract } from '@tollgate/contracts/payments/rpc';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import { createPageBudget } from '@tollgate/store/page-budget';
import type { Static } from 'typebox';
import { paymentRow } from '../lifecycle/payment-detail.ts';
import type { Basis } from '../totals/roll-up.ts';
import { compareInDirection, type Place, placeOf } from './history-place.ts';
import type { HistoryStore } from './history-store.ts';
import { decodePageCursor, encodePageCursor, type PageCursor } from './page-cursor.ts';
import { readFilters } from './payment-filters.ts';
import { readStretch, type Stretch } from './read-stretch.ts';

const DEFAULT_PAGE_SIZE = 25;
/** Maximum number of payments that one page examines, whatever its filters. */
export const MAX_KEYS_EXAMINED = 1_000;

export type ListRequest = Static<typeof contract.request>;
export type PaymentsPage = Static<typeof contract.reply>;

/**
 * Returns a page of the team's payments, newest first, or oldest first with the order `asc`. Payments that succeeded in a period are in the order in which they did. A page ends early when more rows would not fit into one reply,
 * or when it has examined `MAX_KEYS_EXAMINED` payments. It may then be short or empty, and its cursor continues from
 * there.
 *
 * @throws Problem `invalid-request` for an unknown cursor, a cursor of other filters, and a reversed range
 */
export async function listPayments(
  { history, maxKeysExamined = MAX_KEYS_EXAMINED }: { history: HistoryStore; maxKeysExamined?: number },
  actor: Actor,
  { limit = DEFAULT_PAGE_SIZE, cursor: cursorText, ...request }: ListRequest,
): Promise<PaymentsPage> {
  requireRole(actor, 'viewer', 'read payments');
  const environment = narrowEnvironment(actor, request.environment);
  const filters = await readFilters(history, actor.team_id, {
    ...request,
    ...(environment && { environment }),
  });
  const cursor = cursorText === undefined ? null : decodePageCursor(cursorText, filters.digest);
  const onward = request.order === 'asc' ? 'newer' : 'older';
  const direction = cursor?.direction ?? onward;
  const stretches = await Promise.all(
    filters.environments.map((environment) =>
      readStretch(history, {
        teamId: actor.team_id,
        environment,
        filters,
        cursor,
        direction,
        // One more than the page holds shows whether there is a next page.
        wanted: limit + 1,
        maxKeys: maxKeysExamined / filters.environments.length,
      }),
    ),
  );
  const { rows, reached } = fill(merge(stretches, direction, filters.basis), limit, filters.basis);
  const ends = cursorsOf({ direction, isOnward: direction === onward, cursor, reached });
  return {
    data: direction === onward ? rows : rows.reverse(),
    next_cursor: ends.next && encodePageCursor(ends.next, filters.digest),
    previous_cursor: ends.previous && encodePageCursor(ends.previous, filters.digest),
  };
}

/**
 * Merges only as far as every stretch was read: beyond that, a payment not yet read could sort before one already read.
 */
function merge(stretches: Stretch[], direction: PageCursor['direction'], basis: Basis): Stretch {
  const inOrder = (a: Place, b: Place) => compareInDirection(direction, a, b);
  const [reached = null] = stretches
    .map((stretch) => stretch.reached)
    .filter((place) => place !== null)
    .sort(inOrder);
  const payments = stretches
    .flatMap((stretch) => stretch.payments)
    .filter((payment) => reached === null || inOrder(placeOf(payment, basis), reached) <= 0)
    .sort((a, b) => inOrder(placeOf(a, basis), placeOf(b, basis)));
  return { payments, reached };
}

/** The rows of one page, and where the page ends. */
function fill(
  { payments, reached }: Stretch,
  limit: number,
  basis: Basis,
): { rows: PaymentRow[]; reached: Place | null } {
  const rows: PaymentRow[] = [];
  const budget = createPageBudget();
  let last: Place | null = null;
  for (const payment of payments) {
    const row = paymentRow(payment);
    if (rows.length === limit || !budget.takes(row)) return { rows, reached: last };
    rows.push(row);
    last = placeOf(payment, basis);
  }
  return { rows, reached };
}

function cursorsOf(page: {
  direction: PageCursor['direction'];
  /** Whether the page was read toward the end of the list. */
  isOnward: boolean;
  cursor: PageCursor | null;
  reached: Place | null;
}): { next: PageCursor | null; previous: PageCursor | null } {
  const { direction, isOnward, cursor, reached } = page;
  // After the last payment examined, in the direction of travel.
  const further: PageCursor | null = reached && { direction, beside: reached, side: direction };
  const back: PageCursor | null = cursor && {
    ...cursor,
    direction: direction === 'older' ? 'newer' : 'older',
  };
  return isOnward ? { next: further, previous: back } : { next: back, previous: further };
}

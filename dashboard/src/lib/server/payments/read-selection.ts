import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { MAX_LISTED_IDS, type PaymentRow } from '@tollgate/contracts/payments/payment-history';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { isId } from '@tollgate/contracts/platform/ids';
import { MAX_PAGE_SIZE } from '@tollgate/contracts/platform/page';
import { readFilters } from '#lib/server/list/read-filters.ts';
import { PAYMENT_FILTERS } from './payment-filters.ts';

/**
 * The payments that the address names with `payment`, or else those that meet its filters, newest first, from its cursor on.
 * `nextCursor` is where the next ones begin; null if there are no more.
 */
export async function readSelection(
  admin: AdminClient,
  environment: Environment,
  query: URLSearchParams,
  timeZone: string,
): Promise<{ payments: PaymentRow[]; nextCursor: string | null }> {
  const named = query.getAll('payment');
  if (named.length > 0) return { payments: await readPayments(admin, environment, named), nextCursor: null };
  const { request, isValid } = readFilters(PAYMENT_FILTERS, query, timeZone);
  // Without an invalid filter, more payments would match than the member meant.
  if (!isValid) return { payments: [], nextCursor: null };
  const page = await admin.call(ADMIN_ROUTES.listPayments, {
    environment,
    ...request,
    limit: MAX_PAGE_SIZE,
    cursor: query.get('cursor') ?? undefined,
  });
  return { payments: page.data, nextCursor: page.next_cursor };
}

/** Those that exist in this environment, and no more than are changed at once. */
export async function readPayments(
  admin: AdminClient,
  environment: Environment,
  ids: readonly string[],
): Promise<PaymentRow[]> {
  const named = idsFilter(ids);
  if (named === null) return [];
  const request = { environment, ids: named, limit: MAX_PAGE_SIZE };
  return (await admin.call(ADMIN_ROUTES.listPayments, request)).data;
}

/** The filter that finds these payments alone; null if there are none. */
export function idsFilter(ids: readonly string[]): string | null {
  const known = [...new Set(ids)].filter((id) => isId('payment', id)).slice(0, MAX_LISTED_IDS);
  return known.length === 0 ? null : known.join(',');
}

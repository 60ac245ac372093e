import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/environment';
import { isId } from '@tollgate/contracts/ids';
import type { PaymentRow } from '@tollgate/contracts/payment-history';
import { MAX_BULK_PAYMENTS } from '#lib/payments/bulk-view.ts';
import type { AdminClient } from '../admin-client.ts';
import { mapInTurn } from '../map-in-turn.ts';
import { orNullIfNotFound } from '../or-null-if-not-found.ts';
import { parseFilters, readTypedFilters } from './payment-filters.ts';

export interface Selection {
  payments: PaymentRow[];
  /** Whether the filter has more payments than these. */
  hasMore: boolean;
}

/** The payments that the address names with `payment`, or else those that meet its filters, newest first. */
export async function readSelection(
  admin: AdminClient,
  environment: Environment,
  query: URLSearchParams,
  timeZone: string,
): Promise<Selection> {
  const named = query.getAll('payment');
  if (named.length > 0) return { payments: await readPayments(admin, environment, named), hasMore: false };
  const { request, errors } = parseFilters(readTypedFilters(query), timeZone);
  // Without an invalid filter, more payments would match than the member meant.
  if (Object.keys(errors).length > 0) return { payments: [], hasMore: false };
  const page = await admin.call(ADMIN_ROUTES.listPayments, {
    environment,
    ...request,
    limit: MAX_BULK_PAYMENTS,
  });
  return { payments: page.data, hasMore: page.next_cursor !== null };
}

/** Those that exist in this environment, and no more than are changed at once. */
export async function readPayments(
  admin: AdminClient,
  environment: Environment,
  ids: readonly string[],
): Promise<PaymentRow[]> {
  const known = [...new Set(ids)].filter((id) => isId('payment', id)).slice(0, MAX_BULK_PAYMENTS);
  const read = await mapInTurn(known, (payment_id) =>
    orNullIfNotFound(admin.call(ADMIN_ROUTES.getPayment, { payment_id })),
  );
  return read.filter((payment) => payment !== null).filter((payment) => payment.environment === environment);
}

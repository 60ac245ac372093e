import { error, json } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_LIMITS } from '@tollgate/contracts/payments/payment';
import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import { formatMoney } from '#lib/format/amount.ts';
import type { FoundPayment } from '#lib/palette/commands.ts';
import { partyName } from '#lib/payments/party-name.ts';
import { PAYMENT_STATUS_LABELS } from '#lib/payments/payment-labels.ts';
import { orNull } from '#lib/server/or-null.ts';
import { readEnvironment } from '#lib/server/palette/read-environment.ts';
import type { RequestHandler } from './$types';

const MAX_PAYMENTS = 5;

/** The newest payments that the search finds, for the command palette. */
export const GET: RequestHandler = async ({ locals, url }) => {
  if (locals.session === null) {
    error(401, { message: 'Sign in first.', requestId: locals.requestId });
  }
  const search = (url.searchParams.get('search') ?? '').slice(0, PAYMENT_LIMITS.reference);
  if (search === '') return json([]);
  const environment = readEnvironment(url);
  const page = await orNull(
    locals.admin.call(ADMIN_ROUTES.listPayments, { environment, search, limit: MAX_PAYMENTS }),
  );
  return json((page?.data ?? []).map(toFound));
};

function toFound({ id, amount, currency, status, reference, payer }: PaymentRow): FoundPayment {
  const parts = [formatMoney(amount, currency), reference, partyName(payer)];
  const label = [...parts, PAYMENT_STATUS_LABELS[status]]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
  return { id, label };
}

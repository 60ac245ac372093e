import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { failForm, readForm } from '#lib/server/form.ts';
import { BULK_ACTIONS, bulkChoices, runBulkAction } from '#lib/server/payments/bulk-actions.ts';
import { readFailure } from '#lib/server/payments/outcome-form.ts';
import { readPayments, readSelection } from '#lib/server/payments/read-selection.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, url, cookies, depends, parent }) => {
  depends(PAYMENTS_KEY);
  const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
  const [{ me }, { payments, nextCursor }] = await Promise.all([
    parent(),
    readSelection(locals.admin, params.environment, url.searchParams, timeZone),
  ]);
  const next = new URLSearchParams(url.searchParams);
  next.set('cursor', nextCursor ?? '');
  const nextHref = nextCursor === null ? null : `${url.pathname}?${next}`;
  return { payments, nextHref, choices: bulkChoices(payments, me.role) };
};

export const actions = {
  default: async ({ request, locals: { admin }, params: { environment } }) => {
    const form = await readForm(request);
    const action = BULK_ACTIONS[form.text('action')];
    if (action === undefined) return failForm(form, 400, { errors: { action: 'Select an action.' } });
    const read = action.needsFailure ? readFailure(form) : { failure: null };
    if ('errors' in read) return failForm(form, 400, { errors: read.errors });
    const [{ role }, selected] = await Promise.all([
      admin.call(ADMIN_ROUTES.getMe, {}),
      readPayments(admin, environment, form.all('payment')),
    ]);
    const results = await runBulkAction(admin, action, selected, { role, failure: read.failure });
    const changed = selected.map((payment) => ({
      ...payment,
      status: results[payment.id]?.status ?? payment.status,
    }));
    return { results, changed };
  },
} satisfies Actions;

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { failForm, hasErrors, readForm } from '#lib/server/form.ts';
import { BULK_ACTIONS, bulkChoices, runBulkAction } from '#lib/server/payments/bulk-actions.ts';
import { readFailure } from '#lib/server/payments/outcome-form.ts';
import { readPayments, readSelection } from '#lib/server/payments/read-selection.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, url, depends, parent }) => {
  depends(PAYMENTS_KEY);
  const [{ me }, { payments, nextCursor }] = await Promise.all([
    parent(),
    readSelection(locals.admin, params.environment, url.searchParams, locals.timeZone),
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
    const failure = action.needsFailure ? readFailure(form) : null;
    if (hasErrors(form)) return failForm(form, 400, {});
    const [{ role }, selected] = await Promise.all([
      admin.call(ADMIN_ROUTES.getMe, {}),
      readPayments(admin, environment, form.all('payment')),
    ]);
    const results = await runBulkAction(admin, action, selected, { role, failure });
    const changed = selected.map((payment) => ({
      ...payment,
      status: results[payment.id]?.status ?? payment.status,
    }));
    return { results, changed };
  },
} satisfies Actions;

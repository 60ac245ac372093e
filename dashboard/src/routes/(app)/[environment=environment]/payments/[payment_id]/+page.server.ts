import { redirect } from '@sveltejs/kit';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { CancelPaymentBody } from '@tollgate/contracts/payments/payment';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import type { Form } from '#lib/server/form.ts';
import { formAction, leaveForm } from '#lib/server/form-action.ts';
import { OUTCOME_FIELDS, readOutcome } from '#lib/server/payments/outcome-form.ts';
import { loadPaymentView } from '#lib/server/payments/payment-detail.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals, params, parent, depends }) => {
  depends(PAYMENTS_KEY, WEBHOOKS_KEY);
  const { me } = await parent();
  const view = await loadPaymentView(locals.admin, params.payment_id, me);
  const { environment, id } = view.payment;
  // Ids do not reveal the environment, so a link with the wrong environment redirects.
  if (environment !== params.environment) redirect(307, `/${environment}/payments/${id}`);
  return { view, now: Date.now() };
};

export const actions = {
  simulate: formAction(
    ADMIN_ROUTES.simulatePayment,
    (form, { params }: RequestEvent) => ({ payment_id: params.payment_id, outcome: readOutcome(form) }),
    leaveForm,
    { fieldOf: OUTCOME_FIELDS },
  ),

  settle: formAction(
    ADMIN_ROUTES.settlePayment,
    (form, { params }: RequestEvent) => ({
      payment_id: params.payment_id,
      // The admin API rejects an expiry, which no button sends.
      outcome: readOutcome(form) as RouteRequest<typeof ADMIN_ROUTES.settlePayment>['outcome'],
    }),
    leaveForm,
    { fieldOf: OUTCOME_FIELDS },
  ),

  approve: formAction(ADMIN_ROUTES.approveSettlement, readApproval, leaveForm),

  reject: formAction(ADMIN_ROUTES.rejectSettlement, readApproval, leaveForm),

  cancel: formAction(
    ADMIN_ROUTES.cancelPayment,
    (form, { params }: RequestEvent) => ({
      payment_id: params.payment_id,
      // The admin API validates the reason.
      cancellation_reason: form.optional('cancellation_reason') as CancelPaymentBody['cancellation_reason'],
    }),
    leaveForm,
  ),

  erase: formAction(
    ADMIN_ROUTES.erasePayment,
    (_, { params }: RequestEvent) => ({ payment_id: params.payment_id }),
    leaveForm,
  ),

  resolve: formAction(
    ADMIN_ROUTES.resolveDifference,
    (form, { params }: RequestEvent) => ({
      payment_id: params.payment_id,
      note: form.required('note', 'Enter what you did.'),
    }),
    leaveForm,
  ),
} satisfies Actions;

function readApproval(form: Form) {
  return { approval_request_id: form.text('approval_request_id') };
}

import { error, redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { CancelPaymentBody } from '@tollgate/contracts/payments/payment';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { OUTCOME_FIELDS, type Outcome, readOutcome } from '#lib/server/payments/outcome-form.ts';
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
  simulate: (event) =>
    endPayment(event, (payment_id, outcome) =>
      event.locals.admin.call(ADMIN_ROUTES.simulatePayment, { payment_id, outcome }),
    ),
  settle: (event) =>
    endPayment(event, (payment_id, outcome) => {
      // No button sends this value, so only a handcrafted form can contain it.
      if (outcome.status === 'expired')
        error(400, {
          message: 'Settle the payment as succeeded or failed.',
          requestId: event.locals.requestId,
        });
      return event.locals.admin.call(ADMIN_ROUTES.settlePayment, { payment_id, outcome });
    }),
  approve: (event) =>
    decideApproval(event, (approval_request_id) =>
      event.locals.admin.call(ADMIN_ROUTES.approveSettlement, { approval_request_id }),
    ),
  reject: (event) =>
    decideApproval(event, (approval_request_id) =>
      event.locals.admin.call(ADMIN_ROUTES.rejectSettlement, { approval_request_id }),
    ),
  cancel: async (event) => {
    const form = await readForm(event.request);
    // The admin API validates the reason.
    const reason = form.optional('cancellation_reason') as
      | CancelPaymentBody['cancellation_reason']
      | undefined;
    const failure = await submitForm(form, async () => {
      await event.locals.admin.call(ADMIN_ROUTES.cancelPayment, {
        payment_id: event.params.payment_id,
        ...(reason !== undefined && { cancellation_reason: reason }),
      });
    });
    return failure ?? leave(event);
  },
  erase: async (event) => {
    const form = await readForm(event.request);
    const failure = await submitForm(form, async () => {
      await event.locals.admin.call(ADMIN_ROUTES.erasePayment, { payment_id: event.params.payment_id });
    });
    return failure ?? leave(event);
  },
  resolve: async (event) => {
    const { request, params, locals } = event;
    const form = await readForm(request);
    const note = form.text('note');
    if (note === '') return failForm(form, 400, { errors: { note: 'Enter what you did.' } });
    const failure = await submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.resolveDifference, { payment_id: params.payment_id, note });
    });
    return failure ?? leave(event);
  },
} satisfies Actions;

async function endPayment(
  event: RequestEvent,
  end: (paymentId: string, outcome: Outcome) => Promise<unknown>,
) {
  const form = await readForm(event.request);
  const read = readOutcome(form);
  if ('errors' in read) return failForm(form, 400, { errors: read.errors });
  const failure = await submitForm(
    form,
    async () => {
      await end(event.params.payment_id, read.outcome);
    },
    OUTCOME_FIELDS,
  );
  return failure ?? leave(event);
}

async function decideApproval(event: RequestEvent, decide: (approvalRequestId: string) => Promise<unknown>) {
  const form = await readForm(event.request);
  const failure = await submitForm(form, async () => {
    await decide(form.text('approval_request_id'));
  });
  return failure ?? leave(event);
}

/** Redirects away from the form's address, so that reloading the page does not submit it again. */
function leave({ params }: RequestEvent): never {
  redirect(303, `/${params.environment}/payments/${params.payment_id}`);
}

import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Form } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { loadDeliveryView } from '#lib/server/webhooks/delivery-view.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals, params, parent, url, depends }) => {
  depends(WEBHOOKS_KEY);
  const { me } = await parent();
  const view = await loadDeliveryView(locals.admin, {
    deliveryId: params.delivery_id,
    attemptId: url.searchParams.get('attempt'),
    role: me.role,
  });
  const { environment, id } = view.delivery;
  // Ids do not reveal the environment, so a link with the wrong environment redirects.
  if (environment !== params.environment) redirect(307, `/${environment}/webhooks/deliveries/${id}`);
  return { view, now: Date.now() };
};

export const actions = {
  resend: formAction(ADMIN_ROUTES.resendDelivery, ofPage, leave),
  cancel: formAction(ADMIN_ROUTES.cancelDelivery, ofPage, leave),
} satisfies Actions;

function ofPage(_: Form, { params }: RequestEvent) {
  return { delivery_id: params.delivery_id };
}

/** Redirects away from the form's address, so that reloading the page does not submit it again. */
function leave(_: unknown, __: Form, { params }: RequestEvent): never {
  redirect(303, `/${params.environment}/webhooks/deliveries/${params.delivery_id}`);
}

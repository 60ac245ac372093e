import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { allows } from '#lib/server/access.ts';
import type { Form } from '#lib/server/form.ts';
import { formAction, leaveForm } from '#lib/server/form-action.ts';
import { orNullIfNotFound } from '#lib/server/or-null.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals: { admin }, params, parent, url, depends }) => {
  depends(WEBHOOKS_KEY);
  const { delivery_id } = params;
  const [{ me }, { attempt_log, ...delivery }] = await Promise.all([
    parent(),
    admin.call(ADMIN_ROUTES.getDelivery, { delivery_id }),
  ]);
  const { environment, status, endpoint_id } = delivery;
  // Ids do not reveal the environment, so a link with the wrong environment redirects.
  if (environment !== params.environment) redirect(307, `/${environment}/webhooks/deliveries/${delivery_id}`);
  /** Newest first. */
  const attempts = attempt_log.toReversed();
  // The newest, also when the delivery has no attempt with the id in the address.
  const chosen = attempts.find(({ id }) => id === url.searchParams.get('attempt')) ?? attempts[0];
  const [endpoint, bodies] = await Promise.all([
    orNullIfNotFound(admin.call(ADMIN_ROUTES.getEndpoint, { endpoint_id })),
    chosen && orNullIfNotFound(admin.call(ADMIN_ROUTES.getAttempt, { delivery_id, attempt_id: chosen.id })),
  ]);
  const decide = allows(ADMIN_ROUTES.resendDelivery, me.role, environment);
  const canBeSent = endpoint?.status === 'enabled' && attempts[0]?.error?.code !== 'event-gone';
  const view = {
    delivery,
    attempts,
    /** The attempt whose bodies are shown; null before the first attempt. */
    chosen: bodies ?? null,
    /** Null when the endpoint was deleted. */
    endpoint,
    /** `decide`: the role suffices. `resend` and `cancel` also require a suitable delivery status. */
    may: {
      decide,
      resend: decide && canBeSent,
      cancel: status === 'pending' && allows(ADMIN_ROUTES.cancelDelivery, me.role, environment),
    },
  };
  return { view, now: Date.now() };
};

export const actions = {
  resend: formAction(ADMIN_ROUTES.resendDelivery, ofPage, leaveForm),
  cancel: formAction(ADMIN_ROUTES.cancelDelivery, ofPage, leaveForm),
} satisfies Actions;

function ofPage(_: Form, { params }: RequestEvent) {
  return { delivery_id: params.delivery_id };
}

import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { orNull } from '#lib/server/or-null.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { environment, event_id }, depends }) => {
  depends(WEBHOOKS_KEY);
  const { deliveries, ...event } = await locals.admin.call(ADMIN_ROUTES.getEvent, { event_id });
  // Ids do not reveal the environment, so a link with the wrong environment redirects.
  if (event.environment !== environment) redirect(307, `/${event.environment}/webhooks/events/${event_id}`);
  const application = await orNull(
    locals.admin.call(ADMIN_ROUTES.getApplication, { application_id: event.application_id }),
  );
  return {
    event,
    deliveries,
    applicationName: application?.name ?? null,
    now: Date.now(),
  };
};

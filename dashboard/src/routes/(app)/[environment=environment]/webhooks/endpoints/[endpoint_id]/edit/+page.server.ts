import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { requireAccess } from '#lib/server/access.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { redirectWithFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readEndpointForm } from '#lib/server/webhooks/endpoint-form.ts';
import { listEventTypeChoices, readEndpoint } from '#lib/server/webhooks/read-endpoints.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async (event) => {
  const { environment } = event.params;
  const { me } = await event.parent();
  requireAccess(ADMIN_ROUTES.updateEndpoint, `Changing ${environment} endpoints`, me.role, environment);
  const [endpoint, eventTypes] = await Promise.all([
    readEndpoint(event),
    listEventTypeChoices(event.locals.admin),
  ]);
  return { endpoint, eventTypes, limits: limitsOf({ default: ADMIN_ROUTES.updateEndpoint }) };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.updateEndpoint,
    (form, { params }: RequestEvent) => ({ endpoint_id: params.endpoint_id, ...readEndpointForm(form) }),
    (_, __, event) => {
      const { environment, endpoint_id } = event.params;
      redirectWithFlash(event, 'endpoint-saved', `/${environment}/webhooks/endpoints/${endpoint_id}`);
    },
  ),
} satisfies Actions;

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { requireAccess } from '#lib/server/access.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { redirectWithFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form.ts';
import { readEndpointForm } from '#lib/server/webhooks/endpoint-form.ts';
import { listEventTypeChoices } from '#lib/server/webhooks/event-type-choices.ts';
import { readEndpoint } from '#lib/server/webhooks/read-endpoint.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async (event) => {
  const { locals, params, parent } = event;
  const { me } = await parent();
  requireAccess(
    ADMIN_ROUTES.updateEndpoint,
    `Changing ${params.environment} endpoints`,
    me.role,
    params.environment,
  );
  const [endpoint, eventTypes] = await Promise.all([readEndpoint(event), listEventTypeChoices(locals.admin)]);
  return { endpoint, eventTypes, limits: limitsOf({ default: ADMIN_ROUTES.updateEndpoint }) };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.updateEndpoint,
    (form, { params }: RequestEvent) => ({ endpoint_id: params.endpoint_id, ...readEndpointForm(form) }),
    (_, __, event) => {
      redirectWithFlash(
        event,
        'endpoint-saved',
        `/${event.params.environment}/webhooks/endpoints/${event.params.endpoint_id}`,
      );
    },
  ),
} satisfies Actions;

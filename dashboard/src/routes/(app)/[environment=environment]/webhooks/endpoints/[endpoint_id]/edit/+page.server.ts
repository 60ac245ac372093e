import { error, redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { limitsOf } from '#lib/server/field-limits.ts';
import { setFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readEndpointForm } from '#lib/server/webhooks/endpoint-form.ts';
import { listEventTypeChoices } from '#lib/server/webhooks/event-type-choices.ts';
import { mayManageEndpoints } from '#lib/server/webhooks/permissions.ts';
import { readEndpoint } from '#lib/server/webhooks/read-endpoint.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async (event) => {
  const { locals, params, parent } = event;
  const { me } = await parent();
  if (!mayManageEndpoints(me.role, params.environment)) {
    error(403, {
      message: `Changing ${params.environment} endpoints requires the ${ROLE_BY_ENVIRONMENT[params.environment]} role. Ask an owner or admin of your team.`,
      requestId: locals.requestId,
    });
  }
  const [endpoint, eventTypes] = await Promise.all([readEndpoint(event), listEventTypeChoices(locals.admin)]);
  return { endpoint, eventTypes, limits: limitsOf({ default: ADMIN_ROUTES.updateEndpoint }) };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.updateEndpoint,
    (form, { params }: RequestEvent) => ({ endpoint_id: params.endpoint_id, ...readEndpointForm(form) }),
    (_, __, event) => {
      setFlash(event, 'endpoint-saved');
      redirect(303, `/${event.params.environment}/webhooks/endpoints/${event.params.endpoint_id}`);
    },
  ),
} satisfies Actions;

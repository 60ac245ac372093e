import { error, redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { setFlash } from '#lib/server/flash.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { readEndpointForm } from '#lib/server/webhooks/endpoint-form.ts';
import { listEventTypeChoices } from '#lib/server/webhooks/event-type-choices.ts';
import { mayManageEndpoints } from '#lib/server/webhooks/permissions.ts';
import { readEndpoint } from '#lib/server/webhooks/read-endpoint.ts';
import type { Actions, PageServerLoad } from './$types';

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
  return {
    endpoint,
    eventTypes,
    limits: { url: WEBHOOK_LIMITS.url, description: WEBHOOK_LIMITS.description },
  };
};

export const actions = {
  default: async (event) => {
    const { locals, request } = event;
    const { environment, endpoint_id } = event.params;
    const form = await readForm(request);
    const { fields, errors } = readEndpointForm(form);
    if (Object.keys(errors).length > 0) return failForm(form, 400, { errors });
    return submitForm(form, async () => {
      const ifMatch = form.version();
      await locals.admin.call(ADMIN_ROUTES.updateEndpoint, { endpoint_id, ...fields }, { ifMatch });
      setFlash(event, 'endpoint-saved');
      redirect(303, `/${environment}/webhooks/endpoints/${endpoint_id}`);
    });
  },
} satisfies Actions;

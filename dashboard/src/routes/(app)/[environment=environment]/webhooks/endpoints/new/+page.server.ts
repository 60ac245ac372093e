import { randomUUID } from 'node:crypto';
import { error, redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { setFlash } from '#lib/server/flash.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { listApplicationNames } from '#lib/server/payments/application-names.ts';
import { readEndpointForm } from '#lib/server/webhooks/endpoint-form.ts';
import { listEventTypeChoices } from '#lib/server/webhooks/event-type-choices.ts';
import { mayManageEndpoints } from '#lib/server/webhooks/permissions.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params: { environment }, parent, url }) => {
  const { me } = await parent();
  if (!mayManageEndpoints(me.role, environment)) {
    error(403, {
      message: `Adding ${environment} endpoints requires the ${ROLE_BY_ENVIRONMENT[environment]} role. Ask an owner or admin of your team.`,
      requestId: locals.requestId,
    });
  }
  const [applications, eventTypes] = await Promise.all([
    listApplicationNames(locals.admin),
    listEventTypeChoices(locals.admin),
  ]);
  const choices = applications
    .filter(({ isArchived }) => !isArchived)
    .map(({ id, name }) => ({ value: id, label: name }));
  const asked = url.searchParams.get('application');
  const only = choices.length === 1 ? choices[0] : undefined;
  return {
    idempotencyKey: randomUUID(),
    applications: {
      choices,
      chosen: (choices.find(({ value }) => value === asked) ?? only)?.value ?? '',
    },
    eventTypes,
    limits: { url: WEBHOOK_LIMITS.url, description: WEBHOOK_LIMITS.description },
  };
};

export const actions = {
  default: async (event) => {
    const { locals, request } = event;
    const { environment } = event.params;
    const form = await readForm(request);
    const { fields, errors } = readEndpointForm(form);
    const applicationId = form.text('application_id');
    if (applicationId === '') errors['application_id'] = 'Select an application.';
    if (Object.keys(errors).length > 0) return failForm(form, 400, { errors });
    return submitForm(form, async () => {
      // The response also contains the secret, which the endpoint's page reveals on request.
      const { id } = await locals.admin.call(
        ADMIN_ROUTES.createEndpoint,
        { application_id: applicationId, environment, ...fields },
        { idempotencyKey: form.idempotencyKey() },
      );
      setFlash(event, 'endpoint-added');
      redirect(303, `/${environment}/webhooks/endpoints/${id}`);
    });
  },
} satisfies Actions;

import { randomUUID } from 'node:crypto';
import { error, redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { limitsOf } from '#lib/server/field-limits.ts';
import { setFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form-action.ts';
import { listApplicationNames } from '#lib/server/payments/application-names.ts';
import { readEndpointForm } from '#lib/server/webhooks/endpoint-form.ts';
import { listEventTypeChoices } from '#lib/server/webhooks/event-type-choices.ts';
import { mayManageEndpoints } from '#lib/server/webhooks/permissions.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

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
    limits: limitsOf({ default: ADMIN_ROUTES.createEndpoint }),
  };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.createEndpoint,
    (form, { params }: RequestEvent) => ({
      application_id: form.required('application_id', 'Select an application.'),
      environment: params.environment,
      ...readEndpointForm(form),
    }),
    // The response also contains the secret, which the endpoint's page reveals on request.
    ({ id }, _, event) => {
      setFlash(event, 'endpoint-added');
      redirect(303, `/${event.params.environment}/webhooks/endpoints/${id}`);
    },
  ),
} satisfies Actions;

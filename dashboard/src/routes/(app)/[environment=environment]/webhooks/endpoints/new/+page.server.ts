import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { requireAccess } from '#lib/server/access.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { redirectWithFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form-action.ts';
import { applicationChoices, isArchived, listApplications } from '#lib/server/payments/application-names.ts';
import { readEndpointForm } from '#lib/server/webhooks/endpoint-form.ts';
import { listEventTypeChoices } from '#lib/server/webhooks/read-endpoints.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals, params: { environment }, parent, url }) => {
  const { me } = await parent();
  requireAccess(ADMIN_ROUTES.createEndpoint, `Adding ${environment} endpoints`, me.role, environment);
  const [applications, eventTypes] = await Promise.all([
    listApplications(locals.admin),
    listEventTypeChoices(locals.admin),
  ]);
  const choices = applicationChoices(applications.filter((application) => !isArchived(application)));
  const asked = url.searchParams.get('application');
  const only = choices.length === 1 ? choices[0] : undefined;
  return {
    idempotencyKey: crypto.randomUUID(),
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
      redirectWithFlash(event, 'endpoint-added', `/${event.params.environment}/webhooks/endpoints/${id}`);
    },
  ),
} satisfies Actions;

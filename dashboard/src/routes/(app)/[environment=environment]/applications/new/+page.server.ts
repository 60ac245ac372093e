import { randomUUID } from 'node:crypto';
import { error, redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { mayCreateApplications } from '#lib/server/applications/permissions.ts';
import { readLabels } from '#lib/server/applications/read-labels.ts';
import { readScopes } from '#lib/server/applications/read-scopes.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (!mayCreateApplications(me.role)) {
    error(403, {
      message: 'Creating an application requires the developer role. Ask an owner or admin of your team.',
      requestId: locals.requestId,
    });
  }
  return {
    idempotencyKey: randomUUID(),
    scopes: SCOPE_NAMES,
    nameMaxLength: APPLICATION_LIMITS.name,
  };
};

export const actions: Actions = {
  default: async ({ locals, params, request }) => {
    const form = await readForm(request);
    const name = form.text('name');
    const { labels, error: labelsError } = readLabels(form.text('labels'));
    const errors = {
      ...(name === '' && { name: 'Enter a name.' }),
      ...(labelsError !== null && { labels: labelsError }),
    };
    if (Object.keys(errors).length > 0) return failForm(form, 400, { errors });
    return submitForm(form, async () => {
      const { id } = await locals.admin.call(
        ADMIN_ROUTES.createApplication,
        { name, scopes: readScopes(form), ...(Object.keys(labels).length > 0 && { labels }) },
        { idempotencyKey: form.idempotencyKey() },
      );
      redirect(303, `/${params.environment}/applications/${id}`);
    });
  },
};

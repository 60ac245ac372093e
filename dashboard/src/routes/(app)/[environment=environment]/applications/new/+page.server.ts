import { randomUUID } from 'node:crypto';
import { error, redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { mayCreateApplications } from '#lib/server/applications/permissions.ts';
import { readLabelsField } from '#lib/server/applications/read-labels.ts';
import { readScopes } from '#lib/server/applications/read-scopes.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { formAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (!mayCreateApplications(me.role)) {
    error(403, {
      message: 'Creating an application requires the developer role. Ask an owner or admin of your team.',
      requestId: locals.requestId,
    });
  }
  return { idempotencyKey: randomUUID(), limits: limitsOf({ default: ADMIN_ROUTES.createApplication }) };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.createApplication,
    (form) => {
      const labels = readLabelsField(form);
      return {
        name: form.required('name', 'Enter a name.'),
        scopes: readScopes(form),
        ...(Object.keys(labels).length > 0 && { labels }),
      };
    },
    ({ id }, _, { params }: RequestEvent) => redirect(303, `/${params.environment}/applications/${id}`),
  ),
} satisfies Actions;

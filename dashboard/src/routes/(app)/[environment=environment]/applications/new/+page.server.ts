import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import { requireAccess } from '#lib/server/access.ts';
import { readLabels } from '#lib/server/applications/read-labels.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { formAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ parent }) => {
  const { me } = await parent();
  requireAccess(ADMIN_ROUTES.createApplication, 'Creating an application', me.role);
  return {
    idempotencyKey: crypto.randomUUID(),
    limits: limitsOf({ default: ADMIN_ROUTES.createApplication }),
  };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.createApplication,
    (form) => {
      const labels = readLabels(form);
      return {
        name: form.required('name', 'Enter a name.'),
        scopes: form.all('scopes') as Scope[],
        ...(Object.keys(labels).length > 0 && { labels }),
      };
    },
    ({ id }, _, { params }: RequestEvent) => redirect(303, `/${params.environment}/applications/${id}`),
  ),
} satisfies Actions;

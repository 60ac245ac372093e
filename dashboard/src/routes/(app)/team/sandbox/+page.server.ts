import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { RESET_KEY } from '#lib/sandbox/reset-key.ts';
import { requireAccess } from '#lib/server/access.ts';
import { formAction, leaveForm } from '#lib/server/form-action.ts';
import { orNullIfNotFound } from '#lib/server/or-null.ts';
import { pagePart } from '#lib/server/page-part.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent, depends }) => {
  depends(RESET_KEY);
  const { me } = await parent();
  requireAccess(ADMIN_ROUTES.resetSandbox, 'Resetting the sandbox', me.role);
  const newest = orNullIfNotFound(locals.admin.call(ADMIN_ROUTES.getSandboxReset, {}));
  return { reset: await pagePart('payments', newest), idempotencyKey: crypto.randomUUID() };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.resetSandbox,
    async (form, { locals }) => {
      const { team } = await locals.admin.call(ADMIN_ROUTES.getMe, {});
      if (form.text('team_name') !== team.name)
        form.reject('team_name', `Type the name of your team: ${team.name}`);
      return {};
    },
    leaveForm,
  ),
} satisfies Actions;

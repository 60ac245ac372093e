import { randomUUID } from 'node:crypto';
import { error, redirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { RESET_KEY } from '#lib/sandbox/reset-key.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { pagePart } from '#lib/server/page-part.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent, depends }) => {
  depends(RESET_KEY);
  const { me } = await parent();
  if (!roleAllows(ADMIN_ROUTES.resetSandbox.access, me.role, 'sandbox')) {
    error(403, {
      message: 'Resetting the sandbox requires the admin role. Ask an owner or admin of your team.',
      requestId: locals.requestId,
    });
  }
  const newest = locals.admin.call(ADMIN_ROUTES.getSandboxReset, {}).catch((problem: unknown) => {
    if (problem instanceof AdminProblem && problem.code === 'not-found') return null;
    throw problem;
  });
  return { reset: await pagePart('payments', newest), idempotencyKey: randomUUID() };
};

export const actions = {
  default: async ({ request, locals, url }) => {
    const form = await readForm(request);
    const failure = await submitForm(form, async () => {
      const { team } = await locals.admin.call(ADMIN_ROUTES.getMe, {});
      if (form.text('team_name') !== team.name) {
        return failForm(form, 400, { errors: { team_name: `Type the name of your team: ${team.name}` } });
      }
      await locals.admin.call(ADMIN_ROUTES.resetSandbox, {}, { idempotencyKey: form.idempotencyKey() });
    });
    if (failure) return failure;
    redirect(303, url.pathname);
  },
} satisfies Actions;

import { randomUUID } from 'node:crypto';
import { error } from '@sveltejs/kit';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Role } from '@tollgate/contracts/platform/roles';
import { formAction } from '#lib/server/form-action.ts';
import { sendsMail } from '#lib/server/installation.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (!roleAllows(ADMIN_ROUTES.createInvitation.access, me.role, 'live')) {
    error(403, {
      message: 'Inviting members requires the owner role. Ask an owner of your team.',
      requestId: locals.requestId,
    });
  }
  return { idempotencyKey: randomUUID(), sendsMail: await sendsMail(locals.admin) };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.createInvitation,
    // The admin API rejects what is no role.
    (form) => ({ email: form.text('email'), role: form.text('role') as Role }),
    ({ email, role, token, expires_at }, _, { locals }) => ({
      invitation: {
        email,
        role,
        /** Null when the form was submitted before: its link was shown then. */
        href: token && `${locals.dashboardUrl}/join/${token}`,
        expiresAt: expires_at,
      },
    }),
  ),
} satisfies Actions;

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Role } from '@tollgate/contracts/platform/roles';
import { requireAccess } from '#lib/server/access.ts';
import { formAction } from '#lib/server/form-action.ts';
import { sendsMail } from '#lib/server/installation.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  requireAccess(ADMIN_ROUTES.createInvitation, 'Inviting members', me.role);
  return { idempotencyKey: crypto.randomUUID(), sendsMail: await sendsMail(locals.admin) };
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

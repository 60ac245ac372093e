import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { formAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ parent }) => {
  const { me } = await parent();
  if (me.is_installation_admin) return { idempotencyKey: crypto.randomUUID() };
  error(403, 'Only the admin of this installation can create teams.');
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.createTeam,
    (form) => ({ name: form.text('name'), owner_email: form.text('owner_email') }),
    ({ team, invitation }, form, { locals }) => ({
      created: {
        teamName: team.name,
        email: form.text('owner_email'),
        /** Null when the form was submitted before: the link was shown then. */
        link: invitation?.token
          ? { href: `${locals.dashboardUrl}/join/${invitation.token}`, expiresAt: invitation.expires_at }
          : null,
      },
    }),
  ),
} satisfies Actions;

import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { shownOnce } from '@tollgate/contracts/shown-once';
import { readForm, submitForm } from '#lib/server/form.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (me.is_installation_admin) return;
  const message = 'Only the admin of this installation can create teams.';
  error(403, { message, requestId: locals.requestId });
};

export const actions = {
  default: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const { team, invitation } = await locals.admin.call(ADMIN_ROUTES.createTeam, {
        name: form.text('name'),
        owner_email: form.text('owner_email'),
      });
      // Null only in the reply to a repeated request with an idempotency key.
      if (!invitation) throw new Error('The team was created without its invitation.');
      return {
        created: {
          teamName: team.name,
          email: invitation.email,
          href: `${locals.dashboardUrl}/join/${shownOnce(invitation.token)}`,
          expiresAt: invitation.expires_at,
        },
      };
    });
  },
} satisfies Actions;

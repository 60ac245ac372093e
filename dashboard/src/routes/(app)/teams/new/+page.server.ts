import { randomUUID } from 'node:crypto';
import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readForm, submitForm } from '#lib/server/form.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (me.is_installation_admin) return { idempotencyKey: randomUUID() };
  const message = 'Only the admin of this installation can create teams.';
  error(403, { message, requestId: locals.requestId });
};

export const actions = {
  default: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const email = form.text('owner_email');
      const { team, invitation } = await locals.admin.call(
        ADMIN_ROUTES.createTeam,
        { name: form.text('name'), owner_email: email },
        { idempotencyKey: form.idempotencyKey() },
      );
      return {
        created: {
          teamName: team.name,
          email,
          /** Null when the form was submitted before: the link was shown then. */
          link: invitation?.token
            ? { href: `${locals.dashboardUrl}/join/${invitation.token}`, expiresAt: invitation.expires_at }
            : null,
        },
      };
    });
  },
} satisfies Actions;

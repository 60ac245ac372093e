import { error } from '@sveltejs/kit';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLES } from '@tollgate/contracts/roles';
import { shownOnce } from '@tollgate/contracts/shown-once';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (!roleAllows(ADMIN_ROUTES.createInvitation.access, me.role, 'live')) {
    error(403, {
      message: 'Inviting members requires the owner role. Ask an owner of your team.',
      requestId: locals.requestId,
    });
  }
};

export const actions = {
  default: async ({ request, locals }) => {
    const form = await readForm(request);
    const role = ROLES.find((known) => known === form.text('role'));
    if (!role) return failForm(form, 400, { errors: { role: 'Select a role.' } });
    return submitForm(form, async () => {
      const invitation = await locals.admin.call(ADMIN_ROUTES.createInvitation, {
        email: form.text('email'),
        role,
      });
      return {
        invitation: {
          email: invitation.email,
          role: invitation.role,
          href: `${locals.dashboardUrl}/join/${shownOnce(invitation.token)}`,
          expiresAt: invitation.expires_at,
        },
      };
    });
  },
} satisfies Actions;

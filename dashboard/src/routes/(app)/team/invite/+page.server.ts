import { randomUUID } from 'node:crypto';
import { error } from '@sveltejs/kit';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLES } from '@tollgate/contracts/platform/roles';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
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
  default: async ({ request, locals }) => {
    const form = await readForm(request);
    const role = ROLES.find((known) => known === form.text('role'));
    if (!role) return failForm(form, 400, { errors: { role: 'Select a role.' } });
    return submitForm(form, async () => {
      const { email, token, expires_at } = await locals.admin.call(
        ADMIN_ROUTES.createInvitation,
        { email: form.text('email'), role },
        { idempotencyKey: form.idempotencyKey() },
      );
      return {
        invitation: {
          email,
          role,
          /** Null when the form was submitted before: its link was shown then. */
          href: token && `${locals.dashboardUrl}/join/${token}`,
          expiresAt: expires_at,
        },
      };
    });
  },
} satisfies Actions;

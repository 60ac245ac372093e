import { error } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Role } from '@tollgate/contracts/platform/roles';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { roleLabel } from '#lib/people/roles.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { isLastOwner, listMembers } from '#lib/server/members.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals, params, parent }) => {
  const [{ me }, members] = await Promise.all([parent(), listMembers(locals.admin)]);
  const member = members.find(({ id }) => id === params.member_id);
  if (!member) error(404, { message: 'Member not found.', requestId: locals.requestId });
  return {
    member,
    isMe: member.id === me.id,
    isLastOwner: isLastOwner(member, members),
    mayManage: roleAllows(ADMIN_ROUTES.changeRole.access, me.role, 'live'),
    mayEndSessions:
      member.id !== me.id &&
      roleAllows(ADMIN_ROUTES.endMemberSessions.access, me.role, 'live') &&
      (member.role !== 'owner' || me.role === 'owner'),
  };
};

export const actions = {
  changeRole: formAction(
    ADMIN_ROUTES.changeRole,
    // The admin API rejects what is no role.
    (form, { params }: RequestEvent) => ({ member_id: params.member_id, role: form.text('role') as Role }),
    ({ name, role }) => ({ done: `${name} now has the ${roleLabel(role).toLowerCase()} role.` }),
  ),

  endSessions: formAction(
    ADMIN_ROUTES.endMemberSessions,
    (_, { params }: RequestEvent) => ({ member_id: params.member_id }),
    'All sessions of the member ended.',
  ),

  createResetLink: async ({ request, locals, params }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const { member_id } = params;
      // Only the form of an installation admin has the field.
      const setupToken = form.secret('setup_token').trim();
      try {
        const { token, expires_at } = await locals.admin.call(ADMIN_ROUTES.createResetLink, {
          member_id,
          ...(setupToken !== '' && { setup_token: setupToken }),
        });
        return {
          resetLink: { href: `${locals.dashboardUrl}/reset/${shownOnce(token)}`, expiresAt: expires_at },
        };
      } catch (error) {
        if (!form.has('setup_token') || !(error instanceof AdminProblem) || error.code !== 'forbidden')
          throw error;
        return failForm(form, error.status, { errors: { setup_token: error.detail } });
      }
    });
  },
} satisfies Actions;

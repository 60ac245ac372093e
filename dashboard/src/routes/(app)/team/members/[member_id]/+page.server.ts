import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Role } from '@tollgate/contracts/platform/roles';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { roleLabel } from '#lib/people/roles.ts';
import { allows } from '#lib/server/access.ts';
import { formAction } from '#lib/server/form-action.ts';
import { isLastOwner, listMembers } from '#lib/server/members.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals, params, parent }) => {
  const [{ me }, members] = await Promise.all([parent(), listMembers(locals.admin)]);
  const member = members.find(({ id }) => id === params.member_id);
  if (!member) error(404, 'Member not found.');
  return {
    member,
    isMe: member.id === me.id,
    isLastOwner: isLastOwner(member, members),
    mayManage: allows(ADMIN_ROUTES.changeRole, me.role),
    mayEndSessions:
      member.id !== me.id &&
      allows(ADMIN_ROUTES.endMemberSessions, me.role) &&
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

  createResetLink: formAction(
    ADMIN_ROUTES.createResetLink,
    (form, { params }: RequestEvent) => ({
      member_id: params.member_id,
      // Only the form of an installation admin has the field.
      setup_token: form.secret('setup_token').trim() || undefined,
    }),
    ({ token, expires_at }, _, { locals }) => ({
      resetLink: { href: `${locals.dashboardUrl}/reset/${shownOnce(token)}`, expiresAt: expires_at },
    }),
    { fieldOf: { forbidden: 'setup_token' } },
  ),
} satisfies Actions;

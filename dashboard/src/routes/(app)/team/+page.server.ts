import { redirect } from '@sveltejs/kit';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { AdminProblem } from '#lib/server/admin-problem.ts';
import { readForm, submitForm } from '#lib/server/form.ts';
import { byName, listMembers } from '#lib/server/members.ts';
import { mayManageTokens } from '#lib/server/tokens/permissions.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const [{ me }, members, invitations] = await Promise.all([
    parent(),
    listMembers(locals.admin),
    locals.admin.call(ADMIN_ROUTES.listInvitations, {}),
  ]);
  return {
    members: members.toSorted(byName),
    invitations: invitations.data.map((invitation) => ({
      ...invitation,
      invitedBy: members.find(({ id }) => id === invitation.invited_by)?.name ?? 'Former member',
    })),
    ownerNames: members.filter(({ role }) => role === 'owner').map(({ name }) => name),
    mayRename: roleAllows(ADMIN_ROUTES.renameTeam.access, me.role, 'live'),
    mayManage: roleAllows(ADMIN_ROUTES.createInvitation.access, me.role, 'live'),
    mayManageTokens: mayManageTokens(me.role),
    mayMakeTeams: me.is_installation_admin,
  };
};

export const actions = {
  rename: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const { team: before } = await locals.admin.call(ADMIN_ROUTES.getMe, {});
      const team = await locals.admin.call(
        ADMIN_ROUTES.renameTeam,
        { team_id: before.id, name: form.text('name') },
        { ifMatch: form.version() },
      );
      return { done: `Team renamed to ${team.name}.` };
    });
  },

  revokeInvitation: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      try {
        await locals.admin.call(ADMIN_ROUTES.revokeInvitation, { invitation_id: form.text('invitation_id') });
      } catch (error) {
        if (!(error instanceof AdminProblem) || error.code !== 'not-found') throw error;
        return {
          done: 'This invitation is no longer open. It was accepted, was revoked, or has expired.',
        };
      }
      return { done: 'Invitation revoked. Its link no longer works.' };
    });
  },

  /** The page of the removed member posts here, because that page is then gone. */
  removeMember: async ({ request, locals }) => {
    const form = await readForm(request);
    const memberId = form.text('member_id');
    const [me, members] = await Promise.all([
      locals.admin.call(ADMIN_ROUTES.getMe, {}),
      listMembers(locals.admin),
    ]);
    const member = members.find(({ id }) => id === memberId);
    if (!member) return { done: 'This member is no longer in the team.' };
    return submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.removeMember, { member_id: memberId });
      if (memberId === me.id) {
        locals.sealedCookies.clear('session');
        redirect(303, '/sign-in?notice=left-team');
      }
      return { done: `${member.name} was removed from the team and signed out everywhere.` };
    });
  },
} satisfies Actions;

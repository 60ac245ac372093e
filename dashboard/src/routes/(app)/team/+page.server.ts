import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { allows } from '#lib/server/access.ts';
import { redirectWithFlash } from '#lib/server/flash.ts';
import { readForm, submitForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { sendsMail } from '#lib/server/installation.ts';
import { byName, listMembers } from '#lib/server/members.ts';
import { orNullIfNotFound } from '#lib/server/or-null.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const [{ me }, members, invitations, isMailOn] = await Promise.all([
    parent(),
    listMembers(locals.admin),
    locals.admin.call(ADMIN_ROUTES.listInvitations, {}),
    sendsMail(locals.admin),
  ]);
  return {
    sendsMail: isMailOn,
    members: members.toSorted(byName),
    invitations: invitations.data.map((invitation) => ({
      ...invitation,
      invitedBy: members.find(({ id }) => id === invitation.invited_by)?.name ?? 'Former member',
    })),
    ownerNames: members.filter(({ role }) => role === 'owner').map(({ name }) => name),
    mayRename: allows(ADMIN_ROUTES.renameTeam, me.role),
    mayManage: allows(ADMIN_ROUTES.createInvitation, me.role),
    mayMakeTeams: me.is_installation_admin,
  };
};

export const actions = {
  rename: formAction(
    ADMIN_ROUTES.renameTeam,
    async (form, { locals }) => {
      const { team } = await locals.admin.call(ADMIN_ROUTES.getMe, {});
      return { team_id: team.id, name: form.text('name') };
    },
    ({ name }) => ({ done: `Team renamed to ${name}.` }),
  ),

  showInvitationLink: formAction(
    ADMIN_ROUTES.revealInvitationLink,
    (form) => ({ invitation_id: form.text('invitation_id') }),
    ({ email, token, expires_at }, _, { locals }) => ({
      invitation: { email, href: `${locals.dashboardUrl}/join/${token}`, expiresAt: expires_at },
    }),
  ),

  resendInvitation: formAction(
    ADMIN_ROUTES.resendInvitation,
    (form) => ({ invitation_id: form.text('invitation_id') }),
    'The invitation is being sent again.',
  ),

  revokeInvitation: async ({ request, locals }) => {
    const form = await readForm(request);
    const invitation_id = form.text('invitation_id');
    return submitForm(form, async () => {
      const revoked = await orNullIfNotFound(
        locals.admin.call(ADMIN_ROUTES.revokeInvitation, { invitation_id }),
      );
      if (revoked) return { done: 'Invitation revoked. Its link no longer works.' };
      return { done: 'This invitation is no longer open. It was accepted, was revoked, or has expired.' };
    });
  },

  /** The page of the removed member posts here, because that page is then gone. */
  removeMember: async ({ request, locals, cookies }) => {
    const form = await readForm(request);
    const memberId = form.text('member_id');
    const [me, members] = await Promise.all([
      locals.admin.call(ADMIN_ROUTES.getMe, {}),
      listMembers(locals.admin),
    ]);
    const member = members.find(({ id }) => id === memberId);
    return submitForm(form, async () => {
      if (!member) return { done: 'This member is no longer in the team.' };
      await locals.admin.call(ADMIN_ROUTES.removeMember, { member_id: memberId });
      if (memberId === me.id) {
        locals.sealedCookies.clear('session');
        redirectWithFlash({ locals, cookies }, 'left-team', '/sign-in');
      }
      return { done: `${member.name} was removed from the team and signed out everywhere.` };
    });
  },
} satisfies Actions;

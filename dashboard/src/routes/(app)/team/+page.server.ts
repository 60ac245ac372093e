import { redirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { GRACE_PERIODS_DAYS, type GracePeriodDays } from '@tollgate/contracts/accounts/grace-periods';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { LeakedKeyPolicy } from '@tollgate/contracts/applications/leak';
import { DATA_RETENTION_LIMITS } from '@tollgate/contracts/payments/data-retention-limits';
import { formatCount } from '#lib/format/number.ts';
import { setFlash } from '#lib/server/flash.ts';
import { type Form, failForm, readForm, submitForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { sendsMail } from '#lib/server/installation.ts';
import { byName, listMembers } from '#lib/server/members.ts';
import { orNull } from '#lib/server/or-null.ts';
import { readThresholds } from '#lib/server/payments/approval-policy-form.ts';
import { mayManageTokens } from '#lib/server/tokens/permissions.ts';
import type { Actions, PageServerLoad } from './$types';

const { minDays, maxDays } = DATA_RETENTION_LIMITS;
/** Not a constant: the format of the number depends on the request. */
const noPeriod = () => `Enter a whole number from ${minDays} to ${formatCount(maxDays)}, or leave it empty.`;

function isPeriod(days: number): boolean {
  return days >= minDays && days <= maxDays;
}

export const load: PageServerLoad = async ({ locals, parent }) => {
  const [{ me }, members, invitations, isMailOn, ...policies] = await Promise.all([
    parent(),
    listMembers(locals.admin),
    locals.admin.call(ADMIN_ROUTES.listInvitations, {}),
    sendsMail(locals.admin),
    orNull(locals.admin.call(ADMIN_ROUTES.getLeakedKeyPolicy, {})),
    orNull(locals.admin.call(ADMIN_ROUTES.getDataRetention, {})),
    orNull(locals.admin.call(ADMIN_ROUTES.getApprovalPolicy, {})),
  ]);
  const [leakedKeyPolicy, dataRetention, approvalPolicy] = policies;
  return {
    sendsMail: isMailOn,
    members: members.toSorted(byName),
    invitations: invitations.data.map((invitation) => ({
      ...invitation,
      invitedBy: members.find(({ id }) => id === invitation.invited_by)?.name ?? 'Former member',
    })),
    ownerNames: members.filter(({ role }) => role === 'owner').map(({ name }) => name),
    /** Null when it is unknown. */
    leakedKeyPolicy,
    mayChangeLeakedKeyPolicy: roleAllows(ADMIN_ROUTES.setLeakedKeyPolicy.access, me.role, 'live'),
    /** Null when it is unknown. */
    dataRetention,
    mayChangeDataRetention: roleAllows(ADMIN_ROUTES.setDataRetention.access, me.role, 'live'),
    /** Null when it is unknown. */
    approvalPolicy,
    mayChangeApprovalPolicy: roleAllows(ADMIN_ROUTES.setApprovalPolicy.access, me.role, 'live'),
    mayChangeSecondFactorPolicy: roleAllows(ADMIN_ROUTES.setSecondFactorPolicy.access, me.role, 'live'),
    mayRename: roleAllows(ADMIN_ROUTES.renameTeam.access, me.role, 'live'),
    mayManage: roleAllows(ADMIN_ROUTES.createInvitation.access, me.role, 'live'),
    mayManageTokens: mayManageTokens(me.role),
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

  requireSecondFactor: async ({ request, locals }) => {
    const form = await readForm(request);
    const days = GRACE_PERIODS_DAYS.find((period) => period === form.integer('grace_period_days'));
    if (days === undefined) return failForm(form, 400, { errors: { grace_period_days: 'Choose a period.' } });
    return submitForm(form, async () => {
      await setSecondFactorPolicy(locals, form, days);
      return {
        done:
          days === 0
            ? 'Two-factor authentication is required now.'
            : `Two-factor authentication is required in ${days} days. Members see a notice until then.`,
      };
    });
  },

  endSecondFactorRequirement: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      await setSecondFactorPolicy(locals, form, null);
      return { done: 'Two-factor authentication is no longer required.' };
    });
  },

  leakedKeyPolicy: formAction(
    ADMIN_ROUTES.setLeakedKeyPolicy,
    // The admin API rejects what is no policy.
    (form) => ({ policy: form.text('policy') as LeakedKeyPolicy['policy'] }),
    'Policy saved. It applies to keys that are found from now on.',
  ),

  dataRetention: async ({ request, locals }) => {
    const form = await readForm(request);
    const days = form.text('days') === '' ? null : form.integer('days');
    // Not left to the admin API: as JSON, text that is no integer would mean to keep the data.
    if (days !== null && !isPeriod(days)) return failForm(form, 400, { errors: { days: noPeriod() } });
    return submitForm(form, async () => {
      const ifMatch = form.version();
      await locals.admin.call(ADMIN_ROUTES.setDataRetention, { days }, { ifMatch });
      return {
        done:
          days === null
            ? 'The data is kept permanently.'
            : 'Retention period saved. Older data is being erased.',
      };
    });
  },

  approvalPolicy: async ({ request, locals }) => {
    const form = await readForm(request);
    const read = readThresholds(form);
    if ('errors' in read) return failForm(form, 400, { errors: read.errors });
    return submitForm(form, async () => {
      const ifMatch = form.version();
      const { thresholds } = read;
      await locals.admin.call(ADMIN_ROUTES.setApprovalPolicy, { thresholds }, { ifMatch });
      return {
        done:
          thresholds.length === 0
            ? 'Settlements no longer need an approval.'
            : 'Approval policy saved. It applies to settlements from now on.',
      };
    });
  },

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
  removeMember: async ({ request, locals, cookies }) => {
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
        setFlash({ locals, cookies }, 'left-team');
        redirect(303, '/sign-in');
      }
      return { done: `${member.name} was removed from the team and signed out everywhere.` };
    });
  },
} satisfies Actions;

async function setSecondFactorPolicy(locals: App.Locals, form: Form, days: GracePeriodDays | null) {
  const { team } = await locals.admin.call(ADMIN_ROUTES.getMe, {});
  await locals.admin.call(
    ADMIN_ROUTES.setSecondFactorPolicy,
    { team_id: team.id, grace_period_days: days },
    { ifMatch: form.version() },
  );
}

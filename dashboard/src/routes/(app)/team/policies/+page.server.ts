import { GRACE_PERIODS_DAYS } from '@tollgate/contracts/accounts/grace-periods';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { LeakedKeyPolicy } from '@tollgate/contracts/applications/leak';
import { DATA_RETENTION_LIMITS } from '@tollgate/contracts/payments/data-retention-limits';
import { formatCount } from '#lib/format/number.ts';
import { hasSecondFactor } from '#lib/people/second-factor.ts';
import { allows } from '#lib/server/access.ts';
import { failForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { listMembers } from '#lib/server/members.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { readThresholds } from '#lib/server/payments/approval-policy-form.ts';
import type { Actions, PageServerLoad } from './$types';

const { minDays, maxDays } = DATA_RETENTION_LIMITS;
/** Not a constant: the format of the number depends on the request. */
const noPeriod = () => `Enter a whole number from ${minDays} to ${formatCount(maxDays)}, or leave it empty.`;

export const load: PageServerLoad = async ({ locals: { admin }, parent }) => {
  const [{ me }, members, leakedKeys, retention, approval] = await Promise.all([
    parent(),
    listMembers(admin),
    pagePart('leakedKeyPolicy', admin.call(ADMIN_ROUTES.getLeakedKeyPolicy, {})),
    pagePart('dataRetention', admin.call(ADMIN_ROUTES.getDataRetention, {})),
    pagePart('approvalPolicy', admin.call(ADMIN_ROUTES.getApprovalPolicy, {})),
  ]);
  return {
    membersWithoutSecondFactor: members.filter((member) => !hasSecondFactor(member)).length,
    leakedKeys,
    retention,
    approval,
    mayChange: {
      secondFactor: allows(ADMIN_ROUTES.setSecondFactorPolicy, me.role),
      leakedKeys: allows(ADMIN_ROUTES.setLeakedKeyPolicy, me.role),
      retention: allows(ADMIN_ROUTES.setDataRetention, me.role),
      approval: allows(ADMIN_ROUTES.setApprovalPolicy, me.role),
    },
  };
};

export const actions = {
  requireSecondFactor: formAction(
    ADMIN_ROUTES.setSecondFactorPolicy,
    async (form, { locals }) => {
      const days = GRACE_PERIODS_DAYS.find((period) => period === form.integer('grace_period_days'));
      return days === undefined
        ? failForm(form, 400, { errors: { grace_period_days: 'Choose a period.' } })
        : { team_id: await readTeamId(locals), grace_period_days: days };
    },
    (_, form) => ({
      done:
        form.integer('grace_period_days') === 0
          ? 'Two-factor authentication is required now.'
          : `Two-factor authentication is required in ${form.integer('grace_period_days')} days. Members see a notice until then.`,
    }),
  ),

  endSecondFactorRequirement: formAction(
    ADMIN_ROUTES.setSecondFactorPolicy,
    async (_, { locals }) => ({ team_id: await readTeamId(locals), grace_period_days: null }),
    'Two-factor authentication is no longer required.',
  ),

  leakedKeyPolicy: formAction(
    ADMIN_ROUTES.setLeakedKeyPolicy,
    // The admin API rejects what is no policy.
    (form) => ({ policy: form.text('policy') as LeakedKeyPolicy['policy'] }),
    'Policy saved. It applies to keys that are found from now on.',
  ),

  dataRetention: formAction(
    ADMIN_ROUTES.setDataRetention,
    (form) => {
      const days = form.text('days') === '' ? null : form.integer('days');
      // Not left to the admin API: as JSON, text that is no integer would mean to keep the data.
      if (days !== null && !(days >= minDays && days <= maxDays)) form.reject('days', noPeriod());
      return { days };
    },
    ({ days }) => ({
      done:
        days === null
          ? 'The data is kept permanently.'
          : 'Retention period saved. Older data is being erased.',
    }),
  ),

  approvalPolicy: formAction(
    ADMIN_ROUTES.setApprovalPolicy,
    (form) => ({ thresholds: readThresholds(form) }),
    ({ thresholds }) => ({
      done:
        thresholds.length === 0
          ? 'Settlements no longer need an approval.'
          : 'Approval policy saved. It applies to settlements from now on.',
    }),
  ),
} satisfies Actions;

async function readTeamId({ admin }: App.Locals): Promise<string> {
  return (await admin.call(ADMIN_ROUTES.getMe, {})).team.id;
}

import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { setSecondFactorPolicy as contract } from '@tollgate/contracts/accounts/rpc';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import { changeAudited } from '@tollgate/store/audited-records';
import { jsonOf } from '@tollgate/store/json-of';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { findOwnTeam } from '../access/find-own-team.ts';
import { requireRole } from '../access/permissions.ts';
import { teamEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { hasSecondFactor } from '../members/member.ts';
import { changedTeam, type Team } from './team.ts';

const ACTION = 'change whether members need a second factor';

/**
 * Sets from when members of the team need a second factor. The owner must have one: they would lock out themselves
 * otherwise. Throws `forbidden`, `not-found`, `precondition-failed`, `conflict`, `reauthentication-required`.
 */
export async function setSecondFactorPolicy(
  context: Context,
  actor: MemberActor,
  { team_id, grace_period_days: days, if_version }: Static<typeof contract.request>,
): Promise<Team> {
  const { _id } = await findOwnTeam(context, actor, team_id);
  const { member } = await findActingMember(context, actor);
  return changeAudited(
    context,
    context.teams,
    { _id },
    (before, now) => {
      requireRole(before, actor, 'owner', ACTION);
      requireRecentAuthentication(actor, now.getTime(), ACTION);
      requireVersion(if_version, before.version, 'the team');
      if (days !== null && !hasSecondFactor(member)) {
        throw new Problem(
          'conflict',
          'You have no second factor. Add a passkey or an authenticator app to your own account first.',
        );
      }
      const from = days === null ? null : new Date(now.getTime() + days * DAY_MS);
      const isUnchanged = before.second_factor_required_from?.getTime() === from?.getTime();
      return isUnchanged ? before : changedTeam(before, { second_factor_required_from: from }, now);
    },
    teamEntry('team.second_factor_policy_changed', actorAuthor(actor), (before, after) =>
      auditChanges(audited(before), audited(after)),
    ),
  );
}

const audited = ({ second_factor_required_from }: Team) => jsonOf({ second_factor_required_from });

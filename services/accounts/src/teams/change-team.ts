import type { Actor, MemberActor } from '@tollgate/contracts/accounts/actor';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireAllEnvironments } from '@tollgate/security/require-environment';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { auditChanges } from '@tollgate/store/audit-changes';
import { jsonOf } from '@tollgate/store/json-of';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { findOwnTeam } from '../access/acting-team.ts';
import { requireRole } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { hasSecondFactor } from '../members/member.ts';
import { changeOwnTeam } from './change-own-team.ts';
import { changedTeam, renamed, type Team } from './team.ts';

const POLICY_ACTION = 'change whether members need a second factor';

/** Throws `forbidden`, `not-found`, `precondition-failed`, `invalid-request`. */
export async function renameTeam(
  context: Context,
  actor: Actor,
  { team_id, name, if_version }: Static<typeof contract.renameTeam.request>,
): Promise<Team> {
  await findOwnTeam(context, actor, team_id);
  const decide = (before: Team, now: Date) => {
    requireRole(before, actor, 'admin', 'rename the team');
    requireAllEnvironments(actor, 'rename the team');
    requireVersion(if_version, before.version, 'the team');
    return renamed(before, parseName(name), now);
  };
  return changeOwnTeam(context, actor, 'team.renamed', decide, teamChanges);
}

/**
 * Sets from when members of the team need a second factor. The owner must have one: they would lock out themselves
 * otherwise. Throws `forbidden`, `not-found`, `precondition-failed`, `conflict`, `reauthentication-required`.
 */
export async function setSecondFactorPolicy(
  context: Context,
  actor: MemberActor,
  { team_id, grace_period_days: days, if_version }: Static<typeof contract.setSecondFactorPolicy.request>,
): Promise<Team> {
  await findOwnTeam(context, actor, team_id);
  const { member } = await findActingMember(context, actor);
  const decide = (before: Team, now: Date) => {
    requireRole(before, actor, 'owner', POLICY_ACTION);
    requireRecentAuthentication(actor, now.getTime(), POLICY_ACTION);
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
  };
  return changeOwnTeam(context, actor, 'team.second_factor_policy_changed', decide, teamChanges);
}

const teamChanges = (before: Team, after: Team) => auditChanges(auditedTeam(before), auditedTeam(after));

const auditedTeam = ({ name, second_factor_required_from }: Team) =>
  jsonOf({ name, second_factor_required_from });

import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { GracePeriodDays } from '@tollgate/contracts/accounts/grace-periods';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { actorAuthor } from '@tollgate/store/audit-author';
import { requireVersion } from '@tollgate/store/require-version';
import { findActingMember } from '../access/acting-member.ts';
import { findOwnTeam } from '../access/find-own-team.ts';
import { requireRole } from '../access/permissions.ts';
import { teamAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { hasSecondFactor } from '../members/member.ts';
import { changeTeam } from './change-team.ts';
import { type Team, withSecondFactorRequiredFrom } from './team.ts';

export interface SecondFactorPolicyRequest {
  teamId: string;
  /** Null: members need no second factor. */
  gracePeriodDays: GracePeriodDays | null;
  /** The version that the caller read; undefined accepts any version. */
  ifVersion: number | undefined;
}

/**
 * Sets from when members of the team need a second factor. The owner must have one: they would lock out themselves
 * otherwise. Throws `forbidden`, `not-found`, `precondition-failed`, `conflict`, `reauthentication-required`.
 */
export async function setSecondFactorPolicy(
  context: Context,
  actor: MemberActor,
  { teamId, gracePeriodDays, ifVersion }: SecondFactorPolicyRequest,
): Promise<Team> {
  const { id } = await findOwnTeam(context, actor, teamId);
  const { member } = await findActingMember(context, actor);
  const author = actorAuthor(actor);
  return changeTeam(context, id, (before, now) => {
    requireRole(before, actor, 'owner', 'change whether members need a second factor');
    requireRecentAuthentication(actor, now.getTime(), 'change whether members need a second factor');
    requireVersion(ifVersion, before.version, 'the team');
    if (gracePeriodDays !== null && !hasSecondFactor(member)) {
      throw new Problem(
        'conflict',
        'You have no second factor. Add a passkey or an authenticator app to your own account first.',
      );
    }
    const from = gracePeriodDays === null ? null : new Date(now.getTime() + gracePeriodDays * DAY_MS);
    const after = withSecondFactorRequiredFrom(before, from, now);
    const changes = {
      second_factor_required_from: {
        before: before.secondFactorRequiredFrom?.toISOString() ?? null,
        after: from?.toISOString() ?? null,
      },
    };
    return { after, audit: [teamAuditEntry('team.second_factor_policy_changed', author, after, changes)] };
  });
}

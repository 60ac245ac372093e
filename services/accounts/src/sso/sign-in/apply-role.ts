import { Problem } from '@tollgate/contracts/platform/problem';
import type { Role } from '@tollgate/contracts/platform/roles';
import { changeAudited } from '@tollgate/store/audited-records';
import { roleEntry } from '../../audit-entry.ts';
import type { Context } from '../../context.ts';
import type { Member } from '../../members/member.ts';
import type { MemberInTeam } from '../../members/member-in-team.ts';
import { identityProviderAuthor, type Origin } from '../../origin.ts';
import { roleIn, type Team, withRole } from '../../teams/team.ts';
import { ssoFailed } from '../sso-failed.ts';

/** Gives the member the role, unless it is null. The last owner stays owner. Throws `sso-failed` when the member has left the team. */
export async function applyRole(
  context: Context,
  member: Member,
  role: Role | null,
  origin: Origin,
): Promise<MemberInTeam> {
  const team = await changeAudited(
    context,
    context.teams,
    { _id: member.team_id },
    (before, now) => {
      if (roleIn(before, member._id) === null)
        throw ssoFailed('removed_member', 'You are no longer a member of the team.');
      return role === null ? before : withRoleOrLastOwner(before, member._id, role, now);
    },
    roleEntry('member.role_changed', identityProviderAuthor(origin), member),
  );
  return { member, role: roleIn(team, member._id) as Role };
}

function withRoleOrLastOwner(team: Team, memberId: string, role: Role, now: Date): Team {
  try {
    return withRole(team, memberId, role, now);
  } catch (error) {
    if (error instanceof Problem && error.details.code === 'last-owner') return team;
    throw error;
  }
}

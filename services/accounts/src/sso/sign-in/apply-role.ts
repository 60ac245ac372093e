import { Problem } from '@tollgate/contracts/platform/problem';
import type { Role } from '@tollgate/contracts/platform/roles';
import { memberAuditEntry } from '../../audit-entry.ts';
import type { Context } from '../../context.ts';
import type { Member } from '../../members/member.ts';
import type { MemberInTeam } from '../../members/member-in-team.ts';
import { identityProviderAuthor, type Origin } from '../../origin.ts';
import { changeTeam } from '../../teams/change-team.ts';
import { roleIn, type Team, withRole } from '../../teams/team.ts';
import { ssoFailed } from '../sso-failed.ts';

/** Gives the member the role, unless it is null. The last owner stays owner. Throws `sso-failed` when the member has left the team. */
export async function applyRole(
  context: Context,
  member: Member,
  role: Role | null,
  origin: Origin,
): Promise<MemberInTeam> {
  const author = identityProviderAuthor(origin);
  const team = await changeTeam(context, member.teamId, (before, now) => {
    const earlier = roleIn(before, member.id);
    if (earlier === null) throw ssoFailed('removed_member', 'You are no longer a member of the team.');
    const after = role === null ? before : withRoleOrLastOwner(before, member.id, role, now);
    const changes = { role: { before: earlier, after: role } };
    return { after, audit: [memberAuditEntry('member.role_changed', author, member, now, changes)] };
  });
  return { member, role: roleIn(team, member.id) as Role };
}

function withRoleOrLastOwner(team: Team, memberId: string, role: Role, now: Date): Team {
  try {
    return withRole(team, memberId, role, now);
  } catch (error) {
    if (error instanceof Problem && error.details.code === 'last-owner') return team;
    throw error;
  }
}

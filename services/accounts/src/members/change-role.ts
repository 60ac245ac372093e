import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { Role } from '@tollgate/contracts/platform/roles';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForRoles } from '../access/recent-authentication.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeTeam } from '../teams/change-team.ts';
import { roleIn, withRole } from '../teams/team.ts';
import { memberNotFound } from './change-member.ts';
import { findOtherMember } from './find-other-member.ts';
import type { MemberInTeam } from './member-in-team.ts';

/** Throws `forbidden`, `reauthentication-required`, `not-found`, and `last-owner` for the last owner, whose role cannot change. */
export async function changeRole(
  context: Context,
  actor: MemberActor,
  { memberId, role }: { memberId: string; role: Role },
): Promise<MemberInTeam> {
  const { team } = await findActingMember(context, actor);
  const member = await findOtherMember(context, team, memberId);
  requireRole(team, actor, 'owner', 'change roles');
  const author = actorAuthor(actor);
  await changeTeam(context, team.id, (before, now) => {
    const earlier = roleIn(before, memberId);
    if (!earlier) throw memberNotFound(memberId);
    requireRole(before, actor, 'owner', 'change roles');
    requireRecentAuthenticationForRoles(actor, [earlier, role], {
      clock: context.clock,
      action: `change the role of ${member.name}`,
    });
    const changes = { role: { before: earlier, after: role } };
    return {
      after: withRole(before, memberId, role, now),
      audit: [memberAuditEntry('member.role_changed', author, member, now, changes)],
    };
  });
  return { member, role };
}

import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForRoles } from '../access/recent-authentication.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeTeam } from '../teams/change-team.ts';
import { roleIn, withoutMember } from '../teams/team.ts';
import type { Removal } from '../teams/team-store.ts';
import { changeMember, memberNotFound } from './change-member.ts';
import { findOtherMember } from './find-other-member.ts';
import { closedAccount } from './member.ts';

/**
 * The team's write decides the removal: from then on, no session of the member works. The account is emptied
 * afterwards, which releases its email; after a crash `reconcile` does so. Throws `forbidden`,
 * `reauthentication-required`, `not-found`, `last-owner`.
 */
export async function removeMember(
  context: Context,
  actor: MemberActor,
  { memberId }: { memberId: string },
): Promise<void> {
  const { team } = await findActingMember(context, actor);
  const member = await findOtherMember(context, team, memberId);
  requireRole(team, actor, 'owner', 'remove members');
  const author = actorAuthor(actor);
  await changeTeam(context, team.id, (before, now) => {
    const role = roleIn(before, memberId);
    if (!role) throw memberNotFound(memberId);
    requireRole(before, actor, 'owner', 'remove members');
    requireRecentAuthenticationForRoles(actor, [role], {
      clock: context.clock,
      action: `remove ${member.name}`,
    });
    const changes = { role: { before: role, after: null } };
    return {
      after: withoutMember(before, memberId, now),
      audit: [memberAuditEntry('member.removed', author, member, now, changes)],
      leaving: memberId,
    };
  });
  await finishRemoval(context, { teamId: team.id, memberId });
}

/** Safe to repeat. */
export async function finishRemoval(context: Context, removal: Removal): Promise<void> {
  await changeMember(context, removal, (member, now) => ({
    after: member.status === 'removed' ? member : closedAccount(member, now),
    audit: [],
  }));
  await context.teams.finishRemoval(removal);
}

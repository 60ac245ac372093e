import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { removeMember as contract } from '@tollgate/contracts/accounts/rpc';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited, recordNotFound } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForRoles } from '../access/recent-authentication.ts';
import { roleEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { roleIn, withoutMember } from '../teams/team.ts';
import type { Removal } from '../teams/team-store.ts';
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
  { member_id }: Static<typeof contract.request>,
): Promise<void> {
  const { team } = await findActingMember(context, actor);
  const member = await findOtherMember(context, team, member_id);
  requireRole(team, actor, 'owner', 'remove members');
  await changeAudited(
    context,
    context.teams,
    { _id: team._id },
    (before, now) => {
      const role = roleIn(before, member_id);
      if (!role) throw recordNotFound(context.members, member_id);
      requireRole(before, actor, 'owner', 'remove members');
      requireRecentAuthenticationForRoles(actor, [role], {
        clock: context.clock,
        action: `remove ${member.name}`,
      });
      return withoutMember(before, member_id, now);
    },
    roleEntry('member.removed', actorAuthor(actor), member),
  );
  await finishRemoval(context, { team_id: team._id, member_id });
}

/** Safe to repeat. */
export async function finishRemoval(context: Context, removal: Removal): Promise<void> {
  const { team_id, member_id } = removal;
  await changeAudited(
    context,
    context.members,
    { _id: member_id, team_id },
    (member, now) => (member.status === 'removed' ? member : closedAccount(member, now)),
    () => [],
  );
  await context.teams.finishRemoval(removal);
}

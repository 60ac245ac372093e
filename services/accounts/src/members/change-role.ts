import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { changeRole as contract } from '@tollgate/contracts/accounts/rpc';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited, recordNotFound } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForRoles } from '../access/recent-authentication.ts';
import { roleEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { roleIn, withRole } from '../teams/team.ts';
import { findOtherMember } from './find-other-member.ts';
import type { MemberInTeam } from './member-in-team.ts';

/** Throws `forbidden`, `reauthentication-required`, `not-found`, and `last-owner` for the last owner, whose role cannot change. */
export async function changeRole(
  context: Context,
  actor: MemberActor,
  { member_id, role }: Static<typeof contract.request>,
): Promise<MemberInTeam> {
  const { team } = await findActingMember(context, actor);
  const member = await findOtherMember(context, team, member_id);
  requireRole(team, actor, 'owner', 'change roles');
  await changeAudited(
    context,
    context.teams,
    { _id: team._id },
    (before, now) => {
      const earlier = roleIn(before, member_id);
      if (!earlier) throw recordNotFound(context.members, member_id);
      requireRole(before, actor, 'owner', 'change roles');
      requireRecentAuthenticationForRoles(actor, [earlier, role], {
        clock: context.clock,
        action: `change the role of ${member.name}`,
      });
      return withRole(before, member_id, role, now);
    },
    roleEntry('member.role_changed', actorAuthor(actor), member),
  );
  return { member, role };
}

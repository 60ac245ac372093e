import type { MemberActor } from '@tollgate/contracts/actor';
import { parseName } from '@tollgate/contracts/parse-name';
import { actorAuthor } from '@tollgate/store/audit-author';
import { type ActingMember, findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from './change-member.ts';
import { changedMember } from './member.ts';

/** Throws `forbidden`, `invalid-request`. */
export async function updateProfile(
  context: Context,
  actor: MemberActor,
  request: { name: string },
): Promise<ActingMember> {
  const acting = await findActingMember(context, actor);
  const name = parseName(request.name);
  const author = actorAuthor(actor);
  const ref = { teamId: actor.team_id, memberId: actor.member_id };
  const member = await changeMember(context, ref, (before, now) => {
    if (before.name === name) return { after: before, audit: [] };
    const after = changedMember(before, { name }, now);
    const changes = { name: { before: before.name, after: name } };
    return { after, audit: [memberAuditEntry('member.renamed', author, after, now, changes)] };
  });
  return { ...acting, member };
}

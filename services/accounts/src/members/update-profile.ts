import type { MemberActor } from '@tollgate/contracts/actor';
import { parseName } from '@tollgate/contracts/parse-name';
import { actorAuthor } from '@tollgate/store/audit-author';
import { type ActingMember, findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from './change-member.ts';
import { changedMember } from './member.ts';

interface Profile {
  name?: string | undefined;
  getsTeamMail?: boolean | undefined;
}

/** Changes the given fields. Throws `forbidden`, `invalid-request`. */
export async function updateProfile(
  context: Context,
  actor: MemberActor,
  request: Profile,
): Promise<ActingMember> {
  const acting = await findActingMember(context, actor);
  const name = request.name === undefined ? undefined : parseName(request.name);
  const author = actorAuthor(actor);
  const ref = { teamId: actor.team_id, memberId: actor.member_id };
  const member = await changeMember(context, ref, (before, now) => {
    const fields = { name: name ?? before.name, getsTeamMail: request.getsTeamMail ?? before.getsTeamMail };
    const isRenamed = fields.name !== before.name;
    const isMailChanged = fields.getsTeamMail !== before.getsTeamMail;
    if (!isRenamed && !isMailChanged) return { after: before, audit: [] };
    const after = changedMember(before, fields, now);
    const audit = [];
    if (isRenamed) {
      const changes = { name: { before: before.name, after: after.name } };
      audit.push(memberAuditEntry('member.renamed', author, after, now, changes));
    }
    if (isMailChanged) {
      const changes = { team_mail: { before: before.getsTeamMail, after: after.getsTeamMail } };
      audit.push(memberAuditEntry('member.mail_changed', author, after, now, changes));
    }
    return { after, audit };
  });
  return { ...acting, member };
}

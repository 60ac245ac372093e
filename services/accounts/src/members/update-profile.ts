import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import { type ActingMember, findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from './change-member.ts';
import { changedMember } from './member.ts';
import { mailedTopics, teamMailAbout } from './team-mail.ts';

interface Profile {
  name?: string | undefined;
  mailTopics?: readonly NoticeTopic[] | undefined;
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
    const { getsTeamMail, mutedMailTopics } = request.mailTopics ? teamMailAbout(request.mailTopics) : before;
    const fields = { name: name ?? before.name, getsTeamMail, mutedMailTopics };
    const isRenamed = fields.name !== before.name;
    const mailChanges = auditChanges(
      { team_mail_topics: mailedTopics(before) },
      { team_mail_topics: mailedTopics(fields) },
    );
    const isMailChanged = Object.keys(mailChanges).length > 0;
    if (!isRenamed && !isMailChanged) return { after: before, audit: [] };
    const after = changedMember(before, fields, now);
    const audit = [];
    if (isRenamed) {
      const changes = { name: { before: before.name, after: after.name } };
      audit.push(memberAuditEntry('member.renamed', author, after, now, changes));
    }
    if (isMailChanged) audit.push(memberAuditEntry('member.mail_changed', author, after, now, mailChanges));
    return { after, audit };
  });
  return { ...acting, member };
}

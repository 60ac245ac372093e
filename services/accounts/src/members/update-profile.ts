import type { MemberActor } from '@tollgate/contracts/actor';
import type { NoticeTopic } from '@tollgate/contracts/notice-topics';
import { parseName } from '@tollgate/contracts/parse-name';
import { Problem } from '@tollgate/contracts/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import { type ActingMember, findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from './change-member.ts';
import { changedMember, type Member } from './member.ts';
import { type TeamMail, teamMailAbout, teamMailFields } from './team-mail.ts';

interface Profile {
  name?: string | undefined;
  /** False turns mail about the team off, and true turns it on again with the same topics. */
  getsTeamMail?: boolean | undefined;
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
  requireOneChoice(request);
  const author = actorAuthor(actor);
  const ref = { teamId: actor.team_id, memberId: actor.member_id };
  const member = await changeMember(context, ref, (before, now) => {
    const fields = { name: name ?? before.name, ...chosenTeamMail(before, request) };
    const isRenamed = fields.name !== before.name;
    const mailChanges = auditChanges(teamMailFields(before), teamMailFields(fields));
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

function requireOneChoice({ getsTeamMail, mailTopics }: Profile): void {
  if (getsTeamMail === undefined || mailTopics === undefined) return;
  throw new Problem('invalid-request', 'The request contains both team_mail and team_mail_topics.', {
    errors: [
      { pointer: '/team_mail', code: 'invalid', detail: 'Send either team_mail_topics or team_mail.' },
    ],
  });
}

function chosenTeamMail(before: Member, { getsTeamMail, mailTopics }: Profile): TeamMail {
  if (mailTopics) return teamMailAbout(mailTopics);
  return {
    getsTeamMail: getsTeamMail ?? before.getsTeamMail,
    mutedMailTopics: before.mutedMailTopics,
  };
}

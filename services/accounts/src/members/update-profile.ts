import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { updateProfile as contract } from '@tollgate/contracts/accounts/rpc';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { type ActingMember, findActingMember, ownAccount } from '../access/acting-member.ts';
import { memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changedMember, type Member } from './member.ts';
import { mailedTopics, teamMailAbout } from './team-mail.ts';

/** Changes the given fields. Throws `forbidden`, `invalid-request`. */
export async function updateProfile(
  context: Context,
  actor: MemberActor,
  request: Static<typeof contract.request>,
): Promise<ActingMember> {
  const acting = await findActingMember(context, actor);
  const change = {
    ...(request.name !== undefined && { name: parseName(request.name) }),
    ...(request.team_mail_topics && teamMailAbout(request.team_mail_topics)),
  };
  const author = actorAuthor(actor);
  const member = await changeAudited(
    context,
    context.members,
    ownAccount(actor),
    (before, now) => {
      const after = changedMember(before, change, now);
      return Object.keys({ ...nameChange(before, after), ...mailChange(before, after) }).length > 0
        ? after
        : before;
    },
    (before, after) =>
      [
        memberEntry('member.renamed', author, nameChange)(before, after),
        memberEntry('member.mail_changed', author, mailChange)(before, after),
      ].filter(({ changes }) => Object.keys(changes).length > 0),
  );
  return { ...acting, member };
}

const nameChange = (before: Member, after: Member) =>
  auditChanges({ name: before.name }, { name: after.name });

const mailChange = (before: Member, after: Member) =>
  auditChanges({ team_mail_topics: mailedTopics(before) }, { team_mail_topics: mailedTopics(after) });

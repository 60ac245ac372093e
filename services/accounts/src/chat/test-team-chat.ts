import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { teamEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { Undelivered } from '../outbox/undelivered.ts';
import { changedTeam } from '../teams/team.ts';
import { testText } from './chat-text.ts';
import { chatUrl, NO_CHAT_WEBHOOK } from './chat-webhook.ts';

/** Posts a test message. Returns why it was not delivered, or null. Throws `forbidden`. */
export async function testTeamChat(context: Context, actor: MemberActor): Promise<string | null> {
  const { member } = await findActingMember(context, actor);
  const team = await changeAudited(
    context,
    context.teams,
    { _id: actor.team_id },
    (before, now) => {
      requireRole(before, actor, 'admin', 'post to the chat of the team');
      return before.chat === null ? before : changedTeam(before, {}, now);
    },
    teamEntry('team.chat_tested', actorAuthor(actor)),
  );
  if (team.chat === null) return NO_CHAT_WEBHOOK;
  try {
    await context.chat.post(
      chatUrl(context.encryption, team._id, team.chat),
      testText(member.name, team.name),
    );
    return null;
  } catch (error) {
    if (error instanceof Undelivered) return error.message;
    throw error;
  }
}

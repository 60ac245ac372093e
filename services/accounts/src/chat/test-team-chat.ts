import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { teamAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { Undelivered } from '../outbox/undelivered.ts';
import { changeTeam } from '../teams/change-team.ts';
import { withRaisedVersion } from '../teams/team.ts';
import { testText } from './chat-text.ts';
import { chatUrl, NO_CHAT_WEBHOOK } from './chat-webhook.ts';

/** Posts a test message. Returns why it was not delivered, or null. Throws `forbidden`. */
export async function testTeamChat(context: Context, actor: MemberActor): Promise<string | null> {
  const { member } = await findActingMember(context, actor);
  const author = actorAuthor(actor);
  const team = await changeTeam(context, actor.team_id, (before, now) => {
    requireRole(before, actor, 'admin', 'post to the chat of the team');
    if (before.chat === null) return { after: before, audit: [] };
    const after = withRaisedVersion(before, now);
    return { after, audit: [teamAuditEntry('team.chat_tested', author, after, {})] };
  });
  if (team.chat === null) return NO_CHAT_WEBHOOK;
  try {
    await context.chat.post(
      chatUrl(context.encryption, team.id, team.chat),
      testText(member.name, team.name),
    );
    return null;
  } catch (error) {
    if (error instanceof Undelivered) return error.message;
    throw error;
  }
}

import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { teamAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { otherTopics } from '../notices/other-topics.ts';
import { changeTeam } from '../teams/change-team.ts';
import { type Team, withChat } from '../teams/team.ts';
import { auditedChat, type ChatWebhook, NO_CHAT_WEBHOOK, newChatWebhook } from './chat-webhook.ts';

const ACTION = 'change the chat of the team';

interface SetTeamChatRequest {
  url: string | undefined;
  topics: readonly NoticeTopic[] | undefined;
}

/**
 * Sets the webhook of the team's chat, what is posted to it, or both. With a new URL, messages that wait for a retry are due at once.
 * Throws `forbidden`, `reauthentication-required`, `conflict`, `invalid-request`.
 */
export async function setTeamChat(
  context: Context,
  actor: MemberActor,
  request: SetTeamChatRequest,
): Promise<Team> {
  const { team } = await findActingMember(context, actor);
  // Before the host is looked up: only those who may set a URL have the platform resolve names.
  requireRole(team, actor, 'admin', ACTION);
  requireRecentAuthentication(actor, context.clock.now(), ACTION);
  if (request.url !== undefined) await requireAllowedUrl(context, request.url);
  const author = actorAuthor(actor);
  const changed = await changeTeam(context, team.id, (before, now) => {
    requireRole(before, actor, 'admin', ACTION);
    const chat = changedChat(context, before, request, now);
    const changes = auditChanges(auditedChat(before.chat), auditedChat(chat));
    const after = withChat(before, chat, now);
    return { after, audit: [teamAuditEntry('team.chat_changed', author, after, changes)] };
  });
  // After the URL is stored, so that no attempt that begins now reads the previous one.
  if (request.url !== undefined) await context.chatMessages.retryNow(team.id, new Date(context.clock.now()));
  return changed;
}

async function requireAllowedUrl({ chat }: Context, url: string): Promise<void> {
  const detail = await chat.rejectionOf(url);
  if (detail === null) return;
  throw new Problem('invalid-request', 'The URL is not valid for a chat webhook.', {
    errors: [{ pointer: '/url', code: 'invalid', detail }],
  });
}

function changedChat(
  { encryption }: Context,
  { id: teamId, chat }: Team,
  { url, topics }: SetTeamChatRequest,
  now: Date,
): ChatWebhook {
  const mutedTopics = topics ? otherTopics(topics) : (chat?.mutedTopics ?? []);
  if (url !== undefined)
    return newChatWebhook(encryption, { teamId, url: new URL(url).href, mutedTopics }, now);
  if (chat) return { ...chat, mutedTopics };
  throw new Problem('conflict', NO_CHAT_WEBHOOK);
}

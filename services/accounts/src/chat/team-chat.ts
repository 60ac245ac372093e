import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { setTeamChat as contract } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { auditChanges } from '@tollgate/store/audit-changes';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { otherTopics } from '../notices/other-topics.ts';
import { Undelivered } from '../outbox/undelivered.ts';
import { changeOwnTeam } from '../teams/change-own-team.ts';
import { changedTeam, type Team } from '../teams/team.ts';
import { testText } from './chat-text.ts';
import { auditedChat, type ChatWebhook, chatUrl, NO_CHAT_WEBHOOK, newChatWebhook } from './chat-webhook.ts';

const ACTION = 'change the chat of the team';

type SetTeamChatRequest = Static<typeof contract.request>;

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
  const decide = (before: Team, now: Date) => {
    requireRole(before, actor, 'admin', ACTION);
    return changedTeam(before, { chat: changedChat(context, before, request, now) }, now);
  };
  const changed = await changeOwnTeam(context, actor, 'team.chat_changed', decide, chatChanges);
  // After the URL is stored, so that no attempt that begins now reads the previous one.
  if (request.url !== undefined) await context.chatMessages.retryNow(team._id, new Date(context.clock.now()));
  return changed;
}

/** Removes the webhook. Messages that wait are dropped. Without effect when there is none. Throws `forbidden`. */
export async function removeTeamChat(context: Context, actor: MemberActor): Promise<void> {
  await findActingMember(context, actor);
  const decide = (before: Team, now: Date) => {
    requireRole(before, actor, 'admin', 'remove the chat of the team');
    return before.chat === null ? before : changedTeam(before, { chat: null }, now);
  };
  await changeOwnTeam(context, actor, 'team.chat_removed', decide, chatChanges);
}

/** Posts a test message. Returns why it was not delivered, or null. Throws `forbidden`. */
export async function testTeamChat(context: Context, actor: MemberActor): Promise<string | null> {
  const { member } = await findActingMember(context, actor);
  const team = await changeOwnTeam(context, actor, 'team.chat_tested', (before, now) => {
    requireRole(before, actor, 'admin', 'post to the chat of the team');
    return before.chat === null ? before : changedTeam(before, {}, now);
  });
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

const chatChanges = (before: Team, after: Team) =>
  auditChanges(auditedChat(before.chat), auditedChat(after.chat));

async function requireAllowedUrl({ chat }: Context, url: string): Promise<void> {
  const detail = await chat.rejectionOf(url);
  if (detail === null) return;
  throw new Problem('invalid-request', 'The URL is not valid for a chat webhook.', {
    errors: [{ pointer: '/url', code: 'invalid', detail }],
  });
}

function changedChat(
  { encryption }: Context,
  { _id: team_id, chat }: Team,
  { url, topics }: SetTeamChatRequest,
  now: Date,
): ChatWebhook {
  const muted_topics = topics ? otherTopics(topics) : (chat?.muted_topics ?? []);
  if (url !== undefined)
    return newChatWebhook(encryption, { team_id, url: new URL(url).href, muted_topics }, now);
  if (chat) return { ...chat, muted_topics };
  throw new Problem('conflict', NO_CHAT_WEBHOOK);
}

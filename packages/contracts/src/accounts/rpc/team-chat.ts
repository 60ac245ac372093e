import Type from 'typebox';
import { rpc } from '../../platform/rpc-contract.ts';
import { Nullable } from '../../platform/schema.ts';
import { TEAM_CHAT_LIMITS, TeamChat } from '../team-chat.ts';
import { closed, Nothing, NoticeTopics } from './fields.ts';

// Only members call these methods, because the URL is a secret between people.

export const getTeamChat = rpc('accounts', 'get_team_chat', {
  caller: 'member',
  request: Nothing,
  reply: TeamChat,
});

/** Sets what is given. A new URL replaces the earlier one. */
export const setTeamChat = rpc('accounts', 'set_team_chat', {
  caller: 'member',
  request: Type.Object(
    {
      url: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: TEAM_CHAT_LIMITS.url,
          description: 'URL of an incoming webhook of Slack or a compatible chat. It is never returned.',
        }),
      ),
      topics: Type.Optional(NoticeTopics),
    },
    { ...closed, minProperties: 1 },
  ),
  reply: TeamChat,
});

export const removeTeamChat = rpc('accounts', 'remove_team_chat', {
  caller: 'member',
  request: Nothing,
  reply: Nothing,
});

/** Posts a test message at once. */
export const testTeamChat = rpc('accounts', 'test_team_chat', {
  caller: 'member',
  request: Nothing,
  reply: Type.Object({
    is_delivered: Type.Boolean(),
    reason: Nullable(Type.String(), 'Why the message was not delivered'),
  }),
});

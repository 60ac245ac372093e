import { type Handlers, nothing } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { findActingMember } from '../access/acting-member.ts';
import { requireRoleToRead } from '../access/permissions.ts';
import { removeTeamChat, setTeamChat, testTeamChat } from '../chat/team-chat.ts';
import type { Context } from '../context.ts';
import type { Team } from '../teams/team.ts';
import { teamChatToWire } from './wire.ts';

/** Methods for the chat of the team. */
export function chatHandlers(context: Context) {
  const chatOf = async ({ _id, chat }: Team) =>
    teamChatToWire(chat, chat && (await context.chatMessages.findNewest(_id, chat.set_at)));
  return {
    async getTeamChat(_request, { actor }) {
      const { team } = await findActingMember(context, actor);
      requireRoleToRead(team, actor, 'admin', 'read the chat of the team');
      return chatOf(team);
    },
    setTeamChat: async (request, { actor }) => chatOf(await setTeamChat(context, actor, request)),
    removeTeamChat: (_request, { actor }) => nothing(removeTeamChat(context, actor)),
    async testTeamChat(_request, { actor }) {
      const reason = await testTeamChat(context, actor);
      return { is_delivered: reason === null, reason };
    },
  } satisfies Partial<Handlers<typeof contract>>;
}

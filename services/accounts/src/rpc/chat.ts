import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { removeTeamChat } from '../chat/remove-team-chat.ts';
import { setTeamChat } from '../chat/set-team-chat.ts';
import { testTeamChat } from '../chat/test-team-chat.ts';
import type { Context } from '../context.ts';
import type { Team } from '../teams/team.ts';
import { teamChatToWire } from './wire.ts';

/** Methods for the chat of the team. */
export function serveChatRpc(serve: ServeRpc, context: Context) {
  return [
    serve(contract.getTeamChat, async (_request, { actor }) => {
      const { team } = await findActingMember(context, actor);
      requireRole(team, actor, 'admin', 'read the chat of the team');
      return readTeamChat(context, team);
    }),
    serve(contract.setTeamChat, async ({ url, topics }, { actor }) =>
      readTeamChat(context, await setTeamChat(context, actor, { url, topics })),
    ),
    serve(contract.removeTeamChat, async (_request, { actor }) => {
      await removeTeamChat(context, actor);
      return {};
    }),
    serve(contract.testTeamChat, async (_request, { actor }) => {
      const reason = await testTeamChat(context, actor);
      return { is_delivered: reason === null, reason };
    }),
  ];
}

async function readTeamChat({ chatMessages }: Context, { id, chat }: Team) {
  return teamChatToWire(chat, chat && (await chatMessages.findNewest(id, chat.setAt)));
}

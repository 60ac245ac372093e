import type { Handlers } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { pageReply } from '@tollgate/store/keyset-page';
import { findActingToken } from '../access/acting-team.ts';
import type { Context } from '../context.ts';
import { createToken } from '../tokens/create-token.ts';
import { findToken, listTokens } from '../tokens/find-token.ts';
import type { TokenWithSecret } from '../tokens/insert-token.ts';
import { revokeToken } from '../tokens/revoke-token.ts';
import { rotateToken } from '../tokens/rotate-token.ts';
import { readStatuses } from '../tokens/token-statuses.ts';
import { apiTokenToWire, createdApiTokenToWire, ownApiTokenToWire } from './wire.ts';

/** Methods for the team's API tokens. */
export function tokenHandlers(context: Context) {
  const createdWire = (created: TokenWithSecret) =>
    createdApiTokenToWire(created, new Date(context.clock.now()));
  return {
    async getOwnToken(_request, { actor }) {
      if (actor.type === 'member') throw new Problem('forbidden', 'Only an API token can read itself.');
      return ownApiTokenToWire(await findActingToken(context, actor));
    },
    async listTokens(request, { actor }) {
      const page = await listTokens(context, actor, request);
      const statusOf = await readStatuses(context, actor.team_id, page.rows);
      return pageReply(page, (token) => apiTokenToWire(token, statusOf(token)));
    },
    async getToken({ token_id }, { actor }) {
      const token = await findToken(context, actor, token_id);
      const statusOf = await readStatuses(context, actor.team_id, [token]);
      return apiTokenToWire(token, statusOf(token));
    },
    createToken: async (request, { actor, idempotentCall }) =>
      createdWire(await createToken(context, actor, request, idempotentCall)),
    rotateToken: async (request, { actor, idempotentCall }) =>
      createdWire(await rotateToken(context, actor, request, idempotentCall)),
    revokeToken: async (request, { actor }) =>
      apiTokenToWire(await revokeToken(context, actor, request), 'revoked'),
  } satisfies Partial<Handlers<typeof contract>>;
}

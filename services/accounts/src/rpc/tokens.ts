import type { Handlers } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import { findActingToken } from '../access/acting-team.ts';
import type { Context } from '../context.ts';
import { createToken } from '../tokens/create-token.ts';
import { findToken, listTokens } from '../tokens/find-token.ts';
import { revokeToken } from '../tokens/revoke-token.ts';
import { rotateToken } from '../tokens/rotate-token.ts';
import { readStatuses } from '../tokens/token-statuses.ts';
import { apiTokenToWire, createdApiTokenToWire, ownApiTokenToWire } from './wire.ts';

/** Methods for the team's API tokens. */
export function tokenHandlers(context: Context) {
  const now = () => new Date(context.clock.now());
  return {
    getOwnToken: async (_request, { actor }) => {
      if (actor.type === 'member') throw new Problem('forbidden', 'Only an API token can read itself.');
      return ownApiTokenToWire(await findActingToken(context, actor));
    },
    listTokens: async (request, { actor }) => {
      const query = { page: parsePageRequest(request), actsFor: request.acts_for };
      const page = await listTokens(context, actor, query);
      const statusOf = await readStatuses(context, actor.team_id, page.rows);
      return pageReply(page, (token) => apiTokenToWire(token, statusOf(token)));
    },
    getToken: async ({ token_id }, { actor }) => {
      const token = await findToken(context, actor, { tokenId: token_id, action: 'read API tokens' });
      const statusOf = await readStatuses(context, actor.team_id, [token]);
      return apiTokenToWire(token, statusOf(token));
    },
    createToken: async (request, { actor, idempotentCall }) => {
      const { name, role, environments = null, allowed_cidrs = [], expires_at = null } = request;
      const expiresAt = expires_at === null ? null : new Date(expires_at);
      const fields = { name, role, environments, allowedCidrs: allowed_cidrs, expiresAt };
      return createdApiTokenToWire(await createToken(context, actor, fields, idempotentCall), now());
    },
    rotateToken: async ({ token_id: tokenId, overlap_s }, { actor, idempotentCall }) => {
      const rotation = { tokenId, overlapMs: overlap_s * SECOND_MS };
      return createdApiTokenToWire(await rotateToken(context, actor, rotation, idempotentCall), now());
    },
    revokeToken: async ({ token_id }, { actor }) =>
      apiTokenToWire(await revokeToken(context, actor, { tokenId: token_id }), 'revoked'),
  } satisfies Partial<Handlers<typeof contract>>;
}

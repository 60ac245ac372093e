import type { Actor } from '@tollgate/contracts/accounts/actor';
import { digestApiToken, generateApiToken } from '@tollgate/security/api-token';
import { actorAuthor } from '@tollgate/store/audit-author';
import { insertAudited } from '@tollgate/store/audited-records';
import { tokenNotActive } from '../access/acting-team.ts';
import { tokenCreatedEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { FIRST_SESSION_EPOCH } from '../members/member.ts';
import { type ApiToken, type NewApiTokenFields, newApiToken } from './api-token.ts';
import { revokeCreatedTokens } from './revoke-token.ts';

/** A token with its credential, which is returned once and stored nowhere. */
export interface TokenWithSecret {
  token: ApiToken;
  /** Null in a replay. */
  secret: string | null;
}

type Fields = Omit<NewApiTokenFields, 'team_id' | 'acts_for' | 'session_epoch' | 'lookup_id' | 'digest'>;

/** Stores a token of the team with a new credential. Throws `forbidden` if the issuer was revoked meanwhile. */
export async function insertToken(
  context: Context,
  actor: Actor,
  issuer: ApiToken | null,
  fields: Fields,
): Promise<TokenWithSecret> {
  const { credential, lookupId: lookup_id } = generateApiToken();
  const digest = digestApiToken(credential).toString('hex');
  const ofTeam = { team_id: actor.team_id, acts_for: null, session_epoch: FIRST_SESSION_EPOCH };
  const token = newApiToken({ ...fields, ...ofTeam, lookup_id, digest }, new Date(context.clock.now()));
  await insertAudited(context, context.tokens, token, tokenCreatedEntry(actorAuthor(actor), token));
  if (issuer) await requireNotRevoked(context, actor, issuer);
  return { token, secret: credential };
}

/** The revocation of the issuer may have looked for its tokens before this one was stored. Nobody has its credential yet. */
async function requireNotRevoked(context: Context, actor: Actor, { team_id, _id }: ApiToken): Promise<void> {
  const issuer = await context.tokens.find(team_id, _id);
  if (!issuer?.revoked_at) return;
  await revokeCreatedTokens(context, actorAuthor(actor), issuer);
  throw tokenNotActive();
}

/** A token that an earlier call with the same idempotency key created. */
export async function findCreatedToken(
  context: Context,
  teamId: string,
  id: string,
): Promise<TokenWithSecret | null> {
  const token = await context.tokens.find(teamId, id);
  return token && { token, secret: null };
}

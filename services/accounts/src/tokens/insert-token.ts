import type { Actor } from '@tollgate/contracts/accounts/actor';
import { digestApiToken, generateApiToken } from '@tollgate/security/api-token';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { tokenNotActive } from '../access/acting-team.ts';
import { tokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { FIRST_SESSION_EPOCH } from '../members/member.ts';
import { type ApiToken, type NewApiTokenFields, newApiToken } from './api-token.ts';
import { revokeCreatedTokens } from './revoke-created-tokens.ts';

/** A token with its credential, which is returned once and stored nowhere. */
export interface TokenWithSecret {
  token: ApiToken;
  /** Null in a replay. */
  secret: string | null;
}

type Fields = Pick<
  NewApiTokenFields,
  'id' | 'name' | 'role' | 'environments' | 'allowedCidrs' | 'expiresAt' | 'createdBy' | 'createdByToken'
>;

/** Stores a token of the team with a new credential. Throws `forbidden` if the issuer was revoked meanwhile. */
export async function insertToken(
  context: Context,
  actor: Actor,
  issuer: ApiToken | null,
  fields: Fields,
): Promise<TokenWithSecret> {
  const now = new Date(context.clock.now());
  const { credential, lookupId } = generateApiToken();
  const digest = digestApiToken(credential).toString('hex');
  const ofTeam = { teamId: actor.team_id, actsFor: null, sessionEpoch: FIRST_SESSION_EPOCH };
  const token = newApiToken({ ...fields, ...ofTeam, lookupId, digest }, now);
  const audit = signAuditEntry(
    context.signer,
    tokenAuditEntry('token.created', actorAuthor(actor), { before: null, after: token }, now),
  );
  await context.tokens.insert(token, audit);
  context.audit.enqueue([auditMessage(token.id, audit)]);
  if (issuer) await requireNotRevoked(context, actor, issuer);
  return { token, secret: credential };
}

/** The revocation of the issuer may have looked for its tokens before this one was stored. Nobody has its credential yet. */
async function requireNotRevoked(context: Context, actor: Actor, { teamId, id }: ApiToken): Promise<void> {
  const issuer = await context.tokens.find(teamId, id);
  if (!issuer?.revokedAt) return;
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

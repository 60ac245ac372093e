import type { Actor, MemberActor, TokenActor } from '@tollgate/contracts/actor';
import { Problem } from '@tollgate/contracts/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { tokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type ApiToken, revoked } from './api-token.ts';
import { findToken } from './find-token.ts';

/** Revokes a token permanently. Revoking again changes nothing. Throws `forbidden`, `not-found`. */
export function revokeToken(
  context: Context,
  actor: MemberActor,
  { tokenId }: { tokenId: string },
): Promise<ApiToken> {
  return revoke(context, actor, () => findToken(context, actor, { tokenId, action: 'revoke API tokens' }));
}

/** Revokes the token that the request authenticates with: its holder could use it for as long as it is valid. */
export function revokeOwnToken(context: Context, actor: TokenActor): Promise<ApiToken> {
  return revoke(context, actor, async () => {
    const token = await context.tokens.find(actor.team_id, actor.token_id);
    if (!token) throw new Problem('not-found', `Your team has no API token ${actor.token_id}.`);
    return token;
  });
}

async function revoke(context: Context, actor: Actor, find: () => Promise<ApiToken>): Promise<ApiToken> {
  const before = await find();
  const now = new Date(context.clock.now());
  const after = revoked(before, now);
  if (after === before) return before;
  const audit = signAuditEntry(
    context.signer,
    tokenAuditEntry('token.revoked', actorAuthor(actor), { before, after }, now),
  );
  // Only another revocation can be first.
  if (!(await context.tokens.saveRevoked(after, audit))) return find();
  context.audit.enqueue([auditMessage(after.id, audit)]);
  return after;
}

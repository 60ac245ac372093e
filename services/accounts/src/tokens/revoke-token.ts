import type { MemberActor } from '@tollgate/contracts/actor';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { tokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type ApiToken, revoked } from './api-token.ts';
import { findToken } from './find-token.ts';

/** Revokes a token permanently. Revoking again changes nothing. Throws `forbidden`, `not-found`. */
export async function revokeToken(
  context: Context,
  actor: MemberActor,
  { tokenId }: { tokenId: string },
): Promise<ApiToken> {
  const find = () => findToken(context, actor, { tokenId, action: 'revoke API tokens' });
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

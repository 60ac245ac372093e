import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import type { AuditAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { tokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { ApiToken } from './api-token.ts';

/** A token changes at most by its rotation, its revocation, and its leak, so a fourth attempt finds it unchanged. */
const MAX_ATTEMPTS = 4;

/**
 * Changes a token, and stores the change with its audit entry. Nothing is stored if `find` returns null, or `change` the same object.
 * Throws `unavailable`.
 */
export async function changeToken<Found extends ApiToken | null>(
  context: Context,
  action: 'token.revoked' | 'token.leaked',
  author: AuditAuthor,
  { find, change }: { find: () => Promise<Found>; change: (token: ApiToken, now: Date) => ApiToken },
): Promise<Found | ApiToken> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await find();
    if (before === null) return before;
    const now = new Date(context.clock.now());
    const after = change(before, now);
    if (after === before) return before;
    const audit = signAuditEntry(context.signer, tokenAuditEntry(action, author, { before, after }, now));
    if (!(await context.tokens.save(before, after, audit))) continue;
    context.audit.enqueue([auditMessage(after.id, audit)]);
    return after;
  }
  throw new Problem('unavailable', 'The API token is being changed by other requests.', { retryAfterS: 1 });
}

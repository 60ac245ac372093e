import { dueExpiryNotice } from '@tollgate/contracts/platform/expiry';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { expiringTokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';

/**
 * Records that API tokens expire soon, of which members are then notified. The notice and its audit entry are one write, so that
 * instances that run at once record one. The tokens of logins are left out: their programs ask the member to log in again.
 */
export async function notifyExpiringTokens({ tokens, audit, signer, clock }: Context): Promise<void> {
  const now = new Date(clock.now());
  for await (const expiring of tokens.findExpiringOfAllTeams(now)) {
    const { token, lastNotice } = expiring;
    const notice = dueExpiryNotice(
      { created_at: token.createdAt, expires_at: token.expiresAt },
      lastNotice,
      now,
    );
    if (!notice) continue;
    const entry = signAuditEntry(signer, expiringTokenAuditEntry(SYSTEM_AUTHOR, token, now));
    if (await tokens.saveExpiryNotice(expiring, notice, entry))
      audit.enqueue([auditMessage(token.id, entry)]);
  }
}

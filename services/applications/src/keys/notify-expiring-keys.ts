import { dueExpiryNotice } from '@tollgate/contracts/platform/expiry';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { expiringKeyAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';

/**
 * Records that keys expire soon, of which members are then notified. The notice and its audit entry are one write, so that instances
 * that run at once record one. A key that was rotated expires on purpose.
 */
export async function notifyExpiringKeys({ apiKeys, audit, signer, clock }: Context): Promise<void> {
  const now = new Date(clock.now());
  for await (const expiring of apiKeys.findExpiringOfAllTeams(now)) {
    const { key, lastNotice } = expiring;
    const notice = dueExpiryNotice(key, lastNotice, now);
    if (!notice) continue;
    const entry = signAuditEntry(signer, expiringKeyAuditEntry(SYSTEM_AUTHOR, key, now));
    if (await apiKeys.saveExpiryNotice(expiring, notice, entry)) audit.enqueue([auditMessage(key.id, entry)]);
  }
}

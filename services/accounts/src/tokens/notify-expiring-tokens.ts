import { dueExpiryNotice } from '@tollgate/contracts/platform/expiry';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { recordAudited } from '@tollgate/store/audited-records';
import { expiringTokenAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';

/**
 * Records that API tokens expire soon, of which members are then notified. The notice and its audit entry are one write, so that
 * instances that run at once record one. The tokens of logins are left out: their programs ask the member to log in again.
 */
export async function notifyExpiringTokens(context: Context): Promise<void> {
  const now = new Date(context.clock.now());
  for await (const token of context.tokens.findExpiringOfAllTeams(now)) {
    const { _id, team_id, version, expiry_notice: last } = token;
    const notice = dueExpiryNotice(token, last ?? null, now);
    if (!notice) continue;
    const unchanged = {
      ...{ _id, team_id, version },
      'expiry_notice.expires_at': last?.expires_at ?? null,
      'expiry_notice.days': last?.days ?? null,
    };
    const entry = expiringTokenAuditEntry(SYSTEM_AUTHOR, token, now);
    await recordAudited(context, context.tokens, unchanged, entry, { expiry_notice: notice });
  }
}

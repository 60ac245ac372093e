import { dueExpiryNotice } from '@tollgate/contracts/platform/expiry';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { recordAudited } from '@tollgate/store/audited-records';
import { expiringKeyEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';

/**
 * Records that keys expire soon, of which members are then notified. The notice and its audit entry are one write, so that instances
 * that run at once record one. A key that was rotated expires on purpose.
 */
export async function notifyExpiringKeys(context: Context): Promise<void> {
  const now = new Date(context.clock.now());
  for await (const key of context.apiKeys.findExpiringOfAllTeams(now)) {
    const { _id, team_id, version, expiry_notice: last } = key;
    const notice = dueExpiryNotice(key, last ?? null, now);
    if (!notice) continue;
    const unchanged = {
      ...{ _id, team_id, version },
      'expiry_notice.expires_at': last?.expires_at ?? null,
      'expiry_notice.days': last?.days ?? null,
    };
    const entry = expiringKeyEntry(SYSTEM_AUTHOR, key, now);
    await recordAudited(context, context.apiKeys, unchanged, entry, { expiry_notice: notice });
  }
}

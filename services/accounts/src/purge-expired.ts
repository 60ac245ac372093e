import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from './context.ts';
import { THROTTLE_MEMORY_MS } from './throttle/throttle.ts';

const FAILED_SIGN_IN_RETENTION_MS = DAY_MS;
/** An operator can look up why a message was not sent. */
const SETTLED_MESSAGE_RETENTION_MS = 7 * DAY_MS;
/** A member who comes back to an old code reads that it expired, not that it never existed. */
const EXPIRED_LOGIN_RETENTION_MS = HOUR_MS;

/**
 * Deletes records that no longer affect any decision. TTL indexes cannot do this: they know only the server's clock,
 * and nothing of the outbox.
 */
export async function purgeExpired(context: Context): Promise<void> {
  const now = new Date(context.clock.now());
  const before = (retentionMs: number) => new Date(now.getTime() - retentionMs);
  await context.sessions.deleteExpired(now);
  await context.challenges.deleteExpired(now);
  await context.ssoAuthorizations.deleteExpired(now);
  await context.failedSignIns.deleteBefore(before(FAILED_SIGN_IN_RETENTION_MS));
  await context.deviceAuthorizations.deleteExpiredBefore(before(EXPIRED_LOGIN_RETENTION_MS));
  await context.mails.deleteSettledBefore(before(SETTLED_MESSAGE_RETENTION_MS));
  await context.chatMessages.deleteSettledBefore(before(SETTLED_MESSAGE_RETENTION_MS));
  await context.attempts.deleteBefore(before(THROTTLE_MEMORY_MS));
}

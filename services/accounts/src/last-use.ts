import { MINUTE_MS } from '@tollgate/contracts/platform/durations';

/** A use is recorded only when the last recorded one is older: most requests need no write. */
const TOUCH_INTERVAL_MS = MINUTE_MS;

/** Whether a use of this session or API token must be recorded. */
export function isTouchDue({ lastUsedAt }: { readonly lastUsedAt: Date | null }, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= TOUCH_INTERVAL_MS;
}

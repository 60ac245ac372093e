import { MINUTE_MS } from '@tollgate/contracts/platform/durations';

/** A use is recorded only when the last recorded one is older: most requests need no write. */
const TOUCH_INTERVAL_MS = MINUTE_MS;

/** Whether a use of this session or API token must be recorded. */
export function isTouchDue({ last_used_at }: { last_used_at: Date | null }, now: Date): boolean {
  return last_used_at === null || now.getTime() - last_used_at.getTime() >= TOUCH_INTERVAL_MS;
}

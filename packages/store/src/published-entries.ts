import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';

/** The audit log stores a published entry within moments, or within half a minute if the instance that received it died. */
export const OVERDUE_MS = 40_000;
/**
 * An entry that fails verification is published again as well: it is verified once the operator corrects the
 * keys. Each publication makes another dead letter, so the time doubles from one to the next, up to this one.
 */
const MAX_OVERDUE_MS = HOUR_MS;
/** The oldest ids beyond this number are forgotten, and their entries may be published again, which is harmless. */
const MAX_REMEMBERED = 20_000;

/** The ids of entries that this process has published, how often, and when. */
export function createPublishedEntries(clock: Clock) {
  const entries = new Map<string, { lastAt: number; times: number }>();
  return {
    note(id: string): void {
      const times = (entries.get(id)?.times ?? 0) + 1;
      entries.delete(id);
      entries.set(id, { lastAt: clock.now(), times });
      const [oldest] = entries.keys();
      if (entries.size > MAX_REMEMBERED && oldest !== undefined) entries.delete(oldest);
    },
    forget: (id: string) => void entries.delete(id),
    has: (id: string) => entries.has(id),

    /**
     * Under which the entry is published next. Differs from one publication of this process to the next: an entry is published
     * again because it was lost behind the stream, which drops what it got under the same message id minutes ago.
     */
    messageIdFor(id: string): string {
      const entry = entries.get(id);
      return entry ? `${id}/${entry.times}` : id;
    },

    /** Whether the entry should have been stored by now. True if this process did not publish it. */
    isOverdue(id: string): boolean {
      const entry = entries.get(id);
      if (!entry) return true;
      return clock.now() - entry.lastAt >= Math.min(MAX_OVERDUE_MS, OVERDUE_MS * 2 ** (entry.times - 1));
    },
  };
}

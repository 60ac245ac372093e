import type { Clock } from '@tollgate/runtime/clock';

/** The audit log stores a published entry within moments, or within half a minute if the instance that received it died. */
export const OVERDUE_MS = 40_000;
/** The oldest ids beyond this number are forgotten, and their entries may be published again, which is harmless. */
const MAX_REMEMBERED = 20_000;

/** The ids of entries that this process has published, with the time. */
export interface PublishedEntries {
  note(id: string): void;
  forget(id: string): void;
  has(id: string): boolean;
  /** Whether the entry should have been stored by now. True if this process did not publish it. */
  isOverdue(id: string): boolean;
}

export function createPublishedEntries(clock: Clock): PublishedEntries {
  const publishedAt = new Map<string, number>();
  return {
    note(id) {
      publishedAt.delete(id);
      publishedAt.set(id, clock.now());
      const [oldest] = publishedAt.keys();
      if (publishedAt.size > MAX_REMEMBERED && oldest !== undefined) publishedAt.delete(oldest);
    },
    forget: (id) => void publishedAt.delete(id),
    has: (id) => publishedAt.has(id),
    isOverdue(id) {
      const at = publishedAt.get(id);
      return at === undefined || clock.now() - at >= OVERDUE_MS;
    },
  };
}

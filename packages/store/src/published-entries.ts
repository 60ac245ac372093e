import type { Clock } from '@tollgate/runtime/clock';

/** The log stores what is published within moments, or an instance that died with it within half a minute. */
export const OVERDUE_MS = 40_000;
/** Ids are small; of more than these the oldest are published a second time, which changes nothing. */
const MAX_REMEMBERED = 20_000;

/** What this process has published, and when. */
export interface PublishedEntries {
  note(id: string): void;
  forget(id: string): void;
  has(id: string): boolean;
  /** Whether it should have arrived by now, or was not published by this process. */
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

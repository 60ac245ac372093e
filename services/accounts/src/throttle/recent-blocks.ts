import type { Clock } from '@tollgate/runtime/clock';

/** A block that is lifted by a success or another instance lasts at most this much longer here, too short to notice. */
const MEMORY_MS = 1_000;
/** Accounts and addresses under attack at the same time. Beyond this number, blocks are read from MongoDB as usual. */
const MAX_REMEMBERED = 10_000;

/** Blocks that were read recently: a flood is rejected without a MongoDB query, and slows nobody else. */
export interface RecentBlocks {
  /** The end of the block, or null when none is cached. */
  find(key: string): Date | null;
  remember(key: string, until: Date): void;
  forget(key: string): void;
}

export function createRecentBlocks(clock: Clock): RecentBlocks {
  const blocks = new Map<string, { until: Date; expiresAtMs: number }>();
  return {
    find(key) {
      const block = blocks.get(key);
      if (!block) return null;
      if (block.expiresAtMs > clock.now()) return block.until;
      blocks.delete(key);
      return null;
    },

    remember(key, until) {
      if (blocks.size >= MAX_REMEMBERED) blocks.clear();
      blocks.set(key, { until, expiresAtMs: Math.min(until.getTime(), clock.now() + MEMORY_MS) });
    },

    forget(key) {
      blocks.delete(key);
    },
  };
}

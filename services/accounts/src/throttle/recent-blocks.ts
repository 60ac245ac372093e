import type { Clock } from '@tollgate/runtime/clock';

/** A block that a success or another instance lifts goes on for as long as this here; a person does not notice it. */
const MEMORY_MS = 1_000;
/** Of accounts and addresses under attack at the same moment. Beyond it MongoDB responds, as it does anyway. */
const MAX_REMEMBERED = 10_000;

/** Blocks that were read a moment ago: a flood at one of them is rejected without a question to MongoDB, and slows nobody. */
export interface RecentBlocks {
  /** Until when attempts are blocked, or null when nothing is known of it. */
  find(key: string): Date | null;
  remember(key: string, until: Date): void;
  forget(key: string): void;
}

export function createRecentBlocks(clock: Clock): RecentBlocks {
  const blocks = new Map<string, { until: Date; forgottenAtMs: number }>();
  return {
    find(key) {
      const block = blocks.get(key);
      if (!block) return null;
      if (block.forgottenAtMs > clock.now()) return block.until;
      blocks.delete(key);
      return null;
    },

    remember(key, until) {
      if (blocks.size >= MAX_REMEMBERED) blocks.clear();
      blocks.set(key, { until, forgottenAtMs: Math.min(until.getTime(), clock.now() + MEMORY_MS) });
    },

    forget(key) {
      blocks.delete(key);
    },
  };
}

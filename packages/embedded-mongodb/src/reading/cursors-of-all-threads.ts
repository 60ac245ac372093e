import type { CursorRegistry } from '../cursors.ts';
import { LongRead } from '../storage/read-budget.ts';
import type { ReaderPool } from './reader-pool.ts';

/** Combines the cursors of this thread with those of the reader threads. */
export function cursorsOfAllThreads(own: CursorRegistry, pool: ReaderPool): CursorRegistry {
  return {
    open: own.open,
    next(id, namespace, batchSize) {
      if (pool.holderOf(id.toString()) !== undefined) throw new LongRead('the cursor is on another thread');
      return own.next(id, namespace, batchSize);
    },
    kill(id) {
      const holder = pool.holderOf(id.toString());
      holder?.killCursor(id.toString());
      return holder !== undefined || own.kill(id);
    },
    // Only cursors of this thread can have read a group of writes that is rolled back.
    killAll: own.killAll,
    get openCount() {
      return own.openCount + pool.openCursors;
    },
    close: own.close,
  };
}

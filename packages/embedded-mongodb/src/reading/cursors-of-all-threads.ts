import type { CursorRegistry } from '../cursors.ts';
import { LongRead } from '../storage/read-budget.ts';
import type { ReaderPool } from './reader-pool.ts';

/** The cursors of this thread together with those that reader threads hold. */
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
    // When a group of writes is taken back, only cursors of this thread may have seen it.
    killAll: own.killAll,
    get openCount() {
      return own.openCount + pool.openCursors;
    },
    close: own.close,
  };
}

import { type Reader, startReader } from './reader.ts';

const PROGRAM = new URL('./reader-thread.ts', import.meta.url);
/** The pool starts another thread only if all threads are busy. */
const MAX_READERS = 3;

/** The threads that run long reads. The first thread starts with the first long read. */
export interface ReaderPool {
  /** The thread to run a read on. */
  reader(): Reader;
  /** The thread that holds a cursor. */
  holderOf(cursor: string): Reader | undefined;
  readonly openCursors: number;
  close(): Promise<void>;
}

/** @param path the data file, which a store in this process has open */
export function createReaderPool(path: string, program = PROGRAM): ReaderPool {
  const readers = new Set<Reader>();

  function startAnother(): Reader {
    const reader = startReader({ path, program, onEnd: () => readers.delete(reader) });
    readers.add(reader);
    return reader;
  }

  return {
    reader() {
      const [leastBusy] = [...readers].sort((a, b) => a.pendingReads - b.pendingReads);
      if (leastBusy === undefined) return startAnother();
      return leastBusy.pendingReads > 0 && readers.size < MAX_READERS ? startAnother() : leastBusy;
    },
    holderOf: (cursor) => [...readers].find((reader) => reader.holdsCursor(cursor)),
    get openCursors() {
      return [...readers].reduce((sum, { openCursors }) => sum + openCursors, 0);
    },
    async close() {
      await Promise.all([...readers].map((reader) => reader.close()));
    },
  };
}

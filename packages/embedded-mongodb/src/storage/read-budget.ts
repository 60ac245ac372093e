/** Read by a command before it is run on a thread of its own instead: a few milliseconds' worth. */
const MAX_RECORDS = 1000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Ends a read that is too long for the thread that serves the writers. It has changed nothing and can be run again elsewhere. */
export class LongRead extends Error {
  override name = 'LongRead';
}

/** How much a command may read on the thread that also writes. */
export interface ReadBudget {
  /** Runs a read-only command. @throws LongRead as soon as it has read more than may hold up others. */
  within<T>(read: () => T): T;
  /** Counts a record that is read or kept; free of charge outside of `within`. */
  spend(bytes: number): void;
  /** Notes what the read depends on: throws once that is dropped. */
  relyOn(assertThere: () => void): void;
  /** What the read at hand depends on so far: to be asserted again before its results are given later. */
  reliedOn(): readonly (() => void)[];
}

export function createReadBudget(): ReadBudget {
  let isLimited = false;
  let records = 0;
  let bytes = 0;
  let relied: (() => void)[] = [];
  return {
    within(read) {
      isLimited = true;
      records = 0;
      bytes = 0;
      try {
        return read();
      } finally {
        isLimited = false;
        relied = [];
      }
    },
    spend(size) {
      if (!isLimited) return;
      records += 1;
      bytes += size;
      if (records > MAX_RECORDS || bytes > MAX_BYTES)
        throw new LongRead('the read takes a thread of its own');
    },
    relyOn(assertThere) {
      if (isLimited) relied.push(assertThere);
    },
    reliedOn: () => relied,
  };
}

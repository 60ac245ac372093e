import { STEPS_PER_MS, STEPS_PER_RECORD, spendSteps, withComputationLimit } from '../computation-limit.ts';

/** How much a command may read and compute before it moves to a reader thread. */
const MAX_STEPS = 4 * STEPS_PER_MS;
/** Bytes per step of records that are returned without decoding. */
const BYTES_PER_STEP = 100;

/** Ends a read that is too long for the writing thread. The read has changed nothing and can run again elsewhere. */
export class LongRead extends Error {
  override name = 'LongRead';
}

/** How much a command may read on the thread that also writes. */
export interface ReadBudget {
  /** Runs a read-only command. @throws LongRead as soon as it exceeds the budget */
  within<T>(read: () => T): T;
  /** Charges a record that is read or kept. Does nothing outside `within`. */
  spend(bytes: number): void;
  /** Adds a dependency of the read. `assertThere` throws once the dependency is dropped. */
  relyOn(assertThere: () => void): void;
  /** The dependencies of the current read, to be asserted again before its results are returned later. */
  reliedOn(): readonly (() => void)[];
}

export function createReadBudget(): ReadBudget {
  let isLimited = false;
  let relied: (() => void)[] = [];
  return {
    within(read) {
      isLimited = true;
      try {
        return withComputationLimit({ maxSteps: MAX_STEPS, exceeded: endLongRead }, read);
      } finally {
        isLimited = false;
        relied = [];
      }
    },
    spend(bytes) {
      if (isLimited) spendSteps(STEPS_PER_RECORD + bytes / BYTES_PER_STEP);
    },
    relyOn(assertThere) {
      if (isLimited) relied.push(assertThere);
    },
    reliedOn: () => relied,
  };
}

function endLongRead(): never {
  throw new LongRead('the read takes a thread of its own');
}

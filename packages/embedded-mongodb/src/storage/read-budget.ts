import { STEPS_PER_MS, STEPS_PER_RECORD, spendSteps, withComputationLimit } from '../computation-limit.ts';

/** What a command may read and compute before it is run on a thread of its own instead. */
const MAX_STEPS = 4 * STEPS_PER_MS;
/** Of records that are passed on as they are. */
const BYTES_PER_STEP = 100;

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

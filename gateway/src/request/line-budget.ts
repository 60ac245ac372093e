import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';

export interface LineBudget {
  /** Whether one more line may be written in this second. */
  take(): boolean;
  /** Returns how many lines were withheld in the seconds before this one, once. */
  takeWithheld(): number;
}

/** Bounds log lines that any client can cause, so that a flood of requests cannot fill the disk. */
export function createLineBudget({
  linesPerSecond,
  clock,
}: {
  linesPerSecond: number;
  clock: Clock;
}): LineBudget {
  let second = 0;
  let written = 0;
  let withheld = 0;
  let withheldBefore = 0;

  function turn(): void {
    const current = Math.floor(clock.now() / SECOND_MS);
    if (current === second) return;
    second = current;
    written = 0;
    withheldBefore += withheld;
    withheld = 0;
  }

  return {
    take() {
      turn();
      if (written === linesPerSecond) {
        withheld += 1;
        return false;
      }
      written += 1;
      return true;
    },
    takeWithheld() {
      turn();
      const count = withheldBefore;
      withheldBefore = 0;
      return count;
    },
  };
}

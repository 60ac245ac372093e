/** A function that runs at most once per interval, however often it is called. */
export interface Throttled {
  (): void;
  /** Forgets a run that is due. */
  cancel(): void;
}

/**
 * The first call runs after `delayMs`, in which others join it; calls that come sooner than `everyMs` after a run join the next one.
 * A run that takes longer than that is waited for, so that a slow server is asked less often.
 */
export function throttle(
  run: () => Promise<unknown>,
  { delayMs, everyMs }: { delayMs: number; everyMs: number },
): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastRunAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let isWanted = false;

  function schedule() {
    if (timer !== undefined || isRunning) return;
    timer = setTimeout(start, Math.max(delayMs, lastRunAt + everyMs - Date.now()));
  }

  async function start() {
    timer = undefined;
    isRunning = true;
    isWanted = false;
    lastRunAt = Date.now();
    try {
      await run();
    } finally {
      isRunning = false;
      if (isWanted) schedule();
    }
  }

  return Object.assign(
    () => {
      isWanted = true;
      schedule();
    },
    {
      cancel() {
        clearTimeout(timer);
        timer = undefined;
        isWanted = false;
      },
    },
  );
}

/**
 * A function that runs at most once per interval, however often it is called. The first call runs after `delayMs`, and calls
 * within that delay join it. Calls within `everyMs` after the start of a run join the next one. The next run waits until a slow
 * run has finished, so that a slow server gets fewer requests.
 */
export function throttle(
  run: () => Promise<unknown>,
  { delayMs, everyMs }: { delayMs: number; everyMs: number },
) {
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
      /** Cancels the pending run. */
      cancel() {
        clearTimeout(timer);
        timer = undefined;
        isWanted = false;
      },
    },
  );
}

/**
 * Where connections wait after a slow request. One of them proceeds in every second turn of the event loop, so that
 * requests of other connections run, and are committed, between theirs. Without it, a few clients that repeat slow writes
 * get nearly all turns.
 */
export interface SlowLane {
  /** Resolves when the connection may run its next request. */
  turn(): Promise<void>;
}

export function createSlowLane(): SlowLane {
  const waiting: (() => void)[] = [];

  function proceed(): void {
    waiting.shift()?.();
    if (waiting.length > 0) afterOthers(proceed);
  }

  return {
    turn: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) afterOthers(proceed);
      }),
  };
}

/** Skips one turn, in which writes of other connections that have just run are committed. */
function afterOthers(run: () => void): void {
  setImmediate(() => setImmediate(run));
}

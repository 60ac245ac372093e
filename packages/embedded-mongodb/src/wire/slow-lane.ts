/**
 * Where connections wait after a slow request. One of them proceeds in each turn of the event loop, so that requests of
 * other connections run between theirs. Without it, a few clients that repeat slow writes get nearly all turns.
 */
export interface SlowLane {
  /** Resolves when the connection may run its next request. */
  turn(): Promise<void>;
}

export function createSlowLane(): SlowLane {
  const waiting: (() => void)[] = [];

  function proceed(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(proceed);
  }

  return {
    turn: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) setImmediate(proceed);
      }),
  };
}

let waiting: (() => void)[] = [];

/**
 * Sends a reply at the end of this turn of the event loop, together with those of other connections. The first write wakes
 * the client's process, which costs more than reading a document. The next ones find it awake.
 */
export function sendAtEndOfTurn(send: () => void): void {
  if (waiting.push(send) > 1) return;
  setImmediate(() => {
    const sends = waiting;
    waiting = [];
    for (const one of sends) one();
  });
}

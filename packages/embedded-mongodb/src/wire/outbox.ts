/**
 * Sends the replies of one turn of the event loop together at its end. The first write wakes the client's process, which
 * costs more than reading a document. The next ones find it awake.
 */
export interface Outbox {
  add(send: () => void): void;
}

export function createOutbox(): Outbox {
  let waiting: (() => void)[] = [];

  function sendAll(): void {
    const sends = waiting;
    waiting = [];
    for (const send of sends) send();
  }

  return {
    add(send) {
      if (waiting.push(send) === 1) setImmediate(sendAll);
    },
  };
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections that send wire messages concurrently. Each waits for its reply before it sends the next message. */
export interface WireConnections {
  /** Resolves when every message has its reply. */
  exchange(messages: readonly Buffer[]): Promise<void>;
  close(): void;
}

export async function openConnections(port: number, count: number): Promise<WireConnections> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      await once(socket, 'connect');
      return socket;
    }),
  );
  return {
    async exchange(messages) {
      const rest = messages.values();
      await Promise.all(sockets.map((socket) => exchangeUntilDone(socket, rest)));
    },
    close() {
      for (const socket of sockets) socket.end();
    },
  };
}

function exchangeUntilDone(socket: Socket, messages: Iterator<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer[] = [];
    let length = 0;
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      length += chunk.length;
      if (length < (received[0] as Buffer).readInt32LE(0)) return;
      const reply = received;
      received = [];
      length = 0;
      if (reply.some((part) => part.includes('errmsg'))) end(() => reject(new Error(String(reply[0]))));
      else sendNext();
    });
    function sendNext(): void {
      const next = messages.next();
      if (next.done) end(resolve);
      else socket.write(next.value);
    }
    function end(settle: () => void): void {
      socket.removeAllListeners('data');
      socket.removeListener('error', reject);
      settle();
    }
    sendNext();
  });
}

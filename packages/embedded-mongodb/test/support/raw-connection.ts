import { connect, type Socket } from 'node:net';
import { type Document, deserialize } from 'bson';

const OP_MSG = 2013;
const HEADER_BYTES = 16;

/** A connection that sends raw bytes and reads the replies one by one. */
export interface RawConnection {
  send(bytes: Buffer): void;
  /** Resolves when the system has taken everything that was sent. */
  flushed(): Promise<void>;
  /** The next reply, or undefined once the server has closed the connection. */
  reply(): Promise<Document | undefined>;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  close(): void;
}

export function openRawConnection(port: number): Promise<RawConnection> {
  const socket: Socket = connect(port, '127.0.0.1');
  const replies: Document[] = [];
  let received = Buffer.alloc(0);
  let isClosed = false;
  let wake = () => {};

  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
      const length = received.readInt32LE(0);
      const bodyStart = received.readInt32LE(12) === OP_MSG ? HEADER_BYTES + 5 : HEADER_BYTES + 20;
      replies.push(deserialize(received.subarray(bodyStart, length)));
      received = received.subarray(length);
    }
    wake();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      wake();
      resolve();
    });
  });

  const connection: RawConnection = {
    send: (bytes) => void socket.write(bytes),
    flushed: () => new Promise((resolve) => socket.write('', () => resolve())),
    async reply() {
      while (replies.length === 0 && !isClosed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return replies.shift();
    },
    closed,
    close: () => socket.destroy(),
  };
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(connection));
    socket.once('close', () => resolve(connection));
  });
}

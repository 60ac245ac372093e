import { once } from 'node:events';
import { connect } from 'node:net';

/** A connection for what takes more than one request and one response. */
export interface RawConnection {
  write(text: string): void;
  /** Everything that has arrived. */
  received(): string;
  /** Resolves when this text has arrived. */
  until(text: string): Promise<void>;
  /** Resolves when the server has closed the connection. */
  closed: Promise<unknown>;
}

export function openRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  // A reset closes the connection, too.
  socket.on('error', () => undefined);
  return {
    write: (text) => void socket.write(text, 'latin1'),
    received: () => received,
    async until(text) {
      while (!received.includes(text)) await once(socket, 'data');
    },
    closed: once(socket, 'close'),
  };
}

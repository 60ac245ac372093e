import { connect, type Socket } from 'node:net';
import { type Document, deserialize, serialize } from 'bson';

const OP_MSG = 2013;
const HEADER_BYTES = 16;

/** An OP_MSG with one body section. */
export function opMsg(body: Document, flags = 0): Buffer {
  const bytes = serialize(body);
  const message = Buffer.alloc(HEADER_BYTES + 5 + bytes.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(1, 4);
  message.writeInt32LE(OP_MSG, 12);
  message.writeUInt32LE(flags, HEADER_BYTES);
  message.set(bytes, HEADER_BYTES + 5);
  return message;
}

/** Sends bytes on a new connection. Resolves with the first reply, or undefined if the server closes the connection. */
export function exchange(port: number, bytes: Buffer): Promise<Document | undefined> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 4 || received.length < received.readInt32LE(0)) return;
      socket.destroy();
      const bodyStart = received.readInt32LE(12) === OP_MSG ? HEADER_BYTES + 5 : HEADER_BYTES + 20;
      resolve(deserialize(received.subarray(bodyStart)));
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(undefined));
  });
}

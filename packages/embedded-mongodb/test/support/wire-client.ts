import { type Document, serialize } from 'bson';
import { openRawConnection } from './raw-connection.ts';

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
export async function exchange(port: number, bytes: Buffer): Promise<Document | undefined> {
  const connection = await openRawConnection(port);
  connection.send(bytes);
  const reply = await connection.reply();
  connection.close();
  return reply;
}

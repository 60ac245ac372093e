import { type Document, serialize } from 'bson';

const OP_MSG = 2013;
const HEADER_BYTES = 16;

/** An OP_MSG with a body and, as in writes of drivers, a document sequence (a kind-1 section). */
export function opMsg(body: Document, name?: string, documents: Document[] = []): Buffer {
  const parts: Uint8Array[] = [serialize(body)];
  if (name !== undefined) {
    const sequence = [Buffer.from(`${name}\0`), ...documents.map((document) => serialize(document))];
    const head = Buffer.alloc(5);
    head.writeUInt8(1, 0);
    head.writeInt32LE(4 + byteLength(sequence), 1);
    parts.push(head, ...sequence);
  }
  const head = Buffer.alloc(HEADER_BYTES + 5);
  head.writeInt32LE(head.length + byteLength(parts), 0);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, ...parts]);
}

function byteLength(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

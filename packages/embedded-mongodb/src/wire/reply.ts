import { type Document, documentOf, encode } from '../bson/document.ts';
import { asMongoError, errorReply } from '../commands/replies.ts';
import type { CursorBatch } from '../cursors.ts';

/** What a command answers: a document, or a batch of stored documents that are passed on as bytes. */
export type Reply = Document | CursorBatch | EncodedReply;

/** A reply that another thread has encoded. */
export interface EncodedReply {
  encoded: Uint8Array;
}

const BSON_OBJECT = 0x03;
const BSON_ARRAY = 0x04;

/** The reply as BSON, in parts to be written one after the other. */
export function encodeReply(reply: Reply): Uint8Array[] {
  try {
    if (reply instanceof Map) return [encode(reply)];
    return 'encoded' in reply ? [reply.encoded] : encodeCursorReply(reply);
  } catch (error) {
    // A reply that cannot be encoded must not keep the answers behind it from leaving.
    return [encode(errorReply(asMongoError(error)))];
  }
}

/** `{cursor: {firstBatch|nextBatch: […], id, ns}, ok: 1}` around documents that are already BSON. */
function encodeCursorReply(batch: CursorBatch): Uint8Array[] {
  const documents = encodeArray(batch.documents);
  const tail = encode(documentOf({ id: batch.cursorId, ns: batch.namespace }));
  const ok = encode(batch.rest);
  const arrayHead = elementHead(BSON_ARRAY, batch.batchName);
  const cursorHead = elementHead(BSON_OBJECT, 'cursor');
  // The two encoded documents lend their elements: their length prefix and, for `ok`, nothing else is cut off.
  const cursorLength = 4 + arrayHead.length + documents.length + (tail.length - 4);
  const total = 4 + cursorHead.length + cursorLength + (ok.length - 4);
  return [
    int32(total),
    cursorHead,
    int32(cursorLength),
    arrayHead,
    documents,
    tail.subarray(4),
    ok.subarray(4),
  ];
}

function encodeArray(documents: readonly Uint8Array[]): Buffer {
  const names = documents.map((_, position) => String(position));
  const length = documents.reduce(
    (sum, bytes, position) => sum + 2 + (names[position] as string).length + bytes.length,
    5,
  );
  const array = Buffer.allocUnsafe(length);
  let at = array.writeInt32LE(length, 0);
  documents.forEach((bytes, position) => {
    at = array.writeUInt8(BSON_OBJECT, at);
    at += array.write(names[position] as string, at, 'latin1');
    at = array.writeUInt8(0, at);
    array.set(bytes, at);
    at += bytes.length;
  });
  array.writeUInt8(0, at);
  return array;
}

function elementHead(type: number, name: string): Buffer {
  return Buffer.concat([Buffer.of(type), Buffer.from(name), Buffer.of(0)]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32LE(value, 0);
  return bytes;
}

import { type Document, double } from '../bson/document.ts';
import { BsonWriter } from '../bson/encode.ts';
import { BSON_TYPE } from '../bson/value.ts';
import { asMongoError, errorReply } from '../commands/replies.ts';
import type { CursorBatch } from '../cursors.ts';

/** The result of a command: a document, or a batch of stored documents that stay encoded. */
export type Reply = Document | CursorBatch | EncodedReply;

/** A reply that another thread encoded. */
export interface EncodedReply {
  encoded: Uint8Array;
}

/** Room for the fields around the documents of a cursor reply. */
const CURSOR_FIELDS_BYTES = 512;
/** Room for the type and the name of an array element. */
const ELEMENT_HEAD_BYTES = 12;

/** Encodes the reply as BSON after `headBytes` free bytes, which are for the header of the message. */
export function encodeReply(reply: Reply, headBytes: number): Buffer {
  try {
    return written(reply, headBytes);
  } catch (error) {
    // A reply that cannot be encoded must not block the replies after it.
    return written(errorReply(asMongoError(error)), headBytes);
  }
}

function written(reply: Reply, headBytes: number): Buffer {
  const writer = new BsonWriter(headBytes);
  if (reply instanceof Map) writer.writeDocument(reply);
  else if ('encoded' in reply) writer.writeBytes(reply.encoded);
  else writeCursorReply(writer, reply);
  return writer.finish();
}

/** `{cursor: {firstBatch|nextBatch: […], id, ns}, ok: 1}` around documents that are already BSON. */
function writeCursorReply(
  writer: BsonWriter,
  { batchName, documents, cursorId, namespace }: CursorBatch,
): void {
  // Reserved at once, because a growing buffer would copy many megabytes repeatedly.
  writer.reserve(
    documents.reduce((sum, { length }) => sum + length + ELEMENT_HEAD_BYTES, CURSOR_FIELDS_BYTES),
  );
  const reply = writer.openFrame();
  writer.writeHeader(BSON_TYPE.object, 'cursor');
  const cursor = writer.openFrame();
  writer.writeHeader(BSON_TYPE.array, batchName);
  const batch = writer.openFrame();
  for (let at = 0; at < documents.length; at++) {
    writer.writeHeader(BSON_TYPE.object, String(at));
    writer.writeBytes(documents[at] as Uint8Array);
  }
  writer.closeFrame(batch);
  writer.writeElement('id', cursorId);
  writer.writeElement('ns', namespace);
  writer.closeFrame(cursor);
  writer.writeElement('ok', double(1));
  writer.closeFrame(reply);
}

import { type BsonValue, type Document, encode, ObjectId } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { validateForStorage } from '../semantics/storage-validation.ts';
import { withTimestampsFilled } from '../semantics/zero-timestamps.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';

export interface GivenDocument {
  document: Document;
  /** The BSON of the document, if the client sent it as bytes. */
  bytes: Uint8Array | undefined;
}

/** The document as mongod stores it: `_id` is the first field, and empty timestamps hold the current time. */
export function asStored({ document, bytes }: GivenDocument): { document: Document; bytes: Uint8Array } {
  const stored = withTimestampsFilled(withIdFirst(document));
  validateForStorage(stored);
  const storedBytes = stored === document && bytes !== undefined ? bytes : encode(stored);
  if (storedBytes.length > MAX_BSON_OBJECT_BYTES) {
    throw mongoError(
      'BadValue',
      `object to insert too large. size in bytes: ${storedBytes.length}, max size: ${MAX_BSON_OBJECT_BYTES}`,
    );
  }
  return { document: stored, bytes: storedBytes };
}

function withIdFirst(document: Document): Document {
  const id = document.get('_id');
  if (id !== undefined && document.keys().next().value === '_id') return document;
  return new Map<string, BsonValue>([['_id', id === undefined ? new ObjectId() : id], ...document]);
}

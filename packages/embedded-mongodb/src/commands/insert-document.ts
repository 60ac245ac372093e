import { type BsonValue, type Document, encode, ObjectId } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { validateForStorage } from '../semantics/storage-validation.ts';
import { withTimestampsFilled } from '../semantics/zero-timestamps.ts';
import type { Collection } from '../storage/collection.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import { assertValid } from './document-validation.ts';

export interface GivenDocument {
  document: Document;
  /** Its BSON where it came as bytes. */
  bytes: Uint8Array | undefined;
}

/** Stores a new document, if the collection's validator lets it or is bypassed. */
export function insertNew(collection: Collection, document: Document, bypassesValidation: boolean): void {
  const stored = asStored({ document, bytes: undefined });
  if (!bypassesValidation) assertValid(collection, stored.document);
  collection.insert(stored.document, stored.bytes);
}

/** As mongod stores it: with an `_id`, and that first; with the time in empty timestamps. */
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

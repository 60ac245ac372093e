import {
  type BsonValue,
  type Document,
  decode,
  encode,
  integer,
  ObjectId,
  typeName,
} from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { validateForStorage } from '../semantics/storage-validation.ts';
import type { Collection } from '../storage/collection.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import type { Command, CommandRequest } from './command.ts';
import { missingField, readArray, readCollectionName } from './fields.ts';
import { assertWritable, collectionForWrite } from './namespace.ts';
import { ok } from './replies.ts';
import { readOrdered, runWrites } from './write-batch.ts';

export const insert: Command = {
  name: 'insert',
  fields: [
    'insert',
    'documents',
    'ordered',
    'bypassDocumentValidation',
    'stmtId',
    'stmtIds',
    'encryptionInformation',
  ],
  run(request, server) {
    const name = readCollectionName(request);
    assertWritable(server, request.databaseName, name);
    const documents = readInserts(request);
    let collection: Collection | undefined;
    let insertedCount = 0;
    const outcome = runWrites(documents, readOrdered(request), (given) => {
      const { document, bytes } = withIdFirst(given());
      collection ??= collectionForWrite(server, request.databaseName, name);
      collection.insert(document, bytes);
      insertedCount += 1;
    });
    return ok({ n: integer(insertedCount), ...outcome });
  },
};

interface GivenDocument {
  document: Document;
  /** Its BSON where it came as bytes. */
  bytes: Uint8Array | undefined;
}

/** The documents, each decoded when it is its turn, so that a bad one does not stop those before it. */
function readInserts(request: CommandRequest): (() => GivenDocument)[] {
  const sequence = request.sequences.get('documents');
  if (sequence !== undefined) return sequence.map((bytes) => () => ({ document: decode(bytes), bytes }));
  const values = readArray(request, 'documents');
  if (values === undefined) throw missingField(request, 'documents');
  return values.map((value, position) => {
    if (!(value instanceof Map)) {
      throw mongoError(
        'TypeMismatch',
        `BSON field 'insert.documents.${position}' is the wrong type '${typeName(value)}', expected type 'object'`,
      );
    }
    return () => ({ document: value, bytes: undefined });
  });
}

/** As mongod stores it: with an `_id`, and that first. */
function withIdFirst({ document, bytes }: GivenDocument): { document: Document; bytes: Uint8Array } {
  const id = document.get('_id');
  const isFirst = id !== undefined && document.keys().next().value === '_id';
  const stored = isFirst
    ? document
    : new Map<string, BsonValue>([['_id', id === undefined ? new ObjectId() : id], ...document]);
  validateForStorage(stored);
  const storedBytes = isFirst && bytes !== undefined ? bytes : encode(stored);
  if (storedBytes.length > MAX_BSON_OBJECT_BYTES) {
    throw mongoError(
      'BadValue',
      `object to insert too large. size in bytes: ${storedBytes.length}, max size: ${MAX_BSON_OBJECT_BYTES}`,
    );
  }
  return { document: stored, bytes: storedBytes };
}

import { decode, integer, typeName } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Collection } from '../storage/collection.ts';
import type { Command, CommandRequest } from './command.ts';
import { assertValid } from './document-validation.ts';
import { missingField, readArray, readBoolean, readCollectionName } from './fields.ts';
import { asStored, type GivenDocument } from './insert-document.ts';
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
    const bypassesValidation = readBoolean(request, 'bypassDocumentValidation');
    const documents = readInserts(request);
    let collection: Collection | undefined;
    let insertedCount = 0;
    const outcome = runWrites(documents, readOrdered(request), (given) => {
      const { document, bytes } = asStored(given());
      collection ??= collectionForWrite(server, request.databaseName, name);
      if (!bypassesValidation) assertValid(collection, document);
      collection.insert(document, bytes);
      insertedCount += 1;
    });
    return ok({ n: integer(insertedCount), ...outcome });
  },
};

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

import { type Document, decodeRequest, integer } from '../bson/document.ts';
import * as types from '../semantics/field-types.ts';
import type { Collection } from '../storage/collection.ts';
import type { Command, CommandRequest } from './command.ts';
import { asStored, type GivenDocument } from './insert-document.ts';
import { assertWritable, collectionForWrite } from './namespace.ts';
import { ok } from './replies.ts';
import { readOrdered, runWrites } from './write-batch.ts';

export const insert: Command = {
  name: 'insert',
  fields: {
    documents: types.required(types.arrayOf(types.object)),
    ordered: types.boolean,
    bypassDocumentValidation: types.safeBoolean,
    writeConcern: types.any,
  },
  run(request, server) {
    assertWritable(request, server);
    const documents = readInserts(request);
    let collection: Collection | undefined;
    let insertedCount = 0;
    const outcome = runWrites(documents, readOrdered(request), (given) => {
      const { document, bytes } = asStored(given());
      collection ??= collectionForWrite(request, server);
      collection.insert(document, bytes);
      insertedCount += 1;
    });
    return ok({ n: integer(insertedCount), ...outcome });
  },
};

/** Reads the documents. Decoding is deferred, so that the documents before an invalid one are inserted. */
function readInserts(request: CommandRequest): (() => GivenDocument)[] {
  const sequence = request.sequences.get('documents');
  if (sequence !== undefined)
    return sequence.map((bytes) => () => ({ document: decodeRequest(bytes), bytes }));
  const documents = request.body.get('documents') as Document[];
  return documents.map((document) => () => ({ document, bytes: undefined }));
}

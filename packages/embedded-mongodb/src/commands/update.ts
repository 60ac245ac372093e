import { type BsonValue, type Document, documentOf, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { findRecords } from '../planner/find-records.ts';
import * as types from '../semantics/field-types.ts';
import { parseUpdate } from '../semantics/update.ts';
import { changeDocument, insertUpserted } from './change-document.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { assertWritable, collectionForWrite, namedCollection } from './namespace.ts';
import { operationQuery } from './query.ts';
import { ok } from './replies.ts';
import { readOperations, readOrdered, runWrites } from './write-batch.ts';

const OPERATION = types.struct({
  q: types.required(types.object),
  u: types.required(types.modification),
  c: types.mustBeAbsent,
  multi: types.boolean,
  upsert: types.boolean,
  arrayFilters: types.arrayFilters,
  hint: types.hint,
  collation: types.collation,
});

interface Counts {
  /** The number of matched documents and upserts. */
  n: number;
  modified: number;
}

export const update: Command = {
  name: 'update',
  fields: {
    updates: types.required(types.arrayOf(OPERATION)),
    ordered: types.boolean,
    let: types.mustBeEmpty,
    bypassDocumentValidation: types.safeBoolean,
    writeConcern: types.any,
  },
  run(request, server) {
    assertWritable(request, server);
    const counts: Counts = { n: 0, modified: 0 };
    const upserted: BsonValue[] = [];
    const operations = readOperations(request, 'updates', OPERATION);
    const outcome = runWrites(operations, readOrdered(request), (operation, position) => {
      const id = runUpdate(request, server, operation, counts);
      if (id !== undefined) upserted.push(documentOf({ index: integer(position), _id: id }));
    });
    return ok({
      n: integer(counts.n),
      ...(upserted.length > 0 ? { upserted } : {}),
      nModified: integer(counts.modified),
      ...outcome,
    });
  },
};

/** Runs one update. Returns the `_id` of the document that it inserted, if any. */
function runUpdate(
  request: CommandRequest,
  server: ServerContext,
  operation: Document,
  counts: Counts,
): BsonValue | undefined {
  const collection = namedCollection(request, server);
  const query = operationQuery(operation, operation.get('multi') === true ? 0 : 1);
  const changes = parseUpdate(operation.get('u') as BsonValue);
  if (operation.get('multi') === true && changes.kind === 'replacement') {
    throw mongoError('FailedToParse', 'multi update is not supported for replacement-style update');
  }
  const now = new Date();
  let matched = 0;
  if (collection !== undefined) {
    for (const record of findRecords(collection, query)) {
      matched += 1;
      if (changeDocument(collection, record, changes, now).changed) counts.modified += 1;
      counts.n += 1;
    }
  }
  if (matched > 0 || operation.get('upsert') !== true) return undefined;
  const { id } = insertUpserted(collectionForWrite(request, server), query.filter, changes, now);
  counts.n += 1;
  return id;
}

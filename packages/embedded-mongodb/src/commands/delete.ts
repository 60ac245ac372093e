import { type Document, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { findRecords } from '../planner/find-records.ts';
import * as types from '../semantics/field-types.ts';
import type { Collection } from '../storage/collection.ts';
import type { Command } from './command.ts';
import { numberOf } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { operationQuery } from './query.ts';
import { ok } from './replies.ts';
import { readOperations, readOrdered, runWrites } from './write-batch.ts';

const zeroOrOne: types.FieldType = {
  check(value) {
    const limit = numberOf(value);
    if (limit === 0 || limit === 1) return;
    throw mongoError(
      'FailedToParse',
      `The limit field in delete objects must be 0 or 1. Got ${String(value)}`,
    );
  },
};

const OPERATION = types.struct({
  q: types.required(types.object),
  limit: types.required(zeroOrOne),
  collation: types.collation,
  hint: types.hint,
});

export const deleteCommand: Command = {
  name: 'delete',
  fields: {
    deletes: types.required(types.arrayOf(OPERATION)),
    ordered: types.boolean,
    let: types.mustBeEmpty,
    bypassDocumentValidation: types.safeBoolean,
    writeConcern: types.any,
  },
  run(request, server) {
    const collection = namedCollection(request, server);
    let deletedCount = 0;
    const operations = readOperations(request, 'deletes', OPERATION);
    const outcome = runWrites(operations, readOrdered(request), (operation) => {
      deletedCount += runDelete(collection, operation);
    });
    return ok({ n: integer(deletedCount), ...outcome });
  },
};

function runDelete(collection: Collection | undefined, operation: Document): number {
  const query = operationQuery(operation, numberOf(operation.get('limit')) === 1 ? 1 : 0);
  if (collection === undefined) return 0;
  let n = 0;
  for (const { rid, document } of findRecords(collection, query)) {
    collection.remove(rid, document);
    n += 1;
  }
  return n;
}

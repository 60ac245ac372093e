import { type Document, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { findRecords } from '../planner/find-records.ts';
import { parseCollation } from '../semantics/collation.ts';
import type { Collection } from '../storage/collection.ts';
import { collationFor } from './collation.ts';
import type { Command, CommandRequest } from './command.ts';
import { deadlineOf } from './deadline.ts';
import { numberOf, readCollectionName, readDocuments } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';
import { parseRequestFilter } from './request-filter.ts';
import { assertOperationFields, assertRequired, readOrdered, runWrites } from './write-batch.ts';

const OPERATION_FIELDS = ['q', 'limit', 'collation', 'hint', 'sampleId'];

export const deleteCommand: Command = {
  name: 'delete',
  fields: [
    'delete',
    'deletes',
    'ordered',
    'let',
    'stmtId',
    'stmtIds',
    'bypassDocumentValidation',
    'encryptionInformation',
  ],
  run(request, server) {
    readCollectionName(request);
    const collection = namedCollection(request, server);
    const checkDeadline = deadlineOf(request);
    let deletedCount = 0;
    const operations = readDocuments(request, 'deletes');
    for (const operation of operations) assertOperation(operation);
    const outcome = runWrites(operations, readOrdered(request), (operation) => {
      deletedCount += runDelete(request, collection, operation, checkDeadline);
    });
    return ok({ n: integer(deletedCount), ...outcome });
  },
};

/** What mongod's parser refuses: then nothing of the batch is run. */
function assertOperation(operation: Document): void {
  assertOperationFields('delete.deletes', operation, OPERATION_FIELDS);
  assertRequired('delete.deletes', operation, ['q', 'limit']);
  readLimit(operation);
  parseCollation(operation.get('collation'));
}

function runDelete(
  request: CommandRequest,
  collection: Collection | undefined,
  operation: Document,
  checkDeadline: (() => void) | undefined,
): number {
  const collation = collationFor(operation.get('collation'), collection);
  const filter = parseRequestFilter(request, operation.get('q'), collation);
  const limit = readLimit(operation);
  if (collection === undefined) return 0;
  let n = 0;
  const found = findRecords(collection, {
    filter,
    collation,
    limit,
    hint: operation.get('hint'),
    checkDeadline,
    isWriting: true,
  });
  for (const { rid, document } of found) {
    collection.remove(rid, document);
    n += 1;
  }
  return n;
}

function readLimit(operation: Document): number {
  const limit = numberOf(operation.get('limit'));
  if (limit === 0 || limit === 1) return limit;
  throw mongoError('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${limit}`);
}

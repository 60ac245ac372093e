import { type BsonValue, type Document, documentOf, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { findRecords } from '../planner/find-records.ts';
import { type Collation, parseCollation } from '../semantics/collation.ts';
import { type ParsedUpdate, parseUpdate } from '../semantics/update.ts';
import { changeDocument, insertUpserted } from './change-document.ts';
import { collationFor } from './collation.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { deadlineOf } from './deadline.ts';
import { readBoolean, readCollectionName, readDocuments } from './fields.ts';
import { assertWritable, collectionForWrite, namedCollection } from './namespace.ts';
import { ok } from './replies.ts';
import { parseRequestFilter, variablesOf } from './request-filter.ts';
import { assertOperationFields, assertRequired, readOrdered, runWrites } from './write-batch.ts';

const OPERATION_FIELDS = [
  'q',
  'u',
  'c',
  'multi',
  'upsert',
  'upsertSupplied',
  'arrayFilters',
  'hint',
  'collation',
  'sampleId',
];

interface Counts {
  /** Matched documents; upserts count as well. */
  n: number;
  modified: number;
}

export const update: Command = {
  name: 'update',
  fields: [
    'update',
    'updates',
    'ordered',
    'let',
    'bypassDocumentValidation',
    'stmtId',
    'stmtIds',
    'encryptionInformation',
  ],
  run(request, server) {
    assertWritable(server, request.databaseName, readCollectionName(request));
    const counts: Counts = { n: 0, modified: 0 };
    const upserted: BsonValue[] = [];
    const operations = readDocuments(request, 'updates');
    for (const operation of operations) assertOperation(operation);
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

/** What mongod's parser refuses: then nothing of the batch is run. */
function assertOperation(operation: Document): void {
  assertOperationFields('update.updates', operation, OPERATION_FIELDS);
  assertRequired('update.updates', operation, ['q', 'u']);
  const changes = operation.get('u');
  if (!(changes instanceof Map) && !Array.isArray(changes)) {
    throw mongoError('FailedToParse', 'Update argument must be either an object or an array');
  }
  if (operation.has('c') && !Array.isArray(changes)) {
    throw mongoError(51198, 'Constant values may only be specified for pipeline updates');
  }
  for (const flag of ['multi', 'upsert']) readFlag(operation, flag);
  parseCollation(operation.get('collation'));
}

/** Runs one update; gives the `_id` of the document that it inserted, if it did. */
function runUpdate(
  request: CommandRequest,
  server: ServerContext,
  operation: Document,
  counts: Counts,
): BsonValue | undefined {
  const collection = namedCollection(request, server);
  const collation = collationFor(operation.get('collation'), collection);
  const filter = parseRequestFilter(request, operation.get('q'), collation);
  const changes = readUpdate(request, operation, collation);
  const isMulti = readFlag(operation, 'multi');
  if (isMulti && changes.kind === 'replacement') {
    throw mongoError('FailedToParse', 'multi update is not supported for replacement-style update');
  }
  const options = { now: new Date(), bypassesValidation: readBoolean(request, 'bypassDocumentValidation') };
  let matched = 0;
  if (collection !== undefined) {
    const found = findRecords(collection, {
      filter,
      collation,
      limit: isMulti ? 0 : 1,
      hint: operation.get('hint'),
      checkDeadline: deadlineOf(request),
      isWriting: true,
    });
    for (const record of found) {
      matched += 1;
      if (changeDocument(collection, record, changes, options).changed) counts.modified += 1;
      counts.n += 1;
    }
  }
  if (matched > 0 || !readFlag(operation, 'upsert')) return undefined;
  const target = collectionForWrite(server, request.databaseName, readCollectionName(request));
  const { id } = insertUpserted(target, filter, changes, options);
  counts.n += 1;
  return id;
}

function readUpdate(
  request: CommandRequest,
  operation: Document,
  collation: Collation | undefined,
): ParsedUpdate {
  const changes = operation.get('u') as BsonValue;
  const arrayFilters = operation.get('arrayFilters');
  if (arrayFilters !== undefined && !Array.isArray(arrayFilters)) {
    throw mongoError('TypeMismatch', "BSON field 'update.updates.arrayFilters' must be an array");
  }
  const variables = new Map([...variablesOf(request, collation), ...constantsOf(operation)]);
  return parseUpdate(changes, {
    ...(arrayFilters === undefined ? {} : { arrayFilters }),
    variables,
    collation,
  });
}

/** `c`: constants for a pipeline update. */
function constantsOf(operation: Document): Document {
  const constants = operation.get('c');
  return constants instanceof Map ? constants : new Map();
}

function readFlag(operation: Document, field: string): boolean {
  const value = operation.get(field);
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw mongoError(
    'TypeMismatch',
    `BSON field 'update.updates.${field}' is the wrong type, expected type 'bool'`,
  );
}

import { encode, long } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import type { FoundRecord } from '../planner/execute.ts';
import { prepareQuery, type RecordQuery } from '../planner/find-records.ts';
import type { KeyWindow } from '../planner/key-window.ts';
import type { Collection } from '../storage/collection.ts';
import { collationFor } from './collation.ts';
import type { Command, CommandRequest } from './command.ts';
import { deadlineOf } from './deadline.ts';
import { readBoolean, readCollectionName, readCount, readDocument } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { type Project, readProject } from './project.ts';
import { parseRequestFilter } from './request-filter.ts';

export const FIND_FIELDS = [
  'find',
  'filter',
  'sort',
  'projection',
  'hint',
  'skip',
  'limit',
  'batchSize',
  'singleBatch',
  'collation',
  'let',
  'min',
  'max',
  'returnKey',
  'showRecordId',
  'tailable',
  'awaitData',
  'oplogReplay',
  'noCursorTimeout',
  'allowPartialResults',
  'allowDiskUse',
  'readOnce',
];

export const find: Command = {
  name: 'find',
  fields: FIND_FIELDS,
  run(request, server) {
    const collection = namedCollection(request, server);
    const query = readFindQuery(request, collection);
    const project = readProject(request, 'projection', query.collation);
    const records = collection === undefined ? [].values() : prepareQuery(collection, query).run();
    return server.cursors.open({
      namespace: `${request.databaseName}.${readCollectionName(request)}`,
      documents: documentBytes(records, project, readBoolean(request, 'showRecordId')),
      batchSize: readCount(request, 'batchSize'),
      singleBatch: readBoolean(request, 'singleBatch'),
      noTimeout: readBoolean(request, 'noCursorTimeout'),
    });
  },
};

/** Reads what `find` asks for; shared with `explain`. */
export function readFindQuery(request: CommandRequest, collection: Collection | undefined): RecordQuery {
  if (readBoolean(request, 'returnKey')) throw notImplemented("find with 'returnKey'");
  assertNotTailable(request, collection);
  const collation = collationFor(request.body.get('collation'), collection);
  return {
    filter: parseRequestFilter(request, readDocument(request, 'filter'), collation),
    collation,
    sort: readDocument(request, 'sort'),
    skip: readCount(request, 'skip'),
    limit: readCount(request, 'limit'),
    hint: request.body.get('hint'),
    window: readWindow(request),
    checkDeadline: deadlineOf(request),
  };
}

/** Only capped collections have tailable cursors, and there are none. */
function assertNotTailable(request: CommandRequest, collection: Collection | undefined): void {
  const isTailable = readBoolean(request, 'tailable');
  if (readBoolean(request, 'awaitData') && !isTailable) {
    throw mongoError('FailedToParse', 'Cannot set awaitData without tailable');
  }
  if (isTailable && collection !== undefined) {
    throw mongoError(
      'BadValue',
      `error processing query: ns=${collection.namespace} tailable cursor requested on non capped collection`,
    );
  }
}

function readWindow(request: CommandRequest): KeyWindow | undefined {
  const [min, max] = ['min', 'max'].map((field) => {
    const keys = readDocument(request, field);
    return keys !== undefined && keys.size > 0 ? keys : undefined;
  });
  return min === undefined && max === undefined ? undefined : { min, max };
}

function* documentBytes(
  records: Iterable<FoundRecord>,
  project: Project | undefined,
  showsRecordId: boolean,
): Generator<Uint8Array, void, undefined> {
  for (const record of records) {
    if (project === undefined && !showsRecordId) {
      yield record.bytes;
      continue;
    }
    const document = project === undefined ? record.document : project(record.document, record.position);
    yield encode(showsRecordId ? new Map([...document, ['$recordId', long(record.rid)]]) : document);
  }
}

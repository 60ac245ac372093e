import { encode } from '../bson/document.ts';
import { notImplemented } from '../bson/mongo-error.ts';
import type { FoundRecord } from '../planner/execute.ts';
import { prepareQuery, type RecordQuery } from '../planner/find-records.ts';
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
  'ntoreturn',
];
const FLAGS_NOT_SERVED = ['tailable', 'awaitData', 'returnKey', 'showRecordId'];

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
      documents: documentBytes(records, project),
      batchSize: readCount(request, 'batchSize'),
      singleBatch: readBoolean(request, 'singleBatch'),
      noTimeout: readBoolean(request, 'noCursorTimeout'),
    });
  },
};

/** Reads what `find` asks for; shared with `explain`. */
export function readFindQuery(request: CommandRequest, collection: Collection | undefined): RecordQuery {
  for (const flag of FLAGS_NOT_SERVED) {
    if (readBoolean(request, flag)) throw notImplemented(`find with '${flag}'`);
  }
  if (readDocument(request, 'min') !== undefined || readDocument(request, 'max') !== undefined) {
    throw notImplemented("find with 'min' or 'max'");
  }
  const collation = collationFor(request.body.get('collation'), collection);
  return {
    filter: parseRequestFilter(request, readDocument(request, 'filter'), collation),
    collation,
    sort: readDocument(request, 'sort'),
    skip: readCount(request, 'skip'),
    limit: readCount(request, 'limit'),
    hint: request.body.get('hint'),
    checkDeadline: deadlineOf(request),
  };
}

function* documentBytes(
  records: Iterable<FoundRecord>,
  project: Project | undefined,
): Generator<Uint8Array, void, undefined> {
  for (const record of records) {
    yield project === undefined ? record.bytes : encode(project(record.document, record.position));
  }
}

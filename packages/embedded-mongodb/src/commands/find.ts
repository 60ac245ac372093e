import { encode } from '../bson/document.ts';
import type { FoundRecord } from '../planner/execute.ts';
import { prepareQuery, type RecordQuery } from '../planner/find-records.ts';
import type { KeyWindow } from '../planner/key-window.ts';
import * as types from '../semantics/field-types.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import type { Command, CommandRequest } from './command.ts';
import { readBoolean, readCollectionName, readCount, readDocument } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { type Project, readProject } from './project.ts';
import { readQuery } from './query.ts';

export const find: Command = {
  name: 'find',
  fields: {
    filter: types.strictObject,
    sort: types.strictObject,
    projection: types.strictObject,
    hint: types.hint,
    skip: types.count,
    limit: types.count,
    batchSize: types.count,
    singleBatch: types.strictBoolean,
    min: types.strictObject,
    max: types.strictObject,
    collation: types.collation,
    let: types.mustBeEmpty,
    noCursorTimeout: types.strictBoolean,
    allowDiskUse: types.strictBoolean,
    allowPartialResults: types.mustBeFalse,
    awaitData: types.mustBeFalse,
    oplogReplay: types.mustBeFalse,
    readOnce: types.mustBeFalse,
    returnKey: types.mustBeFalse,
    showRecordId: types.mustBeFalse,
    tailable: types.mustBeFalse,
  },
  run(request, server) {
    const collection = namedCollection(request, server);
    const query = findQuery(request);
    const project = readProject(request, 'projection');
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

export function findQuery(request: CommandRequest): RecordQuery {
  return { ...readQuery(request, 'filter'), window: readWindow(request) };
}

function readWindow(request: CommandRequest): KeyWindow | undefined {
  const [min, max] = ['min', 'max'].map((field) => {
    const keys = readDocument(request, field);
    return keys?.size ? keys : undefined;
  });
  return min === undefined && max === undefined ? undefined : { min, max };
}

export function* documentBytes(
  records: Iterable<FoundRecord>,
  project?: Project,
): Generator<Uint8Array, void, undefined> {
  for (const record of records)
    yield project === undefined ? record.bytes : encode(project(record.document), MAX_BSON_OBJECT_BYTES);
}

import { encode } from '../bson/document.ts';
import type { FoundRecord } from '../planner/execute.ts';
import { prepareQuery } from '../planner/find-records.ts';
import * as types from '../semantics/field-types.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import type { Command } from './command.ts';
import { readBoolean, readCollectionName, readCount } from './fields.ts';
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
    min: types.mustBeEmpty,
    max: types.mustBeEmpty,
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
    const query = readQuery(request, 'filter');
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

function* documentBytes(
  records: Iterable<FoundRecord>,
  project: Project | undefined,
): Generator<Uint8Array, void, undefined> {
  for (const record of records)
    yield project === undefined ? record.bytes : encode(project(record.document), MAX_BSON_OBJECT_BYTES);
}

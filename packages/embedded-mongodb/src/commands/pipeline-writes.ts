import { randomUUID } from 'node:crypto';
import type { MergeTarget, Namespace, PipelineWrites } from '../aggregation/stage.ts';
import { type BsonValue, type Document, documentOf } from '../bson/document.ts';
import { findRecords } from '../planner/find-records.ts';
import { type Collation, sameCollation } from '../semantics/collation.ts';
import { parseFilter } from '../semantics/filter.ts';
import type { Collection } from '../storage/collection.ts';
import type { IndexTable } from '../storage/index-table.ts';
import { changeDocument } from './change-document.ts';
import type { CommandRequest, ServerContext } from './command.ts';
import { readBoolean } from './fields.ts';
import { insertNew } from './insert-document.ts';
import { assertWritable, collectionForWrite, createNamed } from './namespace.ts';

/** What `$out` and `$merge` of a request write to. */
export function pipelineWrites(
  request: CommandRequest,
  server: ServerContext,
  collation: Collation | undefined,
): PipelineWrites {
  const inDatabase = (target: Namespace) => target.databaseName ?? request.databaseName;
  const bypassesValidation = readBoolean(request, 'bypassDocumentValidation');
  return {
    replaceCollection: (target, documents) =>
      replaceCollection(server, inDatabase(target), target.collectionName, documents, bypassesValidation),
    mergeInto: (target) =>
      mergeTarget(
        collectionForWrite(server, inDatabase(target), target.collectionName),
        collation,
        bypassesValidation,
      ),
  };
}

/** By way of another collection with the same indexes, so that a refused document leaves all as it was. */
function replaceCollection(
  server: ServerContext,
  databaseName: string,
  name: string,
  documents: Iterable<Document>,
  bypassesValidation: boolean,
): void {
  assertWritable(server, databaseName, name);
  const { store } = server;
  const made = [...documents];
  const existing = store.collection(databaseName, name);
  const replacement = createNamed(
    server,
    databaseName,
    `tmp.agg_out.${randomUUID()}`,
    existing?.options ?? documentOf({}),
  );
  try {
    for (const { definition } of existing?.indexes.slice(1) ?? []) store.createIndex(replacement, definition);
    for (const document of made) insertNew(replacement, document, bypassesValidation);
  } catch (error) {
    store.dropCollection(replacement);
    throw error;
  }
  if (existing !== undefined) store.dropCollection(existing);
  store.renameCollection(replacement, name);
}

function mergeTarget(
  collection: Collection,
  collation: Collation | undefined,
  bypassesValidation: boolean,
): MergeTarget {
  const options = { now: new Date(), bypassesValidation };
  return {
    isUniqueOn: (paths) => collection.indexes.some((index) => isUniqueIndexOn(index, paths, collation)),
    find(keys) {
      const conditions = keys.map(([path, value]) => new Map([[path, documentOf({ $eq: value })]]));
      const filter = parseFilter(new Map<string, BsonValue>([['$and', conditions]]), { collation });
      return findRecords(collection, { filter, collation, limit: 1 }).next().value ?? undefined;
    },
    update: (found, changes) => {
      changeDocument(collection, found, changes, options);
    },
    insert: (document) => {
      insertNew(collection, document, bypassesValidation);
    },
  };
}

function isUniqueIndexOn(
  { definition }: IndexTable,
  paths: readonly string[],
  collation: Collation | undefined,
): boolean {
  return (
    definition.unique &&
    definition.partialFilter === undefined &&
    definition.fields.length === paths.length &&
    definition.fields.every(({ path }) => paths.includes(path)) &&
    sameCollation(definition.collation, collation)
  );
}

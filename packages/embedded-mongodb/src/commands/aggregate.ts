import { type BsonValue, type Document, documentOf, encode, integer, isNumeric } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import type { FoundRecord } from '../planner/execute.ts';
import { findRecords } from '../planner/find-records.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { Command, CommandRequest } from './command.ts';
import { readCursorBatchSize } from './cursor-option.ts';
import { missingField, readDocument } from './fields.ts';
import { assertSimpleCollation } from './generic-fields.ts';
import { leadingQuery } from './leading-stages.ts';

const FIELDS = [
  'aggregate',
  'pipeline',
  'cursor',
  'explain',
  'allowDiskUse',
  'bypassDocumentValidation',
  'collation',
  'hint',
  'let',
];

/** Runs a pipeline: its front as an indexed query, the rest over what that finds. */
export const aggregate: Command = {
  name: 'aggregate',
  fields: FIELDS,
  run(request, server) {
    assertSimpleCollation(request.body.get('collation'));
    if (readDocument(request, 'cursor') === undefined) {
      throw mongoError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    }
    const name = collectionOf(request);
    const { query, rest } = leadingQuery(request);
    const collection = server.store.collection(request.databaseName, name);
    const found = collection === undefined ? [] : findRecords(collection, query);
    return server.cursors.open({
      namespace: `${request.databaseName}.${name}`,
      documents: results(found, rest),
      batchSize: readCursorBatchSize(request),
    });
  },
};

function collectionOf(request: CommandRequest): string {
  const name = request.body.get('aggregate');
  if (typeof name === 'string' && name !== '') return name;
  if (name === undefined) throw missingField(request, 'aggregate');
  throw notImplemented('an aggregation that starts without a collection');
}

function* results(
  found: Iterable<FoundRecord>,
  stages: readonly BsonValue[],
): Generator<Uint8Array, void, undefined> {
  if (stages.length === 0) {
    for (const { bytes } of found) yield bytes;
    return;
  }
  const count = countStage(stages);
  if (count === undefined) throw notImplemented('this aggregation');
  let n = 0;
  for (const _ of found) n += 1;
  if (n > 0) yield encode(documentOf({ _id: count.get('_id') ?? null, n: integer(n) }));
}

/** What drivers send for countDocuments: `{$group: {_id: 1, n: {$sum: 1}}}`. */
function countStage(stages: readonly BsonValue[]): Document | undefined {
  const [stage] = stages;
  const group = stages.length === 1 && stage instanceof Map ? stage.get('$group') : undefined;
  if (!(group instanceof Map) || group.size !== 2) return undefined;
  const n = group.get('n');
  const sum = n instanceof Map && n.size === 1 ? n.get('$sum') : undefined;
  const isOne = sum !== undefined && isNumeric(sum) && toNearestDouble(sum) === 1;
  const id = group.get('_id');
  return isOne && id !== undefined && isNumeric(id) ? group : undefined;
}

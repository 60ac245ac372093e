import { parsePipeline, runPipeline, type Stage } from '../aggregation/pipeline.ts';
import { type Document, encode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { spendSteps } from '../computation-limit.ts';
import type { FoundRecord } from '../planner/execute.ts';
import { findRecords } from '../planner/find-records.ts';
import * as types from '../semantics/field-types.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import type { Command } from './command.ts';
import { readCursorBatchSize } from './cursor-option.ts';
import { readDocument } from './fields.ts';
import { documentBytes } from './find.ts';
import { leadingQuery } from './leading-stages.ts';
import { assertSource, reportsFor } from './source-stages.ts';

/** Bytes that encoding writes per step. */
const BYTES_PER_STEP = 10;

/** Runs a pipeline. The leading stages run as a query, which can use an index; the others run on its results. */
export const aggregate: Command = {
  name: 'aggregate',
  fields: {
    pipeline: types.required(types.notNull(types.array)),
    cursor: types.notNull(types.cursorOptions),
    explain: types.mustBeFalse,
    allowDiskUse: types.strictBoolean,
    bypassDocumentValidation: types.safeBoolean,
    collation: types.collation,
    hint: types.hint,
    let: types.mustBeEmpty,
    writeConcern: types.any,
  },
  run(request, server) {
    assertSource(request);
    const reports = reportsFor(request, server);
    const { query, rest } = leadingQuery(request);
    const stages = parsePipeline(rest, { now: new Date(), reports });
    if (readDocument(request, 'cursor') === undefined) {
      throw mongoError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    }
    const found = reports.collection === undefined ? [] : findRecords(reports.collection, query);
    return server.cursors.open({
      namespace: reports.namespace,
      documents: stages.length === 0 ? documentBytes(found) : results(found, stages),
      batchSize: readCursorBatchSize(request),
    });
  },
};

function* documentsOf(found: Iterable<FoundRecord>): Generator<Document, void, undefined> {
  for (const { document } of found) yield document;
}

function* results(
  found: Iterable<FoundRecord>,
  stages: readonly Stage[],
): Generator<Uint8Array, void, undefined> {
  for (const document of runPipeline(stages, documentsOf(found))) {
    const bytes = encode(document, MAX_BSON_OBJECT_BYTES);
    spendSteps(bytes.length / BYTES_PER_STEP);
    yield bytes;
  }
}

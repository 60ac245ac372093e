import {
  type PipelineContext,
  parsePipeline,
  runPipeline,
  SOURCE_STAGES,
  type Stage,
  WRITING_STAGES,
} from '../aggregation/pipeline.ts';
import { type BsonValue, type Document, encode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { FoundRecord } from '../planner/execute.ts';
import { findRecords } from '../planner/find-records.ts';
import type { Collation } from '../semantics/collation.ts';
import { parseFilter } from '../semantics/filter.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import { collationFor } from './collation.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { readCursorBatchSize } from './cursor-option.ts';
import { deadlineOf } from './deadline.ts';
import { explainRequest } from './explain.ts';
import {
  missingField,
  numberOf,
  readArray,
  readBoolean,
  readCollectionName,
  readDocument,
} from './fields.ts';
import { leadingQuery } from './leading-stages.ts';
import { pipelineWrites } from './pipeline-writes.ts';
import { variablesOf } from './request-filter.ts';

/** Runs a pipeline: its front as a query that indexes serve, the rest over what that finds. */
export const aggregate: Command = {
  name: 'aggregate',
  fields: [
    'aggregate',
    'pipeline',
    'cursor',
    'explain',
    'allowDiskUse',
    'bypassDocumentValidation',
    'collation',
    'hint',
    'let',
  ],
  run(request, server) {
    const name = collectionOf(request);
    const collection = name === undefined ? undefined : server.store.collection(request.databaseName, name);
    const collation = collationFor(request.body.get('collation'), collection);
    const { query, rest } = leadingQuery(request, collation);
    assertNoChangeStream(rest);
    assertSource(request, name);
    const stages = parsePipeline(rest, contextOf(request, server, collation));
    if (readBoolean(request, 'explain')) return explainRequest(request, server, 'queryPlanner');
    if (readDocument(request, 'cursor') === undefined) {
      throw mongoError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    }
    const found = collection === undefined ? [] : findRecords(collection, query);
    const documents = stages.length === 0 ? storedBytes(found) : results(found, stages);
    const writes = WRITING_STAGES.has(stages.at(-1)?.name ?? '');
    return server.cursors.open({
      namespace: `${request.databaseName}.${name ?? '$cmd.aggregate'}`,
      // What writes runs to its end within the command, whatever the batch size.
      documents: writes ? [...documents].values() : documents,
      batchSize: readCursorBatchSize(request),
    });
  },
};

/** Undefined for `{aggregate: 1}`: a pipeline that makes its documents itself. */
function collectionOf(request: CommandRequest): string | undefined {
  const name = request.body.get('aggregate');
  if (name === undefined) throw missingField(request, 'aggregate');
  if (numberOf(name) === 1) return undefined;
  if (typeof name !== 'string') {
    throw mongoError(
      'FailedToParse',
      "Invalid command format: the 'aggregate' field must specify a collection name or 1",
    );
  }
  return readCollectionName(request, 'aggregate');
}

/** Refuses a first stage that needs a collection where there is none, and the other way round. */
function assertSource(request: CommandRequest, collectionName: string | undefined): void {
  const [first] = readArray(request, 'pipeline') ?? [];
  const stage = first instanceof Map ? first.keys().next().value : undefined;
  const isSource = stage !== undefined && SOURCE_STAGES.has(stage);
  if (collectionName === undefined && !isSource) {
    throw mongoError(
      'InvalidNamespace',
      stage === undefined
        ? '{aggregate: 1} is not valid for an empty pipeline.'
        : `{aggregate: 1} is not valid for '${stage}'; a collection is required.`,
    );
  }
  if (stage !== undefined && STAGES_OUTSIDE_OF_API.has(stage) && readBoolean(request, 'apiStrict')) {
    throw mongoError(
      'APIStrictError',
      `stage ${stage} is not allowed with 'apiStrict: true' in API Version 1`,
    );
  }
  if (collectionName !== undefined && isSource)
    throw mongoError('InvalidNamespace', `${stage} can only be run with {aggregate: 1}`);
}

const STAGES_OUTSIDE_OF_API = new Set(['$currentOp', '$listLocalSessions']);

/** What a standalone mongod says to `watch`. */
function assertNoChangeStream([first]: readonly BsonValue[]): void {
  if (!(first instanceof Map && first.has('$changeStream'))) return;
  throw mongoError(40573, 'The $changeStream stage is only supported on replica sets');
}

function contextOf(
  request: CommandRequest,
  server: ServerContext,
  collation: Collation | undefined,
): PipelineContext {
  const checkDeadline = deadlineOf(request);
  return {
    now: new Date(),
    variables: variablesOf(request, collation),
    collation,
    localSessions: () => server.sessions.list(),
    writes: pipelineWrites(request, server, collation),
    *find(name, filter) {
      const collection = server.store.collection(request.databaseName, name);
      if (collection === undefined) return;
      yield* documentsOf(
        findRecords(collection, { filter: parseFilter(filter, { collation }), collation, checkDeadline }),
      );
    },
  };
}

function* storedBytes(found: Iterable<FoundRecord>): Generator<Uint8Array, void, undefined> {
  for (const { bytes } of found) yield bytes;
}

function* documentsOf(found: Iterable<FoundRecord>): Generator<Document, void, undefined> {
  for (const { document } of found) yield document;
}

function* results(
  found: Iterable<FoundRecord>,
  stages: readonly Stage[],
): Generator<Uint8Array, void, undefined> {
  for (const document of runPipeline(stages, documentsOf(found))) {
    const bytes = encode(document);
    if (bytes.length > MAX_BSON_OBJECT_BYTES) {
      throw mongoError(
        'BSONObjectTooLarge',
        `a result of the aggregation has ${bytes.length} bytes, ${MAX_BSON_OBJECT_BYTES} are allowed`,
      );
    }
    yield bytes;
  }
}

import { hostname } from 'node:os';
import { type BsonValue, type Document, documentOf } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { newStats } from '../planner/execute.ts';
import {
  describeExecution,
  describePlan,
  type Execution,
  type ExplainedQuery,
  NOTHING_TO_SCAN,
} from '../planner/explain-plan.ts';
import { type PreparedQuery, prepareQuery, type RecordQuery } from '../planner/find-records.ts';
import { SERVER_VERSION } from '../server-version.ts';
import type { Collection } from '../storage/collection.ts';
import { collationFor } from './collation.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { numberOf, readArray, readBoolean, readCollectionName, readDocument, readString } from './fields.ts';
import { readFindQuery } from './find.ts';
import { leadingQuery } from './leading-stages.ts';
import { namedCollection } from './namespace.ts';
import { commands } from './registry.ts';
import { ok } from './replies.ts';
import { parseRequestFilter } from './request-filter.ts';

const EXPLAINABLE = new Set([
  'find',
  'count',
  'distinct',
  'findAndModify',
  'findandmodify',
  'update',
  'delete',
  'aggregate',
]);
const VERBOSITIES = ['queryPlanner', 'executionStats', 'allPlansExecution'];

/** Tells how a query finds its documents. Only finds: of a write nothing is written. */
export const explain: Command = {
  name: 'explain',
  fields: ['explain', 'verbosity'],
  run(request, server) {
    const explained = readDocument(request, 'explain') ?? new Map();
    const verbosity = readString(request, 'verbosity') ?? 'allPlansExecution';
    if (!VERBOSITIES.includes(verbosity)) {
      throw mongoError('BadValue', `verbosity string must be one of ${VERBOSITIES.join(', ')}`);
    }
    return explainRequest(innerRequest(request, explained), server, verbosity);
  },
};

/** Explains a command that was not sent to be run. */
export function explainRequest(request: CommandRequest, server: ServerContext, verbosity: string): Document {
  const collection = namedCollection(request, server);
  const query = queryOf(request, collection);
  const namespace = `${request.databaseName}.${readCollectionName(request)}`;
  return ok({
    ...explainQuery(collection, query, verbosity !== 'queryPlanner', namespace),
    command: request.body,
  });
}

function innerRequest(request: CommandRequest, explained: Document): CommandRequest {
  const name = explained.keys().next().value;
  if (name === undefined) throw mongoError('CommandNotFound', 'explain needs a command to explain');
  if (!EXPLAINABLE.has(name)) {
    if (commands.has(name)) throw mongoError('IllegalOperation', `Cannot explain cmd: ${name}`);
    throw mongoError('CommandNotFound', `Explain failed due to unknown command: ${name}`);
  }
  return { ...request, name, body: explained, sequences: new Map() };
}

/** The query inside each command that can be explained. */
function queryOf(request: CommandRequest, collection: Collection | undefined): ExplainedQuery {
  const { name, body } = request;
  const collation = collationFor(body.get('collation'), collection);
  switch (name) {
    case 'find':
      return {
        query: readFindQuery(request, collection),
        projection: readDocument(request, 'projection'),
      };
    case 'count':
    case 'distinct':
      return {
        query: {
          filter: parseRequestFilter(request, body.get('query'), collation),
          collation,
          hint: body.get('hint'),
        },
        purpose: name === 'count' ? 'COUNT' : undefined,
      };
    case 'findAndModify':
    case 'findandmodify':
      return {
        query: {
          filter: parseRequestFilter(request, body.get('query'), collation),
          collation,
          sort: readDocument(request, 'sort'),
          limit: 1,
          hint: body.get('hint'),
        },
        purpose: readBoolean(request, 'remove') ? 'DELETE' : 'UPDATE',
      };
    case 'update':
      return { query: writeQuery(request, collection, 'updates'), purpose: 'UPDATE' };
    case 'delete':
      return { query: writeQuery(request, collection, 'deletes'), purpose: 'DELETE' };
    case 'aggregate':
      return { query: leadingQuery(request, collation).query };
    default:
      throw new Error(`${name} is listed as one that can be explained and is not`);
  }
}

function writeQuery(
  request: CommandRequest,
  collection: Collection | undefined,
  field: 'updates' | 'deletes',
): RecordQuery {
  const operations = readArray(request, field) ?? [];
  const [operation] = operations;
  if (operations.length !== 1 || !(operation instanceof Map)) {
    throw mongoError('InvalidLength', 'explained write batches must be of size 1');
  }
  const collation = collationFor(operation.get('collation'), collection);
  const isOfOne =
    field === 'deletes' ? numberOf(operation.get('limit')) === 1 : operation.get('multi') !== true;
  return {
    filter: parseRequestFilter(request, operation.get('q'), collation),
    collation,
    hint: operation.get('hint'),
    limit: isOfOne ? 1 : 0,
  };
}

function explainQuery(
  collection: Collection | undefined,
  explained: ExplainedQuery,
  runs: boolean,
  namespace: string,
): Record<string, BsonValue> {
  const prepared = collection && prepareQuery(collection, explained.query);
  const winningPlan = prepared === undefined ? NOTHING_TO_SCAN : describePlan(prepared, explained);
  const result: Record<string, BsonValue> = {
    explainVersion: '1',
    queryPlanner: documentOf({ namespace, indexFilterSet: false, winningPlan, rejectedPlans: [] }),
    serverInfo: documentOf({ host: hostname(), version: SERVER_VERSION, gitVersion: 'embedded-mongodb' }),
  };
  if (runs) result.executionStats = describeExecution(run(prepared), winningPlan);
  return result;
}

function run(prepared: PreparedQuery | undefined): Execution {
  if (prepared === undefined) return { stats: newStats(), returned: 0, elapsedMs: 0 };
  const startedAt = performance.now();
  let returned = 0;
  for (const _ of prepared.run()) returned += 1;
  return { stats: prepared.stats, returned, elapsedMs: performance.now() - startedAt };
}

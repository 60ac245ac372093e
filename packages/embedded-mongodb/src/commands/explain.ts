import { type Document, documentOf, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { describeExecution, describePlan } from '../planner/explain-plan.ts';
import { type PreparedQuery, prepareQuery, type RecordQuery } from '../planner/find-records.ts';
import { SERVER_VERSION } from '../server-version.ts';
import type { Collection } from '../storage/collection.ts';
import { collationFor } from './collation.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { readCollectionName, readDocument, readString } from './fields.ts';
import { readFindQuery } from './find.ts';
import { leadingQuery } from './leading-stages.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';
import { parseRequestFilter } from './request-filter.ts';

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
  return { ...request, name, body: explained, sequences: new Map() };
}

/** The query inside each command that can be explained. */
function queryOf(request: CommandRequest, collection: Collection | undefined): RecordQuery {
  const { name, body } = request;
  const collation = collationFor(body.get('collation'), collection);
  switch (name) {
    case 'find':
      return readFindQuery(request, collection);
    case 'count':
    case 'distinct':
      return {
        filter: parseRequestFilter(request, body.get('query'), collation),
        collation,
        hint: body.get('hint'),
      };
    case 'findAndModify':
    case 'findandmodify':
      return {
        filter: parseRequestFilter(request, body.get('query'), collation),
        collation,
        sort: readDocument(request, 'sort'),
        limit: 1,
        hint: body.get('hint'),
      };
    case 'update':
    case 'delete':
      return writeQuery(request, collection, body.get(name === 'update' ? 'updates' : 'deletes'));
    case 'aggregate':
      return leadingQuery(request, collation).query;
    default:
      throw mongoError('CommandNotFound', `Explain failed due to unknown command: ${name}`);
  }
}

function writeQuery(
  request: CommandRequest,
  collection: Collection | undefined,
  operations: unknown,
): RecordQuery {
  const operation: unknown = Array.isArray(operations) && operations.length === 1 ? operations[0] : undefined;
  if (!(operation instanceof Map)) {
    throw mongoError('InvalidLength', 'explained write batches must be of size 1');
  }
  const { q, hint, collation: given } = Object.fromEntries(operation as Document);
  const collation = collationFor(given, collection);
  return { filter: parseRequestFilter(request, q, collation), collation, hint };
}

function explainQuery(
  collection: Collection | undefined,
  query: RecordQuery,
  runs: boolean,
  namespace: string,
): Record<string, Document> {
  const prepared = collection && prepareQuery(collection, query);
  const winningPlan =
    prepared === undefined ? documentOf({ stage: 'EOF' }) : describePlan(prepared, query.sort);
  const result: Record<string, Document> = {
    queryPlanner: documentOf({ namespace, winningPlan, rejectedPlans: [] }),
    serverInfo: documentOf({ version: SERVER_VERSION }),
  };
  if (runs) result.executionStats = runForStats(prepared, winningPlan);
  return result;
}

function runForStats(prepared: PreparedQuery | undefined, winningPlan: Document): Document {
  if (prepared === undefined) {
    return documentOf({
      executionSuccess: true,
      nReturned: integer(0),
      totalKeysExamined: integer(0),
      totalDocsExamined: integer(0),
    });
  }
  const startedAt = performance.now();
  let returned = 0;
  for (const _ of prepared.run()) returned += 1;
  const stats = describeExecution(prepared, returned, performance.now() - startedAt);
  return stats.set('executionStages', winningPlan);
}

import { hostname } from 'node:os';
import { type Document, documentOf } from '../bson/document.ts';
import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import {
  describePlan,
  type ExplainedQuery,
  executionStats,
  NOTHING_TO_SCAN,
} from '../planner/explain-plan.ts';
import { prepareQuery } from '../planner/find-records.ts';
import * as types from '../semantics/field-types.ts';
import { SERVER_VERSION } from '../server-version.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { readCollectionName, readDocument, readString } from './fields.ts';
import { findQuery } from './find.ts';
import { checkOptions } from './generic-fields.ts';
import { leadingQuery } from './leading-stages.ts';
import { namedCollection } from './namespace.ts';
import { readQuery } from './query.ts';
import { ok } from './replies.ts';

const VERBOSITIES = ['queryPlanner', 'executionStats', 'allPlansExecution'];

/** Describes how a command finds its documents. */
export function createExplain(findCommand: (name: string) => Command | undefined): Command {
  return {
    name: 'explain',
    fields: { explain: types.required(types.object), verbosity: types.string },
    run(request, server) {
      const verbosity = readString(request, 'verbosity') ?? 'allPlansExecution';
      if (!VERBOSITIES.includes(verbosity)) {
        throw mongoError('BadValue', `verbosity string must be one of ${VERBOSITIES.join(', ')}`);
      }
      const body = request.body.get('explain') as Document;
      const name = body.keys().next().value ?? '';
      const command = findCommand(name);
      if (command === undefined) {
        throw mongoError('CommandNotFound', `Explain failed due to unknown command: ${name}`);
      }
      return explainRequest(command, { ...request, name, body, sequences: new Map() }, server, verbosity);
    },
  };
}

/** The query of each command that can be explained: those that only read. */
const QUERY_OF: Readonly<Record<string, (request: CommandRequest) => ExplainedQuery>> = {
  find: (request) => ({
    query: findQuery(request),
    projection: readDocument(request, 'projection'),
  }),
  count: (request) => ({ query: readQuery(request, 'query'), purpose: 'COUNT' }),
  distinct: (request) => ({ query: readQuery(request, 'query') }),
  aggregate: (request) => ({ query: leadingQuery(request).query }),
};

function explainRequest(
  command: Command,
  request: CommandRequest,
  server: ServerContext,
  verbosity: string,
): Document {
  const queryOf = QUERY_OF[command.name];
  if (queryOf === undefined) throw outOfScope(`explain of the command ${request.name}`);
  checkOptions(command, request);
  const collection = namedCollection(request, server);
  const explained = queryOf(request);
  const prepared = collection && prepareQuery(collection, explained.query);
  const winningPlan = prepared ? describePlan(prepared, explained) : NOTHING_TO_SCAN;
  const namespace = `${request.databaseName}.${readCollectionName(request)}`;
  return ok({
    explainVersion: '1',
    queryPlanner: documentOf({ namespace, indexFilterSet: false, winningPlan, rejectedPlans: [] }),
    ...(verbosity !== 'queryPlanner' && { executionStats: executionStats(prepared, winningPlan) }),
    command: request.body,
    serverInfo: documentOf({ host: hostname(), version: SERVER_VERSION, gitVersion: 'embedded-mongodb' }),
  });
}

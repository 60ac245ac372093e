import { OUT_OF_SCOPE_STAGES } from '../aggregation/out-of-scope.ts';
import type { ServerReports } from '../aggregation/stage.ts';
import { documentOf } from '../bson/document.ts';
import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import { statisticsOf } from './collection-statistics.ts';
import type { CommandRequest, ServerContext } from './command.ts';
import { operationsOf } from './current-op.ts';
import { numberOf, readArray, readCollectionName } from './fields.ts';

/** The stages that produce documents instead of reading the collection. */
const SOURCES = new Set(['$collStats', '$currentOp', '$indexStats']);

/** The collection of an `aggregate` command, or undefined for `{aggregate: 1}`. */
function aggregatedCollection(request: CommandRequest): string | undefined {
  const target = request.body.get('aggregate');
  if (numberOf(target) === 1) return undefined;
  if (typeof target === 'string') return readCollectionName(request, 'aggregate');
  throw mongoError(
    'FailedToParse',
    "Invalid command format: the 'aggregate' field must specify a collection name or 1",
  );
}

/** Rejects a source stage that is not first in the pipeline or does not fit the target of the command. */
export function assertSource(request: CommandRequest): void {
  const names = (readArray(request, 'pipeline') ?? []).map((stage) =>
    stage instanceof Map ? stage.keys().next().value : undefined,
  );
  const [first, ...others] = names;
  for (const name of others) {
    if (name !== undefined && SOURCES.has(name))
      throw mongoError(40602, `${name} is only valid as the first stage in a pipeline`);
  }
  const isOfServer = aggregatedCollection(request) === undefined;
  if (first === '$currentOp' && !(isOfServer && request.databaseName === 'admin')) {
    throw mongoError(
      'InvalidNamespace',
      "$currentOp must be run against the 'admin' database with {aggregate: 1}",
    );
  }
  if (isOfServer && first !== '$currentOp') {
    if (first !== undefined && OUT_OF_SCOPE_STAGES.has(first)) throw outOfScope(`the stage ${first}`);
    throw mongoError(
      'InvalidNamespace',
      first === undefined
        ? '{aggregate: 1} is not valid for an empty pipeline.'
        : `{aggregate: 1} is not valid for '${first}'; a collection is required.`,
    );
  }
}

export function reportsFor(request: CommandRequest, { store, connections }: ServerContext): ServerReports {
  const name = aggregatedCollection(request);
  const collection = name === undefined ? undefined : store.collection(request.databaseName, name);
  return {
    namespace: `${request.databaseName}.${name ?? '$cmd.aggregate'}`,
    collection,
    storageStats: (scale) => documentOf(statisticsOf(collection, scale, store.budget)),
    operations: (includesIdle) => operationsOf(connections, includesIdle),
  };
}

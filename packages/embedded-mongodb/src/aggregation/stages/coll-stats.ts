import { hostname } from 'node:os';
import { documentOf, integer, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import * as types from '../../semantics/field-types.ts';
import { type ParseStage, reportsOf } from '../stage.ts';

const options = types.struct({
  count: types.struct({}),
  storageStats: types.struct({ scale: types.atLeast(1) }),
  latencyStats: types.mustBeAbsent,
  queryExecStats: types.mustBeAbsent,
});

/** `{$collStats: {count: {}, storageStats: {scale}}}`: one document about the collection. */
export const parseCollStats: ParseStage = (operand, context) => {
  if (!isDocument(operand)) throw mongoError(40166, '$collStats must take a nested object');
  options.check(operand, '$collStats');
  const { collection, namespace, storageStats } = reportsOf(context, '$collStats');
  const sizes = operand.get('storageStats');
  return function* collStats() {
    if (collection === undefined && operand.size > 0)
      throw mongoError(
        'NamespaceNotFound',
        `Unable to retrieve $collStats: Collection [${namespace}] not found.`,
      );
    yield documentOf({
      ns: namespace,
      host: hostname(),
      localTime: new Date(),
      ...(isDocument(sizes) ? { storageStats: storageStats(sizes.get('scale')) } : {}),
      ...(operand.has('count') ? { count: integer(collection?.count() ?? 0) } : {}),
    });
  };
};

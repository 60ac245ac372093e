import { hostname } from 'node:os';
import { documentOf, isDocument, long } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { type ParseStage, reportsOf } from '../stage.ts';

/** `{$indexStats: {}}`: one document for each index, with the number of queries that used it since the server started. */
export const parseIndexStats: ParseStage = (operand, context) => {
  if (!isDocument(operand) || operand.size > 0)
    throw mongoError(28803, 'The $indexStats stage specification must be an empty object');
  const { collection } = reportsOf(context, '$indexStats');
  return function* indexStats() {
    for (const { definition, accesses } of collection?.indexes ?? []) {
      yield documentOf({
        name: definition.name,
        key: definition.specification.get('key') ?? new Map(),
        host: hostname(),
        accesses: documentOf({ ops: long(accesses.count), since: accesses.since }),
        spec: definition.specification,
      });
    }
  };
};

import { compileExpression } from '../aggregation/expression.ts';
import { scopeOf } from '../aggregation/scope.ts';
import { type BsonValue, isDocument } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { FilterNode } from './filter/node.ts';
import { parseFilterDocument } from './filter/parse.ts';
import { truthOf } from './truth.ts';

export { fieldsOf } from './filter/fields.ts';
export { matches } from './filter/match.ts';
export type { FilterNode, PathNode, Predicate } from './filter/node.ts';

/**
 * Parses a filter of `find`, `update`, `delete`, or `$match`. Throws MongoDB's errors for an invalid filter.
 * @param now the command's `$$NOW`, for `$expr`
 */
export function parseFilter(filter: BsonValue, now = new Date()): FilterNode {
  if (!isDocument(filter)) throw mongoError('FailedToParse', 'the filter must be an object');
  return parseFilterDocument(filter, (expression) => {
    const evaluate = compileExpression(expression);
    return { kind: 'document', test: (root) => truthOf(evaluate(scopeOf(root, now))) };
  });
}

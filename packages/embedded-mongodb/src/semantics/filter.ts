import { type BsonValue, isDocument } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { FilterNode } from './filter/node.ts';
import { type FilterContext, parseFilterDocument } from './filter/parse.ts';

export { matches } from './filter/match.ts';
export type { ComparisonOperator, DocumentNode, FilterNode, PathNode, Predicate } from './filter/node.ts';
export type { FilterContext } from './filter/parse.ts';
export type { MatchPosition } from './path.ts';

/** Parses a filter as `find`, `update`, `delete` and `$match` take it. Throws MongoDB's errors on what it cannot do. */
export function parseFilter(filter: BsonValue, context: FilterContext = {}): FilterNode {
  if (!isDocument(filter)) throw mongoError('FailedToParse', 'the filter must be an object');
  return parseFilterDocument(filter, context);
}

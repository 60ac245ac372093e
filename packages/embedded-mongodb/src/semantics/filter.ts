import { type BsonValue, isDocument } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { FilterNode } from './filter/node.ts';
import { parseFilterDocument } from './filter/parse.ts';

export { fieldsOf } from './filter/fields.ts';
export { matches } from './filter/match.ts';
export type { FilterNode, PathNode, Predicate } from './filter/node.ts';

/** Parses a filter of `find`, `update`, `delete`, or `$match`. Throws MongoDB's errors for an invalid filter. */
export function parseFilter(filter: BsonValue): FilterNode {
  if (!isDocument(filter)) throw mongoError('FailedToParse', 'the filter must be an object');
  return parseFilterDocument(filter);
}

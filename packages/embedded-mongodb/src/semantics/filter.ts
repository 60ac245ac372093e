import { compileExpression } from '../aggregation/expression.ts';
import { type BsonValue, isDocument } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Collation } from './collation.ts';
import type { FilterNode } from './filter/node.ts';
import { parseFilterDocument } from './filter/parse.ts';
import { truthOf } from './truth.ts';

export { matches } from './filter/match.ts';
export type { ComparisonOperator, DocumentNode, FilterNode, PathNode, Predicate } from './filter/node.ts';
export type { MatchPosition } from './path.ts';

export interface FilterOptions {
  /** The command's `let`: what `$expr` may use as `$$name`. */
  variables?: ReadonlyMap<string, BsonValue | undefined>;
  /** `$$NOW` of the command. */
  now?: Date;
  /** How its strings compare; undefined: by their bytes. */
  collation?: Collation | undefined;
}

/** Parses a filter as `find`, `update`, `delete` and `$match` take it. Throws MongoDB's errors on what it cannot do. */
export function parseFilter(filter: BsonValue, options: FilterOptions = {}): FilterNode {
  if (!isDocument(filter)) throw mongoError('FailedToParse', 'the filter must be an object');
  const variables = options.variables ?? new Map<string, undefined>();
  const now = options.now ?? new Date();
  const { collation } = options;
  return parseFilterDocument(filter, {
    collation,
    parseExpression: (expression) => {
      const evaluate = compileExpression(expression, new Set(variables.keys()));
      return (root) => truthOf(evaluate({ root, now, variables, collation }));
    },
  });
}

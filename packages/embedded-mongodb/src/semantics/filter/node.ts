import type { BsonValue } from '../../bson/document.ts';
import type { PathTest } from '../path.ts';

export type ComparisonOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** A condition on one value, as far as the planner can use it. */
export type Predicate =
  | { kind: 'compare'; operator: ComparisonOperator; value: BsonValue }
  | { kind: 'in'; values: BsonValue[] }
  | { kind: 'exists' | 'regex' | 'mod' | 'size' | 'elemMatch' };

/** A condition on the values at a dotted path. Without parts, on an array element itself: `{$elemMatch: {$gt: 1}}`. */
export interface PathNode extends PathTest {
  kind: 'path';
  path: string;
  parts: readonly string[];
  predicate: Predicate;
}

/**
 * A parsed filter. `$ne`, `$nin`, `$nor`, `$exists: false`, and `$not` are `not` nodes around their negated conditions.
 * The root is always a flattened `and` of the filter's fields, so that its children are all the conditions that must hold.
 */
export type FilterNode =
  | { kind: 'and'; children: FilterNode[] }
  | { kind: 'or'; children: FilterNode[] }
  | { kind: 'not'; child: FilterNode }
  | PathNode;

export function not(child: FilterNode): FilterNode {
  return { kind: 'not', child };
}

/** The conjunction, flattened. */
export function allOf(nodes: readonly FilterNode[]): FilterNode {
  return { kind: 'and', children: nodes.flatMap((node) => (node.kind === 'and' ? node.children : [node])) };
}

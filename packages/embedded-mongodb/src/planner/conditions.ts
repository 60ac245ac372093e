import type { FilterNode, PathNode } from '../semantics/filter.ts';

/** The conditions that every matching document satisfies. */
export interface Conditions {
  /** Predicates on paths. */
  paths: PathNode[];
  /** Lists of alternatives. A matching document satisfies at least one alternative of each list. */
  alternatives: FilterNode[][];
}

/** Returns the conditions of a filter, except those below `$nor` or `$not`, which no index serves. */
export function conditionsOf(filter: FilterNode): Conditions {
  const conditions: Conditions = { paths: [], alternatives: [] };
  collect(filter, conditions);
  return conditions;
}

function collect(node: FilterNode, conditions: Conditions): void {
  if (node.kind === 'path') conditions.paths.push(node);
  else if (node.kind === 'and') for (const child of node.children) collect(child, conditions);
  else if (node.kind === 'or') collectOr(node.children, conditions);
}

function collectOr(children: FilterNode[], conditions: Conditions): void {
  const only = children[0];
  if (children.length === 1 && only !== undefined) collect(only, conditions);
  else conditions.alternatives.push(children);
}

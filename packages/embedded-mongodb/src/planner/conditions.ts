import type { Collation } from '../semantics/collation.ts';
import type { FilterNode, PathNode } from '../semantics/filter.ts';

/** What must hold of every matching document, for the planner to look at. */
export interface Conditions {
  /** Predicates on paths that must all hold. */
  paths: PathNode[];
  /** Alternatives of which one must hold. */
  alternatives: FilterNode[][];
  /** No document can match. */
  isNever: boolean;
  /** How the filter compares strings; undefined: by their bytes. */
  collation: Collation | undefined;
}

/** Picks from a filter what it demands at its top; what lies under `$nor` or `$not` is left to the residual filter. */
export function conditionsOf(filter: FilterNode, collation: Collation | undefined): Conditions {
  const conditions: Conditions = { paths: [], alternatives: [], isNever: false, collation };
  collect(filter, conditions);
  return conditions;
}

function collect(node: FilterNode, conditions: Conditions): void {
  if (node.kind === 'path') conditions.paths.push(node);
  else if (node.kind === 'never') conditions.isNever = true;
  else if (node.kind === 'and') for (const child of node.children) collect(child, conditions);
  else if (node.kind === 'or') collectOr(node.children, conditions);
}

function collectOr(children: FilterNode[], conditions: Conditions): void {
  const only = children[0];
  if (children.length === 1 && only !== undefined) collect(only, conditions);
  else conditions.alternatives.push(children);
}

import type { Evaluate } from '../../aggregation/scope.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import * as pathTree from '../path-tree.ts';

/** Whether a field is included, excluded, or set to a computed value. */
export type ProjectionLeaf =
  | { kind: 'include' }
  | { kind: 'exclude' }
  | { kind: 'compute'; evaluate: Evaluate };
export type ProjectionBranch = pathTree.Branch<ProjectionLeaf>;
export type ProjectionNode = ProjectionLeaf | ProjectionBranch;

export const isBranch = pathTree.isBranch<ProjectionLeaf>;

export function emptyBranch(): ProjectionBranch {
  return { children: new Map() };
}

/** Inserts a leaf at the path. Throws if the path exists or lies within another path. */
export function insertLeaf(root: ProjectionBranch, parts: readonly string[], leaf: ProjectionLeaf): void {
  pathTree.insertLeaf(root, parts, leaf, (depth) => {
    const rest = parts.slice(depth + 1).join('.');
    return rest === ''
      ? mongoError(31250, `Path collision at ${parts.join('.')}`)
      : mongoError(31249, `Path collision at ${parts.join('.')} remaining portion ${rest}`);
  });
}

/** Whether the node contains a computed field, which is created even if the document lacks it. */
export function computes(node: ProjectionNode): boolean {
  return isBranch(node) ? node.children.values().some(computes) : node.kind === 'compute';
}

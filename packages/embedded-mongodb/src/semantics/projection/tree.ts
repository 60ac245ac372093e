import type { Evaluate } from '../../aggregation/scope.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import * as pathTree from '../path-tree.ts';

/** What happens to a field: it is included, excluded, or set to a value that is computed. */
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

/** Puts a leaf at the path. Throws when a path is there twice or lies within another. */
export function insertLeaf(root: ProjectionBranch, parts: readonly string[], leaf: ProjectionLeaf): void {
  pathTree.insertLeaf(root, parts, leaf, (depth) => {
    const rest = parts.slice(depth + 1).join('.');
    return rest === ''
      ? mongoError(31250, `Path collision at ${parts.join('.')}`)
      : mongoError(31249, `Path collision at ${parts.join('.')} remaining portion ${rest}`);
  });
}

/** Whether a field within is computed, and so is created even where the document has none. */
export function computes(node: ProjectionNode): boolean {
  return isBranch(node) ? node.children.values().some(computes) : node.kind === 'compute';
}

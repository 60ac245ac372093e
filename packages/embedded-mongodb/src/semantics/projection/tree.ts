import type { Evaluate } from '../../aggregation/expression.ts';
import { mongoError } from '../../bson/mongo-error.ts';

/** What is asked of a field: to be there, not to be there, or to be a value that is computed. */
export type ProjectionLeaf =
  | { kind: 'include' }
  | { kind: 'exclude' }
  | { kind: 'compute'; evaluate: Evaluate };
export interface ProjectionBranch {
  kind: 'branch';
  children: Map<string, ProjectionNode>;
  /** Whether something within is computed, and so is made even where the document has nothing. */
  computes: boolean;
}
export type ProjectionNode = ProjectionLeaf | ProjectionBranch;

export function emptyBranch(): ProjectionBranch {
  return { kind: 'branch', children: new Map(), computes: false };
}

/** Puts a leaf at the path. Throws when a path is there twice or lies within another. */
export function insertLeaf(root: ProjectionBranch, parts: readonly string[], leaf: ProjectionLeaf): void {
  let branch = root;
  parts.forEach((part, depth) => {
    if (leaf.kind === 'compute') branch.computes = true;
    const child = branch.children.get(part);
    if (depth === parts.length - 1) {
      if (child !== undefined) throw mongoError(31250, `Path collision at ${parts.join('.')}`);
      branch.children.set(part, leaf);
    } else if (child === undefined) {
      const made = emptyBranch();
      branch.children.set(part, made);
      branch = made;
    } else if (child.kind === 'branch') {
      branch = child;
    } else {
      const rest = parts.slice(depth + 1).join('.');
      throw mongoError(31249, `Path collision at ${parts.join('.')} remaining portion ${rest}`);
    }
  });
}

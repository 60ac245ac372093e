import type { MongoError } from '../bson/mongo-error.ts';

/** Leaves by dotted path. A path must not occur twice or lie within another path. */
export interface Branch<Leaf> {
  children: Map<string, Leaf | Branch<Leaf>>;
}

export function isBranch<Leaf extends object>(node: Leaf | Branch<Leaf>): node is Branch<Leaf> {
  return 'children' in node;
}

/** Adds a leaf. `conflict` creates the error for a part of the path at which a leaf or a branch already exists. */
export function insertLeaf<Leaf extends object>(
  root: Branch<Leaf>,
  parts: readonly string[],
  leaf: Leaf,
  conflict: (depth: number) => MongoError,
): void {
  let branch = root;
  parts.slice(0, -1).forEach((part, depth) => {
    const child = branch.children.get(part) ?? { children: new Map() };
    if (!isBranch(child)) throw conflict(depth);
    branch.children.set(part, child);
    branch = child;
  });
  const last = parts.at(-1) as string;
  if (branch.children.has(last)) throw conflict(parts.length - 1);
  branch.children.set(last, leaf);
}

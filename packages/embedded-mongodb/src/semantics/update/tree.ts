import { mongoError } from '../../bson/mongo-error.ts';
import { compareStrings } from '../compare.ts';
import { isArrayIndex } from '../path.ts';
import type { Modifier } from './modifier.ts';

/**
 * All modifiers of an update, by path. A branch's names may be those of fields, places in an array, `$`,
 * `$[]` or `$[identifier]`. A tree makes conflicts evident: a path may be neither twice in an update nor
 * within another.
 */
export type UpdateTree = UpdateLeaf | UpdateBranch;
export interface UpdateLeaf {
  kind: 'leaf';
  modifier: Modifier;
}
export interface UpdateBranch {
  kind: 'branch';
  children: Map<string, UpdateTree>;
}

/** `$[]` and `$[identifier]`: all elements of an array, or those that its filter selects. */
export function isArrayUpdate(name: string): boolean {
  return name.startsWith('$[') && name.endsWith(']');
}

export function emptyBranch(): UpdateBranch {
  return { kind: 'branch', children: new Map() };
}

/** Puts a modifier into the tree. Throws ConflictingUpdateOperators (40). */
export function insertModifier(root: UpdateBranch, parts: readonly string[], modifier: Modifier): void {
  let branch = root;
  parts.forEach((part, depth) => {
    const isLast = depth === parts.length - 1;
    const child = branch.children.get(part);
    if (child !== undefined && (isLast || child.kind === 'leaf')) {
      throw mongoError(
        'ConflictingUpdateOperators',
        `Updating the path '${parts.join('.')}' would create a conflict at '${parts.slice(0, depth + 1).join('.')}'`,
      );
    }
    if (isLast) {
      branch.children.set(part, { kind: 'leaf', modifier });
    } else if (child === undefined) {
      const created = emptyBranch();
      branch.children.set(part, created);
      branch = created;
    } else {
      branch = child as UpdateBranch;
    }
  });
}

/**
 * Sorts the tree: MongoDB applies updates, and so adds new fields, in the order of their names, numbers by value.
 * See https://www.mongodb.com/docs/v7.0/reference/operator/update/#update-operators-processing-order
 */
export function sortTree(branch: UpdateBranch): void {
  const sorted = [...branch.children].sort(([a], [b]) => compareNames(a, b));
  branch.children = new Map(sorted);
  for (const child of branch.children.values()) if (child.kind === 'branch') sortTree(child);
}

export function compareNames(a: string, b: string): number {
  return isArrayIndex(a) && isArrayIndex(b) ? Number(a) - Number(b) : compareStrings(a, b);
}

/** One tree for an element that two of a branch's children apply to. Throws where both change the same. */
export function mergeTrees(a: UpdateTree, b: UpdateTree, path: string): UpdateTree {
  if (a.kind === 'leaf' || b.kind === 'leaf') {
    throw mongoError('ConflictingUpdateOperators', `Update created a conflict at '${path}'`);
  }
  const children = new Map(a.children);
  for (const [name, child] of b.children) {
    const other = children.get(name);
    children.set(name, other === undefined ? child : mergeTrees(other, child, `${path}.${name}`));
  }
  const merged: UpdateBranch = { kind: 'branch', children };
  sortTree(merged);
  return merged;
}

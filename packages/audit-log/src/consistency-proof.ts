import { EMPTY_ROOT, nodeHash } from './hash.ts';
import { type LeafRange, type ReadNodes, readRanges, splitPoint } from './tree-nodes.ts';

/**
 * Returns the path that proves that a tree of `toSize` leaves starts with the tree of `fromSize`: RFC 9162 §2.1.4.1.
 */
export async function proveConsistency(
  fromSize: number,
  toSize: number,
  readNodes: ReadNodes,
): Promise<string[]> {
  if (fromSize < 0 || fromSize > toSize) {
    throw new RangeError(`A tree of ${toSize} leaves cannot extend a tree of ${fromSize}`);
  }
  // RFC 9162 excludes the empty tree, which every tree starts with.
  if (fromSize === 0 || fromSize === toSize) return [];
  return readRanges(differences(fromSize, { start: 0, end: toSize }, true), readNodes);
}

/**
 * @param isWholeTree whether the leaves up to `fromSize` still are the entire older tree, whose root the verifier knows
 */
function differences(fromSize: number, { start, end }: LeafRange, isWholeTree: boolean): LeafRange[] {
  if (fromSize === end) return isWholeTree ? [] : [{ start, end }];
  const middle = start + splitPoint(end - start);
  const left = { start, end: middle };
  const right = { start: middle, end };
  return fromSize <= middle
    ? [...differences(fromSize, left, isWholeTree), right]
    : [...differences(fromSize, right, false), left];
}

export interface TreeState {
  size: number;
  root: string;
}

/** Returns true if the path proves that the tree `to` starts with the entire tree `from`: RFC 9162 §2.1.4.2. */
export function consistencyHolds(from: TreeState, to: TreeState, path: readonly string[]): boolean {
  if (from.size > to.size) return false;
  if (from.size === to.size) return path.length === 0 && from.root === to.root;
  if (from.size === 0) return path.length === 0 && from.root === EMPTY_ROOT;

  let place = from.size - 1;
  let last = to.size - 1;
  while (place % 2 === 1) {
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  // A tree whose size is a power of two is one complete subtree, whose hash the path omits.
  const [first, ...rest] = place === 0 ? [from.root, ...path] : path;
  if (first === undefined) return false;
  let fromHash = first;
  let toHash = first;
  for (const hash of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      fromHash = nodeHash(hash, fromHash);
      toHash = nodeHash(hash, toHash);
      while (place % 2 === 0 && place !== 0) {
        place /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      toHash = nodeHash(toHash, hash);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && fromHash === from.root && toHash === to.root;
}

import { nodeHash } from './hash.ts';

/** A complete subtree: the leaves from `index * 2^level` on, `2^level` of them. Level 0 are the leaves. */
export interface TreeNode {
  level: number;
  index: number;
}

export interface HashedNode extends TreeNode {
  hash: string;
}

/** Reads the hashes of complete subtrees, in the order asked for: one read of the store for a whole proof. */
export type ReadNodes = (nodes: TreeNode[]) => Promise<string[]>;

/** Leaves from `start` up to, not including, `end`. It must be a subtree of an RFC 9162 tree. */
export interface LeafRange {
  start: number;
  end: number;
}

/** The complete subtrees that a tree, or a subtree of one, of these leaves is made of; largest first. */
export function completeSubtrees({ start, end }: LeafRange): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let at = start; at < end; ) {
    const level = Math.floor(Math.log2(end - at));
    const width = 2 ** level;
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
}

/** The hash over complete subtrees that stand side by side, largest first (RFC 9162 §2.1.1). There is at least one. */
export function joinSubtrees(hashes: readonly string[]): string {
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** The hashes of the ranges, from one read of stored nodes. */
export async function readRanges(ranges: readonly LeafRange[], readNodes: ReadNodes): Promise<string[]> {
  const wanted = ranges.map(completeSubtrees);
  const nodes = wanted.flat();
  const hashes = await readNodes(nodes);
  if (hashes.length !== nodes.length) {
    throw new Error(`${nodes.length} nodes of the tree were asked for and ${hashes.length} came`);
  }
  let taken = 0;
  return wanted.map(({ length }) => {
    taken += length;
    return joinSubtrees(hashes.slice(taken - length, taken));
  });
}

/** The largest power of two below `size`: where RFC 9162 §2.1.1 splits a tree of two leaves or more. */
export function splitPoint(size: number): number {
  const power = 2 ** Math.floor(Math.log2(size));
  return power === size ? size / 2 : power;
}

import { nodeHash } from './hash.ts';

/** A complete subtree: `2^level` leaves from `index * 2^level`. Level 0 is a leaf. */
export interface TreeNode {
  level: number;
  index: number;
}

export interface HashedNode extends TreeNode {
  hash: string;
}

/** Reads hashes of complete subtrees in the given order: one read of the store for an entire proof. */
export type ReadNodes = (nodes: TreeNode[]) => Promise<string[]>;

/** Leaves from `start` to before `end`. Must be a subtree of an RFC 9162 tree. */
export interface LeafRange {
  start: number;
  end: number;
}

/** Returns the complete subtrees of a tree, or subtree, over these leaves; largest first. */
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

/** Hashes adjacent complete subtrees, largest first (RFC 9162 §2.1.1). There must be at least one. */
export function joinSubtrees(hashes: readonly string[]): string {
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** Returns the hashes of the ranges from one read of stored nodes. */
export async function readRanges(ranges: readonly LeafRange[], readNodes: ReadNodes): Promise<string[]> {
  const wanted = ranges.map(completeSubtrees);
  const nodes = wanted.flat();
  const hashes = await readNodes(nodes);
  if (hashes.length !== nodes.length) {
    throw new Error(`Requested ${nodes.length} tree nodes, but received ${hashes.length}`);
  }
  let taken = 0;
  return wanted.map(({ length }) => {
    taken += length;
    return joinSubtrees(hashes.slice(taken - length, taken));
  });
}

/** Largest power of two below `size`, where RFC 9162 §2.1.1 splits a tree of two or more leaves. */
export function splitPoint(size: number): number {
  const power = 2 ** Math.floor(Math.log2(size));
  return power === size ? size / 2 : power;
}

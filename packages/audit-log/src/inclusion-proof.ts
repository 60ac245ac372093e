import { nodeHash } from './hash.ts';
import { type LeafRange, type ReadNodes, readRanges, splitPoint } from './tree-nodes.ts';

/** Returns the path from the leaf `index` (from 0) to the root of the first `size` leaves: RFC 9162 §2.1.3.1. */
export async function proveInclusion(index: number, size: number, readNodes: ReadNodes): Promise<string[]> {
  if (index < 0 || index >= size) throw new RangeError(`A tree of ${size} leaves has no leaf ${index}`);
  return readRanges(siblings(index, { start: 0, end: size }), readNodes);
}

/** Sibling subtrees on the way from the leaf to the root, lowest first. */
function siblings(index: number, { start, end }: LeafRange): LeafRange[] {
  if (end - start === 1) return [];
  const middle = start + splitPoint(end - start);
  const left = { start, end: middle };
  const right = { start: middle, end };
  return index < middle ? [...siblings(index, left), right] : [...siblings(index, right), left];
}

export interface ProvenLeaf {
  leafHash: string;
  index: number;
  size: number;
  root: string;
  path: readonly string[];
}

/** Returns true if the path leads from the leaf to the root: RFC 9162 §2.1.3.2. */
export function inclusionHolds({ leafHash, index, size, root, path }: ProvenLeaf): boolean {
  if (index < 0 || index >= size) return false;
  let place = index;
  let last = size - 1;
  let hash = leafHash;
  for (const sibling of path) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      while (place % 2 === 0 && place !== 0) {
        place /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && hash === root;
}

import { createHash } from 'node:crypto';

/**
 * RFC 9162 §2.1 implemented literally over byte strings, regardless of speed. The package's trees and proofs are
 * compared with it.
 */

const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function naiveLeaf(bytes: Buffer): string {
  return createHash('sha256')
    .update(Buffer.from([0]))
    .update(bytes)
    .digest('hex');
}

export function naiveRoot(leaves: readonly string[]): string {
  if (leaves.length === 0) return SHA256_OF_NOTHING;
  if (leaves.length === 1) return leaves[0] as string;
  const [left, right] = halves(leaves);
  return createHash('sha256')
    .update(Buffer.from([1]))
    .update(Buffer.from(naiveRoot(left), 'hex'))
    .update(Buffer.from(naiveRoot(right), 'hex'))
    .digest('hex');
}

/** §2.1.3.1: PATH(m, D_n). */
export function naiveInclusion(index: number, leaves: readonly string[]): string[] {
  if (leaves.length === 1) return [];
  const [left, right] = halves(leaves);
  return index < left.length
    ? [...naiveInclusion(index, left), naiveRoot(right)]
    : [...naiveInclusion(index - left.length, right), naiveRoot(left)];
}

/** §2.1.4.1: PROOF(m, D_n). */
export function naiveConsistency(fromSize: number, leaves: readonly string[], whole = true): string[] {
  if (fromSize === leaves.length) return whole ? [] : [naiveRoot(leaves)];
  const [left, right] = halves(leaves);
  return fromSize <= left.length
    ? [...naiveConsistency(fromSize, left, whole), naiveRoot(right)]
    : [...naiveConsistency(fromSize - left.length, right, false), naiveRoot(left)];
}

function halves(leaves: readonly string[]): [string[], string[]] {
  let middle = 1;
  while (middle * 2 < leaves.length) middle *= 2;
  return [leaves.slice(0, middle), leaves.slice(middle)];
}

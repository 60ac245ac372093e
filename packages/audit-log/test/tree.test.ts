import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openTree } from '../src/compact-tree.ts';
import { consistencyHolds, proveConsistency } from '../src/consistency-proof.ts';
import { leafHash } from '../src/hash.ts';
import { inclusionHolds, proveInclusion } from '../src/inclusion-proof.ts';
import type { ReadNodes } from '../src/tree-nodes.ts';
import { naiveConsistency, naiveInclusion, naiveLeaf, naiveRoot } from './naive-tree.ts';

/**
 * Inputs and roots from the reference tests of Certificate Transparency (transparency-dev/merkle,
 * testonly/constants.go).
 */
const REFERENCE_LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => naiveLeaf(Buffer.from(hex, 'hex')));
const REFERENCE_ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const LARGEST = 140;
/** The cost of the recursive definition grows with the cube of the size. */
const LARGEST_DEFINED = 40;
const LEAVES = Array.from({ length: LARGEST }, (_, index) => leafHash(`leaf ${index}`));
const ROOTS = Array.from({ length: LARGEST + 1 }, (_, size) => naiveRoot(LEAVES.slice(0, size)));

/** Every node that the tree completes while it grows, like in a store. */
const STORED = new Map<string, string>();
{
  const tree = openTree();
  for (const leaf of LEAVES) {
    for (const { level, index, hash } of tree.append(leaf)) STORED.set(`${level}/${index}`, hash);
  }
}
const readNodes: ReadNodes = async (nodes) =>
  nodes.map(({ level, index }) => {
    const hash = STORED.get(`${level}/${index}`);
    if (hash === undefined)
      throw new Error(`A proof asked for node ${level}/${index}, which is not complete`);
    return hash;
  });

function root(size: number): string {
  return ROOTS[size] as string;
}

function withFlippedBit(hash: string, bit: number): string {
  const bytes = Buffer.from(hash, 'hex');
  const at = Math.floor(bit / 8);
  bytes[at] = (bytes[at] as number) ^ (1 << (bit % 8));
  return bytes.toString('hex');
}

it('a tree has the roots of the reference vectors of RFC 6962', () => {
  const tree = openTree();
  const roots = [tree.root()];
  for (const leaf of REFERENCE_LEAVES) {
    tree.append(leaf);
    roots.push(tree.root());
  }
  expect(roots).toEqual(REFERENCE_ROOTS);
});

it('a tree hashes a leaf with its own prefix', () => {
  expect(leafHash('')).toBe(REFERENCE_LEAVES[0]);
  expect(leafHash('é@')).toBe(naiveLeaf(Buffer.from('é@')));
});

it(`a tree has the root of the recursive definition at every size to ${LARGEST}, even when reopened at any of them`, () => {
  let tree = openTree();
  for (const [index, leaf] of LEAVES.entries()) {
    expect(tree.root()).toBe(root(index));
    tree = openTree(tree.size, tree.subtrees);
    tree.append(leaf);
  }
  expect(tree.root()).toBe(root(LARGEST));
});

it('a tree is not opened with a wrong number of subtrees', () => {
  expect(() => openTree(5, [root(4)])).toThrow('A tree of 5 leaves has 2 complete subtrees, not 1');
});

it('a tree stays unchanged when a copy grows', () => {
  const tree = openTree();
  for (const leaf of LEAVES.slice(0, 5)) tree.append(leaf);
  tree.copy().append(LEAVES[5] as string);
  expect(tree.root()).toBe(root(5));
});

it(`an inclusion proof matches the RFC's definition, for every leaf of every tree to ${LARGEST_DEFINED}`, async () => {
  for (let size = 1; size <= LARGEST_DEFINED; size++) {
    for (let index = 0; index < size; index++) {
      const path = await proveInclusion(index, size, readNodes);
      expect(path).toEqual(naiveInclusion(index, LEAVES.slice(0, size)));
    }
  }
});

it(`an inclusion proof holds for every leaf of every tree to ${LARGEST}`, async () => {
  const failed: string[] = [];
  for (let size = 1; size <= LARGEST; size++) {
    for (let index = 0; index < size; index++) {
      const path = await proveInclusion(index, size, readNodes);
      const proof = { leafHash: LEAVES[index] as string, index, size, root: root(size), path };
      if (!inclusionHolds(proof)) failed.push(`${index} of ${size}`);
    }
  }
  expect(failed).toEqual([]);
});

it('an inclusion proof holds for no other leaf, index, size, root, or path', async () => {
  const places = fc
    .integer({ min: 1, max: LARGEST })
    .chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1), fc.nat(255), fc.nat(LARGEST)));
  await fc.assert(
    fc.asyncProperty(places, async ([size, index, bit, other]) => {
      const path = await proveInclusion(index, size, readNodes);
      const proof = { leafHash: LEAVES[index] as string, index, size, root: root(size), path };
      expect(inclusionHolds(proof)).toBe(true);
      expect(inclusionHolds({ ...proof, leafHash: withFlippedBit(proof.leafHash, bit) })).toBe(false);
      expect(inclusionHolds({ ...proof, root: withFlippedBit(proof.root, bit) })).toBe(false);
      if (other !== index) expect(inclusionHolds({ ...proof, index: other })).toBe(false);
      for (const [step, hash] of path.entries()) {
        const altered = path.with(step, withFlippedBit(hash, bit));
        expect(inclusionHolds({ ...proof, path: altered })).toBe(false);
        expect(inclusionHolds({ ...proof, path: path.toSpliced(step, 1) })).toBe(false);
      }
      expect(inclusionHolds({ ...proof, path: [...path, root(1)] })).toBe(false);
    }),
    { seed: 6962, numRuns: 200 },
  );
});

it('an inclusion proof is rejected for a leaf that is not in the tree', async () => {
  await expect(proveInclusion(5, 5, readNodes)).rejects.toThrow('A tree of 5 leaves has no leaf 5');
});

it(`a consistency proof matches the RFC's definition, between all trees to ${LARGEST_DEFINED}`, async () => {
  for (let to = 1; to <= LARGEST_DEFINED; to++) {
    for (let from = 1; from <= to; from++) {
      const path = await proveConsistency(from, to, readNodes);
      expect(path).toEqual(naiveConsistency(from, LEAVES.slice(0, to)));
    }
  }
});

it(`a consistency proof holds between all trees to ${LARGEST}, including the empty one`, async () => {
  const failed: string[] = [];
  for (let to = 0; to <= LARGEST; to++) {
    for (let from = 0; from <= to; from++) {
      const path = await proveConsistency(from, to, readNodes);
      const older = { size: from, root: root(from) };
      if (!consistencyHolds(older, { size: to, root: root(to) }, path)) failed.push(`${from} to ${to}`);
    }
  }
  expect(failed).toEqual([]);
});

it('a consistency proof holds for no other size, root, or path', async () => {
  const places = fc
    .integer({ min: 2, max: LARGEST })
    .chain((to) => fc.tuple(fc.constant(to), fc.integer({ min: 1, max: to - 1 }), fc.nat(255)));
  await fc.assert(
    fc.asyncProperty(places, async ([to, from, bit]) => {
      const path = await proveConsistency(from, to, readNodes);
      const older = { size: from, root: root(from) };
      const newer = { size: to, root: root(to) };
      expect(consistencyHolds(older, newer, path)).toBe(true);
      expect(consistencyHolds({ ...older, root: withFlippedBit(older.root, bit) }, newer, path)).toBe(false);
      expect(consistencyHolds(older, { ...newer, root: withFlippedBit(newer.root, bit) }, path)).toBe(false);
      expect(consistencyHolds(newer, older, path)).toBe(false);
      for (const [step, hash] of path.entries()) {
        expect(consistencyHolds(older, newer, path.with(step, withFlippedBit(hash, bit)))).toBe(false);
        expect(consistencyHolds(older, newer, path.toSpliced(step, 1))).toBe(false);
      }
      expect(consistencyHolds(older, newer, [...path, root(1)])).toBe(false);
    }),
    { seed: 9162, numRuns: 200 },
  );
});

it('a consistency proof is rejected for a tree that is larger than the later one', async () => {
  await expect(proveConsistency(6, 5, readNodes)).rejects.toThrow('cannot extend a tree of 6');
});

import { EMPTY_ROOT, nodeHash } from './hash.ts';
import { completeSubtrees, type HashedNode, joinSubtrees } from './tree-nodes.ts';

/** The state that appending to a tree needs: the number of leaves and at most 53 hashes. */
export interface CompactTree {
  readonly size: number;
  /** Roots of the complete subtrees, largest first. */
  readonly subtrees: readonly string[];
  /**
   * Adds a leaf. Returns the subtrees that it completes, starting with the leaf itself: the nodes that a store must
   * keep.
   */
  append(leafHash: string): HashedNode[];
  root(): string;
  copy(): CompactTree;
}

/** Opens a tree of `size` leaves. Throws if a tree of that size has a different number of subtrees. */
export function openTree(size = 0, subtrees: readonly string[] = []): CompactTree {
  const levels = completeSubtrees({ start: 0, end: size }).length;
  if (subtrees.length !== levels) {
    throw new Error(`A tree of ${size} leaves has ${levels} complete subtrees, not ${subtrees.length}`);
  }
  const stack = [...subtrees];
  return {
    get size() {
      return size;
    },
    get subtrees() {
      return stack;
    },
    append(leafHash) {
      let node: HashedNode = { level: 0, index: size, hash: leafHash };
      const completed = [node];
      // A node with an odd index is a right child, so its parent is now complete.
      while (node.index % 2 === 1) {
        const left = stack.pop() as string;
        node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeHash(left, node.hash) };
        completed.push(node);
      }
      stack.push(node.hash);
      size += 1;
      return completed;
    },
    root: () => (stack.length === 0 ? EMPTY_ROOT : joinSubtrees(stack)),
    copy: () => openTree(size, stack),
  };
}

import { openTree } from '@tollgate/audit-log/compact-tree';
import type { HashedNode, TreeNode } from '@tollgate/audit-log/tree-nodes';
import type { Findings } from '@tollgate/audit-log/verify/findings';
import type { Context } from '../context.ts';
import { LOWEST_STORED_LEVEL, type NodeDocument, nodeIdOf } from '../heads/node-store.ts';
import type { RecordDocument } from '../records/record-document.ts';

const MAX_MISPLACED = 100;

/** Compares the stored nodes, which proofs use, with the nodes computed from the leaves. */
export function createNodeCheck(nodes: Context['nodes'], teamId: string, findings: Findings) {
  const tree = openTree();
  let isUsable = true;
  return {
    async add({ seq, leaf_hash }: RecordDocument): Promise<void> {
      // Missing and surplus records have findings of their own. Comparing the nodes after them would add one finding
      // per node.
      if (seq !== tree.size + 1 || !/^[0-9a-f]{64}$/.test(leaf_hash)) isUsable = false;
      if (!isUsable) return;
      const expected = tree.append(leaf_hash).filter(({ level }) => level >= LOWEST_STORED_LEVEL);
      if (expected.length === 0) return;
      compare(teamId, expected, await nodes.listEndingAt(teamId, tree.size), findings);
    },
  };
}

function compare(teamId: string, expected: HashedNode[], stored: NodeDocument[], findings: Findings): void {
  const byId = new Map(stored.map((node) => [node._id, node]));
  for (const node of expected) {
    const id = nodeIdOf(teamId, node);
    const found = byId.get(id);
    byId.delete(id);
    if (found === undefined) report(node, 'is missing', findings);
    else if (found.hash !== node.hash || found.level !== node.level || found.index !== node.index) {
      report(node, 'does not match its records', findings);
    }
  }
  for (const node of byId.values()) report(node, 'was inserted', findings);
}

/**
 * Finds stored nodes that the comparison with the leaves does not visit.
 *
 * @param size current number of records in the log, which other instances keep signing
 */
export async function checkMisplacedNodes(
  nodes: Context['nodes'],
  teamId: string,
  size: number,
  findings: Findings,
): Promise<void> {
  for (const node of await nodes.listMisplaced(teamId, size, MAX_MISPLACED)) {
    report(node, 'belongs to no records', findings);
  }
}

function report({ level, index }: TreeNode, what: string, findings: Findings): void {
  const first = index * 2 ** level + 1;
  findings.add(
    'root-differs',
    `Node ${index} of level ${level} in the stored tree ${what}. Proofs use this node.`,
    { seq: Number.isSafeInteger(first) && first > 0 ? first : null },
  );
}

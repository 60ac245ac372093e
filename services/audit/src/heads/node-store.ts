import { openTree } from '@tollgate/audit-log/compact-tree';
import type { HashedNode, ReadNodes, TreeNode } from '@tollgate/audit-log/tree-nodes';
import { insertMissing } from '@tollgate/store/insert-missing';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import type { RecordStore } from '../records/record-store.ts';

/**
 * Lower nodes are computed from the leaves when a proof needs them: at most 256 leaves per node, instead of one more
 * document per record.
 */
export const LOWEST_STORED_LEVEL = 8;

export interface NodeDocument extends HashedNode {
  /** `<team>:<level>:<index>` */
  _id: string;
  team_id: string;
  /** The number of the last record that the node covers. */
  end: number;
}

export const NODE_INDEXES: readonly IndexDeclaration[] = [
  { key: { team_id: 1, end: 1 }, purpose: 'Verifications: the nodes that a record completes' },
];

export type NodeStore = ReturnType<typeof createNodeStore>;

/** Nodes of complete subtrees, from `LOWEST_STORED_LEVEL` up. Once stored, they never change. */
export function createNodeStore(connection: Connection, records: Pick<RecordStore, 'listLeafHashes'>) {
  const collection = connection.getClient().db(connection.name).collection<NodeDocument>('nodes');

  async function readStored(teamId: string, node: TreeNode): Promise<string> {
    const found = await collection.findOne({ _id: nodeIdOf(teamId, node), team_id: teamId });
    if (!found) throw new Error(`Tree node ${nodeIdOf(teamId, node)} is missing`);
    return found.hash;
  }

  async function computeFromLeaves(teamId: string, { level, index }: TreeNode): Promise<string> {
    const width = 2 ** level;
    const leaves = await records.listLeafHashes(teamId, {
      from: index * width + 1,
      upTo: (index + 1) * width,
    });
    const tree = openTree();
    for (const leaf of leaves) tree.append(leaf);
    if (tree.size !== width)
      throw new Error(`Some records under tree node ${nodeIdOf(teamId, { level, index })} are missing`);
    return tree.root();
  }

  return {
    async insertMissing(team_id: string, nodes: HashedNode[]): Promise<void> {
      await insertMissing(collection, nodes, (node) => ({
        _id: nodeIdOf(team_id, node),
        team_id,
        ...node,
        end: (node.index + 1) * 2 ** node.level,
      }));
    },

    /** Returns nodes in the requested order. Throws when one is missing. */
    readerOf:
      (teamId: string): ReadNodes =>
      (nodes) =>
        Promise.all(
          nodes.map((node) =>
            node.level >= LOWEST_STORED_LEVEL ? readStored(teamId, node) : computeFromLeaves(teamId, node),
          ),
        ),

    /** The nodes that this record completes. */
    listEndingAt: (team_id: string, end: number): Promise<NodeDocument[]> =>
      collection.find({ team_id, end }).toArray(),

    /** Nodes that no record completes, or that lie beyond `size`. */
    listMisplaced: (team_id: string, size: number, limit: number): Promise<NodeDocument[]> =>
      collection
        .find({ team_id, $nor: [{ end: { $lte: size, $mod: [2 ** LOWEST_STORED_LEVEL, 0] } }] })
        .limit(limit)
        .toArray(),

    /** Deletes the nodes that cover records above this number. The next head stores them again. */
    async deleteAbove(team_id: string, seq: number): Promise<void> {
      await collection.deleteMany({ team_id, end: { $gt: seq } });
    },
  };
}

export function nodeIdOf(teamId: string, { level, index }: TreeNode): string {
  return `${teamId}:${level}:${index}`;
}

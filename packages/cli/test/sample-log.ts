import { generateKeyPairSync } from 'node:crypto';
import { openTree } from '@tollgate/audit-log/compact-tree';
import { signHead } from '@tollgate/audit-log/head';
import { publicKeyOf } from '@tollgate/audit-log/keys';
import { recordLeaf } from '@tollgate/audit-log/record-leaf';
import { sealLeaf } from '@tollgate/audit-log/seal';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Document } from 'mongodb';
import { aRecord } from './sample-export.ts';

const RECORDS = 5;
/** The tree head covers these; the others follow it. */
const RECORDS_OF_HEAD = 3;

/** Builds the documents of an audit log like the audit service. */
export function sampleLog(): { teamId: string; records: Document[]; heads: Document[]; publicKey: string } {
  const key = { version: 1, privateKey: generateKeyPairSync('ed25519').privateKey };
  const teamId = newId('team');
  const tree = openTree();
  const records = Array.from({ length: RECORDS }, (_, index) => {
    const { id, ...members } = aRecord(teamId, index + 1);
    const leaf_hash = recordLeaf({ id, ...members });
    if (index < RECORDS_OF_HEAD) tree.append(leaf_hash);
    return { _id: id as never, ...members, leaf_hash, seal: sealLeaf(leaf_hash, key), words: [] };
  });
  const at = (records[0] as Document)['recorded_at'];
  const { size } = tree;
  const head = signHead(
    { team_id: teamId, number: 1, size, root: tree.root(), at, previous_hash: null },
    key,
  );
  return {
    teamId,
    records,
    heads: [{ _id: `${teamId}:1` as never, ...head, subtrees: [] }],
    publicKey: publicKeyOf(key).public_key,
  };
}

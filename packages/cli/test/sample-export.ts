import { generateKeyPairSync } from 'node:crypto';
import { openTree } from '@tollgate/audit-log/compact-tree';
import { signExportHeader, writeExportLine } from '@tollgate/audit-log/export-line';
import { signHead } from '@tollgate/audit-log/head';
import { publicKeyOf } from '@tollgate/audit-log/keys';
import { recordLeaf } from '@tollgate/audit-log/record-leaf';
import { sealLeaf } from '@tollgate/audit-log/seal';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { AuditHead, AuditPublicKey, ExportRecord } from '@tollgate/contracts/audit/audit-log';
import { newId } from '@tollgate/contracts/platform/ids';

const AT = '2026-03-01T00:00:00.000Z';

export interface SampleExport {
  text: string;
  /** A record from the middle. */
  record: AuditRecord;
  head: AuditHead;
  key: AuditPublicKey;
  privateKeyPem: string;
}

/** Builds an export of a few records and one head like the audit service. */
export function sampleExport(): SampleExport {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = { version: 1, privateKey };
  const teamId = newId('team');
  const tree = openTree();
  const records = [1, 2, 3, 4, 5].map((seq): ExportRecord => {
    const record = aRecord(teamId, seq);
    const leaf_hash = recordLeaf(record);
    tree.append(leaf_hash);
    return { type: 'record', leaf_hash, seal: sealLeaf(leaf_hash, key), record };
  });
  const head = signHead(
    { team_id: teamId, number: 1, size: tree.size, root: tree.root(), at: AT, previous_hash: null },
    key,
  );
  const header = signExportHeader(
    {
      type: 'export',
      format: 1,
      team_id: teamId,
      from: AT,
      to: AT,
      exported_at: AT,
      size_before: 0,
      subtrees_before: [],
      head_before: null,
      last_head_number: 1,
      last_head_size: tree.size,
      public_keys: [publicKeyOf(key)],
    },
    key,
  );
  const lines = [header, ...records, { type: 'head', head } as const];
  return {
    text: [...lines, { type: 'end', records: records.length, heads: 1 } as const]
      .map(writeExportLine)
      .join(''),
    record: (records[2] as ExportRecord).record,
    head,
    key: publicKeyOf(key),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

export function aRecord(teamId: string, seq: number): AuditRecord {
  return {
    id: newId('audit'),
    seq,
    occurred_at: AT,
    recorded_at: AT,
    team_id: teamId,
    environment: 'live',
    actor: { type: 'system', id: null, name: null, session_id: null },
    action: 'key.revoked',
    target: { type: 'key', id: newId('apiKey'), name: 'billing' },
    application_id: newId('application'),
    changes: { status: { before: 'active', after: 'revoked' } },
    context: { ip: '192.0.2.7', user_agent: null, request_id: null },
  };
}

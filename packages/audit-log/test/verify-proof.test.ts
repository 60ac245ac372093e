import type {
  AuditHead,
  ConsistencyProof,
  ExportRecord,
  InclusionProof,
} from '@tollgate/contracts/audit/audit-log';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTree } from '../src/compact-tree.ts';
import { proveConsistency } from '../src/consistency-proof.ts';
import { proveInclusion } from '../src/inclusion-proof.ts';
import type { ReadNodes } from '../src/tree-nodes.ts';
import { consistencyProofHolds, inclusionProofHolds } from '../src/verify-proof.ts';
import { buildLog, newSigningKey, verifyingKey } from './build-export.ts';

const LOG = buildLog([5, 12, 30]);
const KEYS = [verifyingKey(LOG.key)];
const RECORDS = LOG.lines.filter((line) => line.type === 'record');
const HEADS = LOG.lines.flatMap((line) => (line.type === 'head' ? [line.head] : []));

const stored = new Map<string, string>();
const tree = openTree();
for (const line of RECORDS) {
  for (const { level, index, hash } of tree.append(line.leaf_hash)) stored.set(`${level}/${index}`, hash);
}
const readNodes: ReadNodes = async (nodes) =>
  nodes.map(({ level, index }) => stored.get(`${level}/${index}`) as string);

describe('a proof from the API', () => {
  const { record } = RECORDS[7] as ExportRecord;
  const [, second, third] = HEADS as [AuditHead, AuditHead, AuditHead];
  let inclusion: InclusionProof;
  let consistency: ConsistencyProof;

  beforeAll(async () => {
    inclusion = { record, index: 7, head: second, path: await proveInclusion(7, second.size, readNodes) };
    const path = await proveConsistency(second.size, third.size, readNodes);
    consistency = { from: second, to: third, path };
  });

  it('a proof from the API holds for a record and between two heads', () => {
    expect(inclusionProofHolds(inclusion, KEYS)).toBe(true);
    expect(consistencyProofHolds(consistency, KEYS)).toBe(true);
  });

  it('a proof from the API does not hold for a changed record or another position', () => {
    expect(inclusionProofHolds({ ...inclusion, record: { ...record, environment: null } }, KEYS)).toBe(false);
    expect(inclusionProofHolds({ ...inclusion, index: 6 }, KEYS)).toBe(false);
  });

  it('a proof from the API does not hold with a head that the service did not sign', () => {
    const others = [verifyingKey(newSigningKey())];
    expect(inclusionProofHolds(inclusion, others)).toBe(false);
    expect(consistencyProofHolds(consistency, others)).toBe(false);
    expect(consistencyProofHolds({ ...consistency, to: { ...third, size: 29 } }, KEYS)).toBe(false);
  });
});

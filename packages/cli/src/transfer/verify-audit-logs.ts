import { writeExportLine } from '@tollgate/audit-log/export-line';
import type { VerifyingKey } from '@tollgate/audit-log/keys';
import { recordLeaf } from '@tollgate/audit-log/record-leaf';
import { sealHolds } from '@tollgate/audit-log/seal';
import { verifyStoredLog } from '@tollgate/audit-log/verify-export';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { AuditFinding, AuditHead, AuditSeal } from '@tollgate/contracts/audit/audit-log';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import type { Collection, Db, MongoClient } from 'mongodb';

/** A record as the audit service stores it. All other members are the record itself. */
interface StoredRecord extends Omit<AuditRecord, 'id'> {
  _id: string;
  leaf_hash: string;
  seal: AuditSeal;
  words: string[];
}

/** A tree head as the audit service stores it. All other members are the head itself. */
interface StoredHead extends AuditHead {
  _id: string;
  subtrees: string[];
}

export interface AuditVerification {
  teams: number;
  records: number;
  heads: number;
  findings: AuditFinding[];
}

/** Verifies the audit logs of all teams as they are stored: every seal, every tree head, and the numbers without a gap. */
export async function verifyAuditLogs(
  client: MongoClient,
  publicKeys: readonly VerifyingKey[],
): Promise<AuditVerification> {
  const database = client.db(DATABASES.audit);
  const teams = await database
    .collection<{ _id: string }>('logs')
    .find({}, { projection: { _id: 1 } })
    .toArray();
  const result: AuditVerification = { teams: teams.length, records: 0, heads: 0, findings: [] };
  for (const { _id: teamId } of teams) {
    const { records, heads, findings } = await verifyTeam(database, teamId, publicKeys);
    result.records += records;
    result.heads += heads;
    result.findings.push(...findings);
  }
  return result;
}

async function verifyTeam(database: Db, teamId: string, publicKeys: readonly VerifyingKey[]) {
  const records = database.collection<StoredRecord>('records');
  const heads = database.collection<StoredHead>('heads');
  const last = await heads.findOne({ team_id: teamId }, { sort: { team_id: -1, number: -1 } });
  const [lastHeadNumber, lastHeadSize] = [last?.number ?? 0, last?.size ?? 0];
  const log = { teamId, lastHeadNumber, lastHeadSize, at: new Date() };
  const verified = await verifyStoredLog(log, readLines(records, heads, teamId, lastHeadSize), {
    publicKeys,
    everySeal: true,
  });
  const tail = await verifyTail(records, teamId, lastHeadSize, publicKeys);
  return {
    records: verified.records + tail.records,
    heads: verified.heads,
    findings: [...verified.findings, ...tail.findings],
  };
}

/** The lines of an export of the whole log, after its first. */
async function* readLines(
  records: Collection<StoredRecord>,
  heads: Collection<StoredHead>,
  teamId: string,
  size: number,
): AsyncGenerator<string> {
  const written = { records: 0, heads: 0 };
  const stored = records
    .find({ team_id: teamId, seq: { $lte: size } })
    .sort({ team_id: 1, seq: 1 })
    [Symbol.asyncIterator]();
  let next = await stored.next();
  for await (const { _id, subtrees: _subtrees, ...head } of heads
    .find({ team_id: teamId })
    .sort({ number: 1 })) {
    for (; !next.done && next.value.seq <= head.size; next = await stored.next()) {
      const { leaf_hash, seal } = next.value;
      yield lineOf({ type: 'record', leaf_hash, seal, record: toRecord(next.value) });
      written.records += 1;
    }
    yield lineOf({ type: 'head', head });
    written.heads += 1;
  }
  yield lineOf({ type: 'end', ...written });
}

/** Verifies the records that no tree head covers yet by their seals and numbers. */
async function verifyTail(
  records: Collection<StoredRecord>,
  teamId: string,
  size: number,
  publicKeys: readonly VerifyingKey[],
) {
  const findings: AuditFinding[] = [];
  let seq = size;
  for await (const document of records
    .find({ team_id: teamId, seq: { $gt: size } })
    .sort({ team_id: 1, seq: 1 })) {
    seq += 1;
    const place = { record_id: document._id, head_number: null };
    if (document.seq !== seq) {
      const detail = `Records ${seq} to ${document.seq - 1} are missing.`;
      findings.push({ code: 'record-missing', seq, ...place, detail });
      seq = document.seq;
    }
    if (!isAsWritten(document, publicKeys)) {
      const detail = 'The record differs from the one that the service wrote.';
      findings.push({ code: 'record-changed', seq, ...place, detail });
    }
  }
  return { records: seq - size, findings };
}

function isAsWritten(document: StoredRecord, publicKeys: readonly VerifyingKey[]): boolean {
  try {
    const { leaf_hash, seal } = document;
    return recordLeaf(toRecord(document)) === leaf_hash && sealHolds(leaf_hash, seal, publicKeys);
  } catch {
    return false;
  }
}

function toRecord({
  _id,
  leaf_hash: _leafHash,
  seal: _seal,
  words: _words,
  ...members
}: StoredRecord): AuditRecord {
  return { id: _id, ...members } as AuditRecord;
}

/** A document without a canonical form is written as plain JSON, which matches no signature. */
function lineOf(line: Parameters<typeof writeExportLine>[0]): string {
  try {
    return writeExportLine(line).slice(0, -1);
  } catch {
    return JSON.stringify(line);
  }
}

import { generateKeyPairSync } from 'node:crypto';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type {
  AuditHead,
  ExportHead,
  ExportHeader,
  ExportLine,
  ExportRecord,
} from '@tollgate/contracts/audit/audit-log';
import { newId } from '@tollgate/contracts/platform/ids';
import { openTree } from '../src/compact-tree.ts';
import { signExportHeader, writeExportLine } from '../src/export-line.ts';
import { headHash, signHead } from '../src/head.ts';
import { parsePublicKey, publicKeyOf, type SigningKey, type VerifyingKey } from '../src/keys.ts';
import { recordLeaf } from '../src/record-leaf.ts';
import { sealLeaf } from '../src/seal.ts';

const BEGIN_MS = Date.parse('2026-03-01T00:00:00.000Z');
const RECORD_EVERY_MS = 1_000;

export function newSigningKey(version = 1): SigningKey {
  return { version, privateKey: generateKeyPairSync('ed25519').privateKey };
}

export function verifyingKey(key: SigningKey): VerifyingKey {
  return parsePublicKey(publicKeyOf(key).public_key, key.version);
}

/** A log as a service stores it: the lines of all its records and heads, by increasing size. */
export interface Log {
  teamId: string;
  key: SigningKey;
  lines: (ExportRecord | ExportHead)[];
}

/** @param headSizes increasing number of records at each head; the last one is the size of the log */
export function buildLog(headSizes: readonly number[], key = newSigningKey(), teamId = newId('team')): Log {
  return { teamId, key, lines: [...logLines(headSizes, key, teamId)] };
}

/**
 * The log after it was restored to this tree head: the next record states it. At that time, all heads of the log were
 * signed.
 */
export function restoredLog(log: Log, headNumber: number, headSizes: readonly number[]): Log {
  const { teamId, key } = log;
  const end = log.lines.findIndex((line) => line.type === 'head' && line.head.number === headNumber) + 1;
  const lines = log.lines.slice(0, end);
  const head = (lines.at(-1) as ExportHead).head;
  const restoredAt = (log.lines.at(-1) as ExportHead).head.at;
  const newRecord = (_teamId: string, seq: number) =>
    seq === head.size + 1 ? aRestore(teamId, head, restoredAt) : aRecord(teamId, seq);
  return { teamId, key, lines: [...lines, ...logLines(headSizes, key, teamId, { lines, newRecord })] };
}

function aRestore(teamId: string, { size, number }: AuditHead, at: string): AuditRecord {
  return {
    ...aRecord(teamId, size + 1),
    occurred_at: at,
    action: 'log.restored',
    changes: { records: { before: null, after: size }, tree_heads: { before: null, after: number } },
  };
}

/** Generates the lines of a log that may not fit into memory. */
export function* logLines(
  headSizes: Iterable<number>,
  key: SigningKey,
  teamId: string,
  { lines = [], newRecord = aRecord }: { lines?: Log['lines']; newRecord?: typeof aRecord } = {},
): Generator<ExportRecord | ExportHead> {
  const tree = openTree();
  let previous: AuditHead | null = null;
  for (const line of lines) {
    if (line.type === 'record') tree.append(line.leaf_hash);
    else previous = line.head;
  }
  for (const size of headSizes) {
    while (tree.size < size) {
      const line = recordLine(newRecord(teamId, tree.size + 1), key);
      tree.append(line.leaf_hash);
      yield line;
    }
    const unsigned = {
      team_id: teamId,
      number: (previous?.number ?? 0) + 1,
      size,
      root: tree.root(),
      at: timeOf(size, 500),
      previous_hash: previous && headHash(previous),
    };
    previous = signHead(unsigned, key);
    yield { type: 'head', head: previous };
  }
}

/** Returns the line of a record, hashed and sealed by the service. */
export function recordLine(record: AuditRecord, key: SigningKey): ExportRecord {
  const leaf_hash = recordLeaf(record);
  return { type: 'record', leaf_hash, seal: sealLeaf(leaf_hash, key), record };
}

export function aRecord(teamId: string, seq: number): AuditRecord {
  return {
    id: newId('audit'),
    seq,
    occurred_at: timeOf(seq, -20),
    recorded_at: timeOf(seq),
    team_id: teamId,
    environment: seq % 3 === 0 ? null : 'live',
    actor: { type: 'member', id: newId('member'), name: 'Ada Lovelace', session_id: newId('session') },
    action: seq % 2 === 0 ? 'key.revoked' : 'application.limits_changed',
    target: { type: 'application', id: newId('application'), name: `Café ${seq}` },
    application_id: newId('application'),
    changes: { burst: { before: seq, after: seq * 2.5 }, note: { before: null, after: 'a "quoted"\nline' } },
    context: { ip: '192.0.2.7', user_agent: 'Mozilla/5.0', request_id: newId('request') },
  };
}

/** Time at which the record with this number was recorded. */
export function timeOf(seq: number, offsetMs = 0): string {
  return new Date(BEGIN_MS + seq * RECORD_EVERY_MS + offsetMs).toISOString();
}

/** Exports a log like the service, from the head before the requested one. */
export function exportLog({ teamId, key, lines }: Log, firstHeadNumber = 1): ExportLine[] {
  const heads = lines.flatMap((line) => (line.type === 'head' ? [line.head] : []));
  const before = heads.find(({ number }) => number === firstHeadNumber - 1) ?? null;
  const last = heads.at(-1) as AuditHead;
  const tree = openTree();
  const start = before ? lines.findIndex((line) => line.type === 'head' && line.head === before) + 1 : 0;
  for (const line of lines.slice(0, start)) if (line.type === 'record') tree.append(line.leaf_hash);
  const held = lines.slice(start);
  const header: ExportHeader = signExportHeader(
    {
      type: 'export',
      format: 1,
      team_id: teamId,
      from: before?.at ?? timeOf(0),
      to: last.at,
      exported_at: last.at,
      size_before: tree.size,
      subtrees_before: [...tree.subtrees],
      head_before: before,
      last_head_number: last.number,
      last_head_size: last.size,
      public_keys: [publicKeyOf(key)],
    },
    key,
  );
  const headCount = held.filter(({ type }) => type === 'head').length;
  return [header, ...held, { type: 'end', records: held.length - headCount, heads: headCount }];
}

export function textOf(lines: readonly ExportLine[]): string {
  return lines.map(writeExportLine).join('');
}

export async function* linesOf(text: string): AsyncGenerator<string> {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  yield* lines;
}

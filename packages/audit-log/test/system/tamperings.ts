import { generateKeyPairSync } from 'node:crypto';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type {
  AuditFinding,
  AuditHead,
  ExportHead,
  ExportLine,
  ExportRecord,
} from '@tollgate/contracts/audit/audit-log';
import { newId } from '@tollgate/contracts/platform/ids';
import { openTree } from '../../src/compact-tree.ts';
import { headHash, signHead } from '../../src/head.ts';
import { recordLeaf } from '../../src/record-leaf.ts';

/** Random numbers from a seed, so that an undetected tampering can be reproduced. */
export type Dice = (below: number) => number;

/** Mulberry32. */
export function dice(seed: number): Dice {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * Changes an export in place. Returns a test for the finding that identifies the change, or null if nothing was
 * changed.
 */
export type Tampering = (lines: ExportLine[], roll: Dice) => ((finding: AuditFinding) => boolean) | null;

const byRecord =
  ({ seq, id }: Pick<AuditRecord, 'seq' | 'id'>) =>
  (finding: AuditFinding) =>
    finding.seq === seq || finding.record_id === id;
const byHead = (number: number) => (finding: AuditFinding) => finding.head_number === number;
const byCode = (code: string) => (finding: AuditFinding) => finding.code === code;

const forger = { version: 1, privateKey: generateKeyPairSync('ed25519').privateKey };

/** What an attacker with the database, but without the key, can do to a log; and what they can do to its export. */
export const TAMPERINGS: Record<string, Tampering> = {
  'change a field of a record': (lines, roll) => {
    const line = anyRecord(lines, roll);
    const named = byRecord(line.record);
    changeLeaf(line.record, roll);
    return named;
  },
  'change a field of a record and hash it again': (lines, roll) => {
    const line = anyRecord(lines, roll);
    const named = byRecord(line.record);
    changeLeaf(line.record, roll);
    rehash(line);
    return named;
  },
  'change a field of a record and hash everything after it again': (lines, roll) => {
    const line = anyRecord(lines, roll);
    const named = byRecord(line.record);
    changeLeaf(line.record, roll);
    rehash(line);
    recomputeHeads(lines);
    return named;
  },
  'change a field of a record, hash everything again and sign it with another key': (lines, roll) => {
    const line = anyRecord(lines, roll);
    const named = byRecord(line.record);
    changeLeaf(line.record, roll);
    rehash(line);
    recomputeHeads(lines, true);
    return named;
  },
  'remove a field of a record': (lines, roll) => {
    const line = anyRecord(lines, roll);
    const named = byRecord(line.record);
    delete (line.record as Record<string, unknown>)[pick(Object.keys(line.record), roll)];
    if (roll(2) === 0) rehash(line);
    return named;
  },
  'add a field to a record': (lines, roll) => {
    const line = anyRecord(lines, roll);
    line.record = { ...line.record, note: 'approved' } as AuditRecord;
    if (roll(2) === 0) rehash(line);
    return byRecord(line.record);
  },
  'back-date a record': (lines, roll) => {
    const line = anyRecord(lines, roll);
    const earlierMs = Date.parse(line.record.occurred_at) - 1 - roll(86_400_000);
    line.record.occurred_at = new Date(earlierMs).toISOString();
    if (roll(2) === 0) line.record.recorded_at = line.record.occurred_at;
    if (roll(2) === 0) rehash(line);
    return byRecord(line.record);
  },
  'change the hash beside a record': (lines, roll) => {
    const line = anyRecord(lines, roll);
    line.leaf_hash = otherHex(line.leaf_hash, roll);
    return byRecord(line.record);
  },
  'delete a record': (lines, roll) => {
    const line = anyRecord(lines, roll);
    lines.splice(lines.indexOf(line), 1);
    return byRecord(line.record);
  },
  'delete a record and count again': (lines, roll) => {
    const line = anyRecord(lines, roll);
    lines.splice(lines.indexOf(line), 1);
    recount(lines);
    return byRecord(line.record);
  },
  'delete a record and renumber those after it': (lines, roll) => {
    const line = anyRecord(lines, roll);
    lines.splice(lines.indexOf(line), 1);
    for (const later of recordsOf(lines).filter(({ record }) => record.seq > line.record.seq)) {
      later.record.seq -= 1;
      rehash(later);
    }
    recount(lines);
    return byRecord(line.record);
  },
  'delete several records': (lines, roll) => {
    const first = roll(recordsOf(lines).length - 1);
    const deleted = recordsOf(lines).slice(first, first + 2 + roll(12));
    for (const line of deleted) lines.splice(lines.indexOf(line), 1);
    recount(lines);
    return byRecord((deleted[0] as ExportRecord).record);
  },
  'put a record in': (lines, roll) => {
    const neighbour = anyRecord(lines, roll);
    const foreign = structuredClone(neighbour);
    foreign.record.id = newId('audit');
    foreign.record.seq += roll(3);
    rehash(foreign);
    lines.splice(lines.indexOf(neighbour) + roll(2), 0, foreign);
    recount(lines);
    return (finding) => finding.record_id === foreign.record.id;
  },
  'put a record in and renumber those after it': (lines, roll) => {
    const neighbour = anyRecord(lines, roll);
    const foreign = structuredClone(neighbour);
    foreign.record.id = newId('audit');
    for (const later of recordsOf(lines).filter(({ record }) => record.seq >= foreign.record.seq)) {
      later.record.seq += 1;
      rehash(later);
    }
    rehash(foreign);
    lines.splice(lines.indexOf(neighbour), 0, foreign);
    recount(lines);
    return byRecord(foreign.record);
  },
  'replace a record by another': (lines, roll) => {
    const line = anyRecord(lines, roll);
    const named = byRecord(line.record);
    const { seq } = line.record;
    Object.assign(line, structuredClone(anyRecord(lines, roll)));
    if (line.record.seq === seq) return null;
    line.record.seq = seq;
    if (roll(2) === 0) rehash(line);
    return named;
  },
  'write a record twice': (lines, roll) => {
    const line = anyRecord(lines, roll);
    lines.splice(1 + roll(lines.length - 1), 0, structuredClone(line));
    recount(lines);
    return byRecord(line.record);
  },
  'let two records change places': (lines, roll) => {
    const one = anyRecord(lines, roll);
    const other = anyRecord(lines, roll);
    if (one === other) return null;
    const [from, to] = [lines.indexOf(one), lines.indexOf(other)];
    lines[from] = other;
    lines[to] = one;
    return (finding) => byRecord(one.record)(finding) || byRecord(other.record)(finding);
  },
  'let two records change numbers': (lines, roll) => {
    const one = anyRecord(lines, roll);
    const other = anyRecord(lines, roll);
    if (one === other) return null;
    [one.record.seq, other.record.seq] = [other.record.seq, one.record.seq];
    rehash(one);
    rehash(other);
    return byRecord(one.record);
  },
  'move a record': (lines, roll) => {
    const line = anyRecord(lines, roll);
    const from = lines.indexOf(line);
    lines.splice(from, 1);
    const to = 1 + roll(lines.length - 1);
    if (to === from) return null;
    lines.splice(to, 0, line);
    return (finding) =>
      byRecord(line.record)(finding) ||
      finding.code === 'head-out-of-place' ||
      (finding.code === 'record-out-of-place' && Math.abs(to - from) <= 1);
  },
  'cut off the end': (lines, roll) => {
    lines.splice(1 + roll(lines.length - 1));
    return byCode('export-malformed');
  },
  'cut off the end and count again': (lines, roll) => {
    const end = lines.pop() as ExportLine;
    const cut = lines.splice(1 + roll(lines.length - 1));
    lines.push(end);
    recount(lines);
    const [first] = cut;
    if (first?.type === 'record') return byRecord(first.record);
    return first?.type === 'head' ? byHead(first.head.number) : null;
  },
  'change a field of a head': (lines, roll) => {
    const { head } = anyHead(lines, roll);
    const named = byHead(head.number);
    changeLeaf(head, roll);
    return named;
  },
  'sign a head with another key': (lines, roll) => {
    const line = anyHead(lines, roll);
    const { key_version: _, signature: __, ...unsigned } = line.head;
    line.head = signHead({ ...unsigned, root: otherHex(unsigned.root, roll) }, forger);
    return byHead(line.head.number);
  },
  'delete a head': (lines, roll) => {
    const line = anyHead(lines, roll);
    lines.splice(lines.indexOf(line), 1);
    recount(lines);
    return byHead(line.head.number);
  },
  'write a head twice': (lines, roll) => {
    const line = anyHead(lines, roll);
    lines.splice(lines.indexOf(line), 0, structuredClone(line));
    recount(lines);
    return byHead(line.head.number);
  },
  'let two heads change places': (lines, roll) => {
    const one = anyHead(lines, roll);
    const other = anyHead(lines, roll);
    if (one === other) return null;
    const [from, to] = [lines.indexOf(one), lines.indexOf(other)];
    lines[from] = other;
    lines[to] = one;
    return (finding) => byHead(one.head.number)(finding) || byHead(other.head.number)(finding);
  },
  'move a head': (lines, roll) => {
    const line = anyHead(lines, roll);
    const from = lines.indexOf(line);
    lines.splice(from, 1);
    const to = 1 + roll(lines.length - 1);
    if (to === from) return null;
    lines.splice(to, 0, line);
    return (finding) => finding.head_number !== null || finding.code === 'record-out-of-place';
  },
  'change a field of the first line': (lines, roll) => {
    changeLeaf(lines[0] as object, roll);
    return (finding) =>
      ['export-changed', 'export-malformed', 'root-differs', 'head-signature-invalid'].includes(finding.code);
  },
  'change the last line': (lines, roll) => {
    changeLeaf(lines.at(-1) as object, roll);
    return byCode('export-malformed');
  },
};

function recordsOf(lines: ExportLine[]): ExportRecord[] {
  return lines.filter((line) => line.type === 'record');
}

function headsOf(lines: ExportLine[]): ExportHead[] {
  return lines.filter((line) => line.type === 'head');
}

function anyRecord(lines: ExportLine[], roll: Dice): ExportRecord {
  return pick(recordsOf(lines), roll);
}

function anyHead(lines: ExportLine[], roll: Dice): ExportHead {
  return pick(headsOf(lines), roll);
}

function pick<T>(from: readonly T[], roll: Dice): T {
  return from[roll(from.length)] as T;
}

function rehash(line: ExportRecord): void {
  line.leaf_hash = recordLeaf(line.record);
}

function recount(lines: ExportLine[]): void {
  const end = lines.at(-1);
  if (end?.type !== 'end') return;
  end.records = recordsOf(lines).length;
  end.heads = headsOf(lines).length;
}

/** Recomputes roots and links for the current records. Signatures cannot be recomputed without the key. */
function recomputeHeads(lines: ExportLine[], isSignedAnew = false): void {
  const [header] = lines;
  if (header?.type !== 'export') return;
  const tree = openTree(header.size_before, header.subtrees_before);
  let previous: AuditHead | null = header.head_before;
  for (const line of lines) {
    if (line.type === 'record') tree.append(line.leaf_hash);
    if (line.type !== 'head') continue;
    const { key_version: _, signature, ...unsigned } = line.head;
    const recomputed = { ...unsigned, root: tree.root(), previous_hash: previous && headHash(previous) };
    line.head = isSignedAnew
      ? signHead(recomputed, forger)
      : { ...recomputed, key_version: line.head.key_version, signature };
    previous = line.head;
  }
}

/** Changes a value somewhere inside the object to another one of the same type. */
function changeLeaf(object: object, roll: Dice): void {
  const members = object as Record<string, unknown>;
  const name = pick(Object.keys(members), roll);
  const value = members[name];
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) changeLeaf(value, roll);
  else members[name] = another(value, roll);
}

function another(value: unknown, roll: Dice): unknown {
  if (typeof value === 'number') return value + 1 + roll(5);
  if (typeof value !== 'string' || value === '') return `was ${JSON.stringify(value)}`;
  const at = roll(value.length);
  const letter = value[at] === '4' ? '5' : '4';
  return value.slice(0, at) + letter + value.slice(at + 1);
}

function otherHex(hash: string, roll: Dice): string {
  return another(hash, roll) as string;
}

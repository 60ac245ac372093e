import { recordLeaf } from '@tollgate/audit-log/record-leaf';
import type { AuditFinding } from '@tollgate/contracts/audit/audit-log';
import { newId } from '@tollgate/contracts/platform/ids';
import { type HeadDocument, headIdOf } from '../../src/heads/head-store.ts';
import { type RecordDocument, toRecord } from '../../src/records/record-document.ts';
import { searchWordsOf } from '../../src/records/search-terms.ts';
import type { StoredLog } from '../stored-log.ts';

/** A change to a stored log, and the finding that names it. */
export interface Tampering {
  title: string;
  log: Partial<StoredLog>;
  isNamedBy(finding: AuditFinding): boolean;
}

export interface Dice {
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** mulberry32: the same seed yields the same tamperings. */
export function rollDice(seed: number): Dice {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

type Make = (log: StoredLog, other: StoredLog, dice: Dice) => Tampering;

/**
 * Tampers with a copy of the log. Consecutive numbers take turns through all ways.
 * @param other an unmodified log of another team of the same service
 */
export function tamper(number: number, log: StoredLog, other: StoredLog, dice: Dice): Tampering {
  const way = WAYS[number % WAYS.length] as Make;
  return way(structuredClone(log), structuredClone(other), dice);
}

/** For each record, the values that an attacker may want to change. */
const EDITS: Record<string, (record: RecordDocument) => void> = {
  'the actor': (record) => {
    record.actor = { ...record.actor, id: newId('member') };
  },
  'the name of the target': (record) => {
    record.target = { ...record.target, name: 'Someone else' };
  },
  'the action': (record) => {
    record.action = record.action === 'key.revoked' ? 'key.created' : 'key.revoked';
  },
  'a change': (record) => {
    record.changes = { ...record.changes, name: { before: 'a', after: 'b' } };
  },
  'the address': (record) => {
    record.context = { ...record.context, ip: '203.0.113.66' };
  },
  'when it occurred': (record) => {
    record.occurred_at = new Date(Date.parse(record.occurred_at) - 86_400_000).toISOString();
  },
  'when it was recorded': (record) => {
    record.recorded_at = new Date(Date.parse(record.recorded_at) - 1).toISOString();
  },
  'the environment': (record) => {
    record.environment = record.environment === 'live' ? 'sandbox' : 'live';
  },
  'a further member': (record) => {
    Object.assign(record, { note: 'harmless' });
  },
  'the type of a time': (record) => {
    Object.assign(record, { occurred_at: new Date(record.occurred_at) });
  },
  'a missing member': (record) => {
    Object.assign(record, { context: undefined });
  },
};

const editRecord: Make = ({ records }, _other, dice) => {
  const record = dice.pick(records);
  const what = dice.pick(Object.keys(EDITS));
  EDITS[what]?.(record);
  const isHashed = dice.below(2) === 1;
  if (isHashed) rehash(record);
  return {
    title: `${what} of record ${record.seq} changed${isHashed ? ', hash and words too' : ''}`,
    log: { records },
    isNamedBy: namesRecord(record),
  };
};

/** Recomputes everything that can be computed without the service's key. */
function rehash(record: RecordDocument): void {
  try {
    record.leaf_hash = recordLeaf(toRecord(record));
    record.words = searchWordsOf(toRecord(record));
  } catch {
    // The record no longer has a canonical form.
  }
}

const editProof: Make = ({ records }, other, dice) => {
  const record = dice.pick(records);
  const [title, edit] = dice.pick<[string, () => void]>([
    ['hash', () => Object.assign(record, { leaf_hash: '0'.repeat(64) })],
    ['seal', () => Object.assign(record, { seal: { ...record.seal, signature: `${'A'.repeat(86)}==` } })],
    ['key of the seal', () => Object.assign(record, { seal: { ...record.seal, key_version: 2 } })],
    ['seal, which is of another record', () => Object.assign(record, { seal: other.records[0]?.seal })],
    ['seal, which is none', () => Object.assign(record, { seal: null })],
    ['search words', () => record.words.push('hidden')],
    ['search words, which are none', () => Object.assign(record, { words: [] })],
  ]);
  edit();
  return { title: `${title} of record ${record.seq}`, log: { records }, isNamedBy: namesRecord(record) };
};

const renameRecord: Make = ({ records }, _other, dice) => {
  const record = dice.pick(records);
  record._id = newId('audit');
  return { title: `id of record ${record.seq}`, log: { records }, isNamedBy: namesRecord(record) };
};

const deleteRecords: Make = ({ records }, _other, dice) => {
  const start = dice.below(records.length);
  const removed = records.splice(start, dice.below(4) === 0 ? 1 + dice.below(20) : 1);
  const first = removed[0]?.seq ?? 0;
  return {
    title: `${removed.length} records from ${first} on deleted`,
    log: { records },
    isNamedBy: ({ code, seq }) => /missing|truncated/.test(code) && seq === first,
  };
};

const truncateRecords: Make = ({ records }, _other, dice) => {
  const removed = records.splice(-1 - dice.below(30));
  const first = removed[0]?.seq ?? 0;
  return {
    title: `records from ${first} on cut off`,
    log: { records },
    isNamedBy: ({ code, seq }) => /missing|truncated/.test(code) && seq === first,
  };
};

const insertRecord: Make = ({ records }, other, dice) => {
  const place = dice.below(records.length);
  const model = dice.below(2) === 0 ? dice.pick(records) : dice.pick(other.records);
  const team_id = records[0]?.team_id ?? '';
  const forged: RecordDocument = { ...structuredClone(model), _id: newId('audit'), team_id };
  const [title, numbers] = dice.pick<[string, () => void]>([
    ['at the end', () => Object.assign(forged, { seq: records.length + 1 })],
    ['beyond the end', () => Object.assign(forged, { seq: records.length + 5 })],
    ['between two', () => Object.assign(forged, { seq: place + 0.5 })],
    ['before all', () => Object.assign(forged, { seq: -dice.below(9) })],
    ['with a text for a number', () => Object.assign(forged, { seq: String(place) })],
    [
      'in the midst, the others moved up',
      () => {
        forged.seq = place + 1;
        for (const record of records) if (record.seq >= forged.seq) record.seq += 1;
      },
    ],
  ]);
  numbers();
  rehash(forged);
  return {
    title: `a record inserted ${title}`,
    log: { records: [...records, forged] },
    isNamedBy: (finding) => finding.record_id === forged._id,
  };
};

const swapRecords: Make = ({ records }, _other, dice) => {
  const first = dice.below(records.length - 1);
  const one = records[first] as RecordDocument;
  const two = records[first + 1 + dice.below(records.length - first - 1)] as RecordDocument;
  [one.seq, two.seq] = [two.seq, one.seq];
  const isHashed = dice.below(2) === 1;
  if (isHashed) for (const record of [one, two]) rehash(record);
  return {
    title: `records ${one.seq} and ${two.seq} swapped`,
    log: { records },
    isNamedBy: (finding) => [one._id, two._id].includes(finding.record_id ?? ''),
  };
};

const moveToOtherTeam: Make = ({ records }, other, dice) => {
  const record = dice.pick(records);
  record.team_id = other.records[0]?.team_id ?? '';
  return {
    title: `record ${record.seq} taken out of the log`,
    // In the other log it would take the place of an existing record; in this log it is missing.
    log: { records: records.filter((each) => each !== record) },
    isNamedBy: ({ seq }) => seq === record.seq,
  };
};

const editHead: Make = ({ heads }, other, dice) => {
  const head = dice.pick(heads);
  const { number } = head;
  const [title, edit] = dice.pick<[string, () => void]>([
    ['size', () => Object.assign(head, { size: head.size - 1 })],
    ['size, grown', () => Object.assign(head, { size: head.size + 1_000 })],
    ['root', () => Object.assign(head, { root: 'f'.repeat(64) })],
    ['time', () => Object.assign(head, { at: new Date(Date.parse(head.at) - 60_000).toISOString() })],
    ['link', () => Object.assign(head, { previous_hash: '0'.repeat(64) })],
    ['signature', () => Object.assign(head, { signature: `${'B'.repeat(85)}A==` })],
    ['subtrees', () => Object.assign(head, { subtrees: ['0'.repeat(64)] })],
    ['further member', () => Object.assign(head, { note: 'harmless' })],
    [
      'whole, which is of another team',
      () => Object.assign(head, { ...other.heads[0], _id: head._id, number, team_id: head.team_id }),
    ],
  ]);
  edit();
  return { title: `${title} of head ${number}`, log: { heads }, isNamedBy: namesHead(number) };
};

const deleteHeads: Make = ({ heads }, _other, dice) => {
  const start = dice.below(heads.length);
  const [first] = heads.splice(start, 1 + dice.below(3));
  const number = first?.number ?? 0;
  return {
    title: `heads from ${number} on deleted`,
    log: { heads },
    // Among heads deleted from the end, only the last is known.
    isNamedBy: ({ code, head_number }) =>
      /^(head-|witness-)/.test(code) &&
      head_number !== null &&
      head_number >= number &&
      head_number <= number + 3,
  };
};

const swapHeads: Make = ({ heads }, _other, dice) => {
  const index = dice.below(heads.length - 1);
  const [one, two] = [heads[index], heads[index + 1]] as [HeadDocument, HeadDocument];
  [one.number, two.number] = [two.number, one.number];
  for (const head of [one, two]) head._id = headIdOf(head);
  return {
    title: `heads ${two.number} and ${one.number} swapped`,
    log: { heads },
    isNamedBy: (finding) => namesHead(one.number)(finding) || namesHead(two.number)(finding),
  };
};

const truncateAll: Make = ({ records, heads, nodes, logs }, _other, dice) => {
  const kept = heads.slice(0, -1 - dice.below(3));
  const last = kept.at(-1) as HeadDocument;
  const { _id, subtrees: _subtrees, ...head } = last;
  const lost = heads.at(-1)?.number ?? 0;
  return {
    title: `everything after head ${last.number} cut off, records, heads, nodes and what is known of them`,
    log: {
      heads: kept,
      records: records.filter(({ seq }) => seq <= last.size),
      nodes: nodes.filter(({ end }) => end <= last.size),
      logs: logs.map((each) => ({ ...each, last_head: head })),
    },
    // An earlier verification has seen it.
    isNamedBy: ({ code, head_number }) => code === 'witness-differs' && head_number === lost,
  };
};

const editNodes: Make = ({ nodes }, _other, dice) => {
  const index = dice.below(nodes.length);
  const node = nodes[index];
  if (!node) throw new Error('The log has no stored nodes.');
  const first = node.index * 2 ** node.level + 1;
  const way = dice.below(3);
  if (way === 0) node.hash = '0'.repeat(64);
  if (way === 1) nodes.splice(index, 1);
  if (way === 2) nodes.push({ ...node, _id: `${node._id}:more`, end: node.end + dice.pick([0, 7, 2 ** 20]) });
  return {
    title: `node ${node.level}:${node.index} ${['changed', 'deleted', 'doubled'][way]}`,
    log: { nodes },
    isNamedBy: ({ code, seq }) => code === 'root-differs' && seq === first,
  };
};

const WAYS: Make[] = [
  editRecord,
  editRecord,
  editRecord,
  editProof,
  renameRecord,
  deleteRecords,
  truncateRecords,
  insertRecord,
  insertRecord,
  swapRecords,
  moveToOtherTeam,
  editHead,
  editHead,
  deleteHeads,
  swapHeads,
  truncateAll,
  editNodes,
];

function namesRecord({ _id, seq }: RecordDocument) {
  return (finding: AuditFinding) => finding.record_id === _id || (finding.seq === seq && seq !== null);
}

function namesHead(number: number) {
  return (finding: AuditFinding) => finding.head_number === number;
}

import type { VerifyingKey } from '../keys.ts';
import { sealHolds } from '../seal.ts';
import { type Compared, type Expected, grow, reportLine, type SeqRange } from './comparison.ts';
import type { Findings } from './findings.ts';
import { longestRising } from './longest-rising.ts';
import type { ExportedRecord } from './read-line.ts';

/** The record that is, or replaces, each `seq`. */
type Seats = Map<number, ExportedRecord>;

/** Reports each changed record and each missing one, from the seals alone. */
export function compareBySeals(
  records: readonly ExportedRecord[],
  expected: Expected,
  keys: readonly VerifyingKey[],
  findings: Findings,
): Compared {
  const findingsBefore = findings.count;
  const isSealed = (hash: string, { seal }: ExportedRecord) => seal !== null && sealHolds(hash, seal, keys);
  const genuine = new Set(records.filter((record) => isSealed(record.leafHash, record)));

  const seats = seatGenuine([...genuine], expected, findings);
  const written = [...seats].sort(([a], [b]) => a - b).map(([, record]) => record);
  const later = seatOthers(records, genuine, seats, expected, findings);
  const missing = gaps(seats, expected);

  let tree = null;
  if (missing.length === 0) {
    const leaves = leavesAsWritten(seats, genuine, isSealed);
    tree = leaves && grow(expected.tree, leaves);
    if (tree?.root() !== expected.root) tree = null;
    const isUnexplained =
      findings.count === findingsBefore && expected.tree !== null && expected.root !== null;
    if (tree === null && isUnexplained) {
      findings.add(
        'root-differs',
        `Records ${expected.after + 1} to ${expected.upTo} each have a valid seal, but together they do not have the root hash of the tree head.`,
        { head_number: expected.headNumber },
      );
    }
  }
  return { tree, genuine: written, later, missing };
}

/** Assigns genuine records to the seat of their `seq`. Reports moved, duplicate, and foreign ones. */
function seatGenuine(
  genuine: readonly ExportedRecord[],
  { teamId, after, upTo }: Expected,
  findings: Findings,
): Seats {
  const seats: Seats = new Map();
  for (const record of genuine) {
    const { seq } = record;
    if (record.teamId !== teamId) {
      findings.add('record-foreign', `The record belongs to the log of ${record.teamId}.`, record);
    } else if (seq === null || seq <= after) {
      findings.add('record-out-of-place', `The record follows record ${after}.`, record);
    } else if (seats.has(seq)) {
      findings.add('record-out-of-place', 'The record is a duplicate.', record);
    } else if (seq <= upTo) {
      seats.set(seq, record);
      if (record.leafHash !== record.writtenHash || !record.isAsWritten) reportLine(record, findings);
    }
  }
  const inOrder = longestRising([...seats.keys()]);
  for (const [index, record] of [...seats.values()].entries()) {
    if (inOrder.has(index)) continue;
    findings.add('record-out-of-place', 'The record was moved to another position.', record);
  }
  return seats;
}

/**
 * Assigns each record that is not genuine to the seat of the one it replaced, if that seat is free: its own `seq`,
 * otherwise its position. Without such a seat, it was inserted. Returns the records of later heads.
 */
function seatOthers(
  records: readonly ExportedRecord[],
  genuine: ReadonlySet<ExportedRecord>,
  seats: Seats,
  { teamId, after, upTo }: Expected,
  findings: Findings,
): ExportedRecord[] {
  const later: ExportedRecord[] = [];
  let place = after;
  for (const record of records) {
    const { seq, record_id } = record;
    if (genuine.has(record)) {
      if (record.teamId !== teamId || seq === null) continue;
      if (seq > upTo) later.push(record);
      if (seats.get(seq) === record) place = seq;
      continue;
    }
    const isFree = (seat: number) => seat > after && seat <= upTo && !seats.has(seat);
    const seat = [seq ?? 0, place + 1].find(isFree);
    if (seat !== undefined) {
      seats.set(seat, record);
      place = seat;
      findings.add('record-changed', 'The record differs from the one that the service wrote.', {
        seq: seat,
        record_id,
      });
    } else if (seq !== null && seq > upTo && seq === (later.at(-1)?.seq ?? upTo) + 1) {
      later.push(record);
    } else {
      findings.add('record-foreign', 'The service did not write this record.', record);
    }
  }
  return later;
}

/** Leaf hashes by increasing `seq`; null if one is unknown. */
function leavesAsWritten(
  seats: Seats,
  genuine: ReadonlySet<ExportedRecord>,
  isSealed: (hash: string, record: ExportedRecord) => boolean,
): string[] | null {
  const leaves: string[] = [];
  for (const [, record] of [...seats].sort(([a], [b]) => a - b)) {
    if (genuine.has(record)) leaves.push(record.leafHash);
    else if (isSealed(record.writtenHash, record)) leaves.push(record.writtenHash);
    else return null;
  }
  return leaves;
}

function gaps(seats: Seats, { after, upTo }: Expected): SeqRange[] {
  const missing: SeqRange[] = [];
  let expected = after + 1;
  for (const seq of [...seats.keys()].sort((a, b) => a - b)) {
    if (seq > expected) missing.push({ from: expected, to: seq - 1 });
    expected = seq + 1;
  }
  if (expected <= upTo) missing.push({ from: expected, to: upTo });
  return missing;
}

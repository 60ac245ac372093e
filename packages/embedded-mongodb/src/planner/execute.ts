import { type Document, decode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { type FilterNode, type MatchPosition, matches } from '../semantics/filter.ts';
import type { Collection } from '../storage/collection.ts';
import type { ScanRow } from '../storage/scan.ts';
import { isIdLookup, type Plan } from './plan.ts';

/** What a query cost, for `explain`. */
export interface ExecutionStats {
  keysExamined: number;
  documentsExamined: number;
}

export interface ExecutionOptions {
  stats: ExecutionStats;
  /** Throws when the time the client allows is over. */
  checkDeadline: () => void;
  /** Whether the records are changed while the plan runs. */
  isWriting: boolean;
}

/** A stored document that matched. */
export interface FoundRecord {
  rid: number;
  bytes: Uint8Array;
  readonly document: Document;
  /** Where in an array the filter matched, for the positional `$`. */
  position: MatchPosition;
}

export function newStats(): ExecutionStats {
  return { keysExamined: 0, documentsExamined: 0 };
}

/** Runs a plan: the matching records, each once, in the plan's order, read as they are asked for. */
export function* execute(
  collection: Collection,
  plan: Plan,
  filter: FilterNode,
  { stats, checkDeadline, isWriting }: ExecutionOptions,
): Generator<FoundRecord, void, undefined> {
  const allMatch = matchesEveryCandidate(plan, filter);
  const seen = canRepeat(plan, isWriting) ? new Set<number>() : undefined;
  for (const [rid, bytes] of candidates(collection, plan, stats)) {
    if (seen?.has(rid)) continue;
    seen?.add(rid);
    stats.documentsExamined += 1;
    if ((stats.documentsExamined & DEADLINE_CHECK_MASK) === 0) checkDeadline();
    const record = undecoded(rid, bytes);
    if (allMatch || matches(filter, record.document, record.position)) yield record;
  }
}

/** A record whose document is decoded when it is first looked at. */
export function undecoded(
  rid: number,
  bytes: Uint8Array,
  position: MatchPosition = { index: undefined },
): FoundRecord {
  let decoded: Document | undefined;
  return {
    rid,
    bytes,
    position,
    get document() {
      decoded ??= decodeStored(rid, bytes);
      return decoded;
    },
  };
}

/** What was stored was whole: bytes that are no BSON now have been changed behind the server's back. */
function decodeStored(rid: number, bytes: Uint8Array): Document {
  try {
    return decode(bytes);
  } catch (error) {
    throw mongoError(
      'DataCorruptionDetected',
      `the data file is damaged (record ${rid}: ${asText(error)}): stop the server and restore the file from a copy`,
    );
  }
}

function asText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether every candidate matches, unlooked at: with `{}`, and with `{_id: value}` and nothing else. */
function matchesEveryCandidate(plan: Plan, filter: FilterNode): boolean {
  if (filter.kind === 'and' && filter.children.length === 0) return true;
  if (!isIdLookup(plan) || filter.kind !== 'and' || filter.children.length !== 1) return false;
  const [only] = filter.children;
  if (only?.kind !== 'path' || only.path !== '_id' || only.predicate.kind !== 'compare') return false;
  // Null also finds what is missing or undefined; those look-ups are left to the filter.
  return only.predicate.operator === 'eq' && only.predicate.value !== null;
}

const DEADLINE_CHECK_MASK = 0x7f;

/**
 * Whether a record can come twice: by several entries of a multikey index, by two alternatives of an `$or`, or
 * because a write made while the scan rested moved it ahead in the index.
 */
function canRepeat(plan: Plan, isWriting: boolean): boolean {
  if (plan.kind === 'union') return true;
  return plan.kind === 'indexScan' && (isWriting || plan.index.multikeyFields.includes(true));
}

function* candidates(
  collection: Collection,
  plan: Plan,
  stats: ExecutionStats,
): Generator<ScanRow, void, undefined> {
  switch (plan.kind) {
    case 'nothing':
      return;
    case 'collectionScan':
      yield* collection.scan(plan.direction);
      return;
    case 'indexScan': {
      const ranges = plan.direction === 1 ? plan.ranges : plan.ranges.toReversed();
      for (const range of ranges) {
        for (const row of collection.scanIndex(plan.index, range, plan.direction)) {
          stats.keysExamined += 1;
          yield row;
        }
      }
      return;
    }
    case 'union':
      for (const scan of plan.scans) yield* candidates(collection, scan, stats);
  }
}

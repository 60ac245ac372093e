import { type Document, decode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { BYTES_DECODED_PER_STEP, passRecord, spendSteps } from '../computation-limit.ts';
import { type FilterNode, matches } from '../semantics/filter.ts';
import type { Collection } from '../storage/collection.ts';
import type { ScanRow } from '../storage/scan.ts';
import type { Plan } from './plan.ts';

/** The cost of a query, for `explain`. */
export interface ExecutionStats {
  keysExamined: number;
  documentsExamined: number;
}

export interface ExecutionOptions {
  stats: ExecutionStats;
  /** Whether the command changes records while the plan runs. */
  isWriting: boolean;
  /** The maximum number of matching records to return. */
  wanted: number;
}

/** A stored document that matched. */
export interface FoundRecord {
  rid: number;
  bytes: Uint8Array;
  readonly document: Document;
}

export function newStats(): ExecutionStats {
  return { keysExamined: 0, documentsExamined: 0 };
}

/** Runs a plan. Yields the matching records lazily, each once, in the plan's order. */
export function* execute(
  collection: Collection,
  plan: Plan,
  filter: FilterNode,
  { stats, isWriting, wanted }: ExecutionOptions,
): Generator<FoundRecord, void, undefined> {
  const residual = residualOf(filter, plan);
  const seen = canRepeat(plan, isWriting && wanted > 1) ? new Set<number>() : undefined;
  // Without residual conditions, each candidate is a result, so the limit applies to the scan.
  const maxRows = residual.length === 0 && seen === undefined ? wanted : Number.POSITIVE_INFINITY;
  for (const [rid, bytes] of candidates(collection, plan, stats, maxRows)) {
    if (seen?.has(rid)) continue;
    seen?.add(rid);
    stats.documentsExamined += 1;
    passRecord(bytes.length);
    const record = new StoredRecord(rid, bytes);
    if (residual.every((node) => matches(node, record.document))) yield record;
  }
}

/** A record that decodes its document on first use. */
class StoredRecord implements FoundRecord {
  readonly rid: number;
  readonly bytes: Uint8Array;
  #document: Document | undefined;

  constructor(rid: number, bytes: Uint8Array) {
    this.rid = rid;
    this.bytes = bytes;
  }

  get document(): Document {
    this.#document ??= decodeStored(this.rid, this.bytes);
    return this.#document;
  }
}

/** The record without its decoded document, which takes several times the memory of the bytes. */
export function undecoded({ rid, bytes }: FoundRecord): FoundRecord {
  return new StoredRecord(rid, bytes);
}

/** The server stores only valid BSON. Other bytes mean that the data file is corrupted. */
function decodeStored(rid: number, bytes: Uint8Array): Document {
  spendSteps(bytes.length / BYTES_DECODED_PER_STEP);
  try {
    return decode(bytes);
  } catch (error) {
    throw mongoError(
      'DataCorruptionDetected',
      `the data file is corrupted (record ${rid}: ${asText(error)}): stop the server and restore the file from a copy`,
    );
  }
}

function asText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The conditions that the plan does not serve and that must be tested on each candidate. */
function residualOf(filter: FilterNode, plan: Plan): readonly FilterNode[] {
  const conditions = filter.kind === 'and' ? filter.children : [filter];
  if (plan.kind !== 'indexScan') return conditions;
  const served: readonly FilterNode[] = plan.served;
  return conditions.filter((condition) => !served.includes(condition));
}

/**
 * Whether a record can occur twice: by several entries of a multikey index, by two alternatives of an `$or`, or
 * because a write during the scan moved it ahead in the index.
 */
function canRepeat(plan: Plan, isWriting: boolean): boolean {
  if (plan.kind === 'union') return true;
  return plan.kind === 'indexScan' && (isWriting || plan.index.multikeyFields.includes(true));
}

function* candidates(
  collection: Collection,
  plan: Plan,
  stats: ExecutionStats,
  maxRows: number,
): Generator<ScanRow, void, undefined> {
  switch (plan.kind) {
    case 'collectionScan':
      yield* collection.scan(plan.direction, maxRows);
      return;
    case 'indexScan': {
      plan.index.accesses.count += 1;
      const ranges = plan.direction === 1 ? plan.ranges : plan.ranges.toReversed();
      for (const range of ranges) {
        for (const row of collection.scanIndex(plan.index, range, plan.direction, maxRows)) {
          stats.keysExamined += 1;
          yield row;
        }
      }
      return;
    }
    case 'union':
      for (const scan of plan.scans) yield* candidates(collection, scan, stats, maxRows);
  }
}

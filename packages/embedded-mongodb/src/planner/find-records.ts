import type { BsonValue, Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { FilterNode } from '../semantics/filter.ts';
import { compareSortKeys, parseSort, type Sort, sortKey } from '../semantics/sort.ts';
import type { Collection } from '../storage/collection.ts';
import type { IndexTable } from '../storage/index-table.ts';
import { type ExecutionStats, execute, type FoundRecord, newStats, undecoded } from './execute.ts';
import { readHint } from './hint.ts';
import type { KeyWindow } from './key-window.ts';
import { type Plan, planQuery } from './plan.ts';

export interface RecordQuery {
  filter: FilterNode;
  sort?: Document | undefined;
  skip?: number | undefined;
  /** 0 and undefined: no limit. */
  limit?: number | undefined;
  hint?: BsonValue | undefined;
  /** Returns only the records with entries in this index. */
  index?: IndexTable | undefined;
  /** The part of the hinted index to scan, from `min` and `max`. */
  window?: KeyWindow | undefined;
  /** Whether the command changes the records while it reads them. */
  isWriting?: boolean;
}

/** A query with its plan. */
export interface PreparedQuery {
  plan: Plan;
  /** Whether all records are read and sorted before the first one is returned. */
  sortsInMemory: boolean;
  stats: ExecutionStats;
  run(): Generator<FoundRecord, void, undefined>;
}

/** mongod's internalQueryMaxBlockingSortMemoryUsageBytes, applied to the BSON of the documents. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** Yields the matching records in order. Reads them lazily. */
export function findRecords(
  collection: Collection,
  query: RecordQuery,
): Generator<FoundRecord, void, undefined> {
  return prepareQuery(collection, query).run();
}

export function prepareQuery(collection: Collection, query: RecordQuery): PreparedQuery {
  const { filter, skip = 0, limit = 0, isWriting = false, window: keys, index } = query;
  const isNatural = query.sort?.has('$natural') === true;
  const hint = readHint(collection, isNatural ? query.sort : query.hint);
  const order = query.sort?.size && !isNatural ? parseSort(query.sort) : undefined;
  const plan = planQuery(collection, { filter, sort: order, hint, window: keys, index });
  const sortsInMemory = order !== undefined && !(plan.kind === 'indexScan' && plan.providesSort);
  const stats = newStats();

  return {
    plan,
    sortsInMemory,
    stats,
    run() {
      const wanted = limit > 0 ? skip + limit : Number.POSITIVE_INFINITY;
      const run = { stats, isWriting, wanted: sortsInMemory ? Number.POSITIVE_INFINITY : wanted };
      const found = execute(collection, plan, filter, run);
      if (!sortsInMemory || order === undefined) return window(found, skip, limit);
      return window(sorted(found, order, wanted), skip, limit);
    },
  };
}

function* window(
  records: Iterable<FoundRecord>,
  skip: number,
  limit: number,
): Generator<FoundRecord, void, undefined> {
  let skipped = 0;
  let given = 0;
  for (const record of records) {
    if (skipped < skip) {
      skipped += 1;
      continue;
    }
    yield record;
    given += 1;
    if (limit > 0 && given >= limit) return;
  }
}

interface KeyedRecord {
  record: FoundRecord;
  key: BsonValue[];
}

/** Sorts in memory. Keeps at most about twice as many records as `wanted`. */
function* sorted(
  records: Iterable<FoundRecord>,
  order: Sort,
  wanted: number,
): Generator<FoundRecord, void, undefined> {
  const inOrder = (a: KeyedRecord, b: KeyedRecord) => compareSortKeys(a.key, b.key, order);
  let kept: KeyedRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const key = sortKey(record.document, order);
    kept.push({ record: undecoded(record), key });
    bytes += record.bytes.length;
    const isFull = kept.length > 2 * wanted + KEEP_AT_LEAST;
    if (!isFull && bytes <= MAX_SORT_BYTES) continue;
    kept = kept.sort(inOrder).slice(0, wanted);
    bytes = kept.reduce((sum, { record: one }) => sum + one.bytes.length, 0);
    if (bytes > MAX_SORT_BYTES) throw sortTooLarge();
  }
  for (const { record } of kept.sort(inOrder)) yield record;
}

const KEEP_AT_LEAST = 100;

function sortTooLarge(): Error {
  return mongoError(
    'QueryExceededMemoryLimitNoDiskUseAllowed',
    `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes. Add an index that gives the order, or a limit.`,
  );
}

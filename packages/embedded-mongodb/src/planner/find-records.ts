import type { BsonValue, Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Collation } from '../semantics/collation.ts';
import type { FilterNode } from '../semantics/filter.ts';
import { compareSortKeys, parseSort, type Sort, sortKey } from '../semantics/sort.ts';
import type { Collection } from '../storage/collection.ts';
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
  /** `min` and `max`: the part of the hinted index to look at. */
  window?: KeyWindow | undefined;
  /** How the filter was parsed to compare strings, and how to sort them; undefined: by their bytes. */
  collation?: Collation | undefined;
  /** Throws when the time the client allows is over. */
  checkDeadline?: (() => void) | undefined;
  /** Whether the records are changed while they are read. */
  isWriting?: boolean;
}

/** A query ready to run, and what it will do. */
export interface PreparedQuery {
  plan: Plan;
  /** Whether the records must be collected and sorted before the first one is given. */
  sortsInMemory: boolean;
  stats: ExecutionStats;
  run(): Generator<FoundRecord, void, undefined>;
}

/** As mongod's internalQueryMaxBlockingSortMemoryUsageBytes; documents' BSON is what counts. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;
const NO_DEADLINE = () => {};

/** The matching records in order; nothing is read before the first is asked for. */
export function findRecords(
  collection: Collection,
  query: RecordQuery,
): Generator<FoundRecord, void, undefined> {
  return prepareQuery(collection, query).run();
}

export function prepareQuery(collection: Collection, query: RecordQuery): PreparedQuery {
  const { filter, skip = 0, limit = 0, checkDeadline = NO_DEADLINE, isWriting = false } = query;
  const sort = query.sort !== undefined && query.sort.size > 0 ? query.sort : undefined;
  const natural = sort?.get('$natural');
  const hint = readHint(collection, natural === undefined ? query.hint : (sort as Document));
  const wantedSort = natural === undefined ? sort : undefined;
  const plan = planQuery(collection, {
    filter,
    sort: wantedSort,
    hint,
    window: query.window,
    collation: query.collation,
  });
  const sortsInMemory = wantedSort !== undefined && !(plan.kind === 'indexScan' && plan.providesSort);
  const stats = newStats();
  // Parsed here, so that a wrong sort is refused whatever there is to be sorted.
  const order = wantedSort === undefined ? undefined : parseSort(wantedSort, query.collation);

  return {
    plan,
    sortsInMemory,
    stats,
    run() {
      const found = execute(collection, plan, filter, { stats, checkDeadline, isWriting });
      if (!sortsInMemory || order === undefined) return window(found, skip, limit);
      return window(sorted(found, order, limit > 0 ? skip + limit : Number.POSITIVE_INFINITY), skip, limit);
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

/** Sorts in memory, keeping no more than about twice as many as will be wanted. */
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
    // Kept as bytes: the decoded document takes up several times as much.
    kept.push({ record: undecoded(record.rid, record.bytes, record.position), key });
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

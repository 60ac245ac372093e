import { documentOf } from './bson/document.ts';
import { findRecords } from './planner/find-records.ts';
import { parseFilter } from './semantics/filter.ts';
import type { Collection } from './storage/collection.ts';
import type { IndexTable } from './storage/index-table.ts';
import type { Store } from './storage/store.ts';

const INTERVAL_MS = 30_000;
/** The maximum number of documents removed per index in one turn. The server handles requests between turns. */
const MAX_REMOVED = 500;
const MS_PER_SECOND = 1000;

/** Removes expired documents of TTL indexes every 30 seconds. */
export function startExpiry(store: Store, now: () => number = Date.now): { stop(): void } {
  let nextTurn: NodeJS.Immediate | undefined;
  const timer = setInterval(() => {
    nextTurn ??= setImmediate(removeSome);
  }, INTERVAL_MS);
  timer.unref();

  function removeSome(): void {
    nextTurn = undefined;
    try {
      if (removeExpired(store, now())) nextTurn = setImmediate(removeSome);
    } catch (error) {
      // The disk is full or the file is corrupted. The next round tries again.
      process.emitWarning(`Expired documents could not be removed: ${error}`, 'EmbeddedMongodbWarning');
    }
  }

  return {
    stop() {
      clearInterval(timer);
      clearImmediate(nextTurn);
    },
  };
}

/**
 * Removes a limited number of expired documents of each TTL index.
 * @returns whether more expired documents may exist
 * @param now milliseconds since 1970
 */
export function removeExpired(store: Store, now: number): boolean {
  let isMore = false;
  for (const databaseName of store.databaseNames()) {
    for (const collection of store.collections(databaseName)) {
      for (const index of collection.indexes) {
        if (removeExpiredOf(collection, index, now) === MAX_REMOVED) isMore = true;
      }
    }
  }
  return isMore;
}

function removeExpiredOf(collection: Collection, index: IndexTable, now: number): number {
  const { fields, expireAfterSeconds } = index.definition;
  const [field] = fields;
  if (expireAfterSeconds === undefined || field === undefined) return 0;
  // The earliest date of an array counts. Values other than dates never expire.
  const end = new Date(now - expireAfterSeconds * MS_PER_SECOND);
  const filter = parseFilter(documentOf({ [field.path]: documentOf({ $lte: end }) }));
  let removed = 0;
  for (const { rid, document } of findRecords(collection, {
    filter,
    index,
    limit: MAX_REMOVED,
    isWriting: true,
  })) {
    collection.remove(rid, document);
    removed += 1;
  }
  return removed;
}

import { documentOf } from './bson/document.ts';
import { findRecords } from './planner/find-records.ts';
import { parseFilter } from './semantics/filter.ts';
import type { Collection } from './storage/collection.ts';
import type { IndexTable } from './storage/index-table.ts';
import type { Store } from './storage/store.ts';

const INTERVAL_MS = 30_000;
/** So many documents per index and round, so that a round never holds up the clients for long. */
const MAX_REMOVED = 2000;
const MS_PER_SECOND = 1000;

/** Removes expired documents of TTL indexes every half minute, so that they are gone within a minute. */
export function startExpiry(store: Store): { stop(): void } {
  const timer = setInterval(() => removeExpired(store, Date.now()), INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** @param now milliseconds since 1970 */
export function removeExpired(store: Store, now: number): void {
  for (const databaseName of store.databaseNames()) {
    for (const collection of store.collections(databaseName)) {
      for (const index of collection.indexes) removeExpiredOf(collection, index, now);
    }
  }
}

function removeExpiredOf(collection: Collection, { definition }: IndexTable, now: number): void {
  const [field] = definition.fields;
  if (definition.expireAfterSeconds === undefined || field === undefined) return;
  // Of an array of dates the earliest counts; values that are no dates never expire: `$lte` says both.
  const end = new Date(now - definition.expireAfterSeconds * MS_PER_SECOND);
  const isExpired = documentOf({ [field.path]: documentOf({ $lte: end }) });
  // With a partial index only documents within it expire.
  const filter = parseFilter(documentOf({ $and: [definition.partialFilter ?? new Map(), isExpired] }));
  const expired = findRecords(collection, {
    filter,
    limit: MAX_REMOVED,
    // A hidden index cannot be hinted at; its documents expire all the same.
    ...(definition.specification.get('hidden') === true ? {} : { hint: definition.name }),
    isWriting: true,
  });
  for (const { rid, document } of expired) collection.remove(rid, document);
}

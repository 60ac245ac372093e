import { documentOf } from './bson/document.ts';
import { findRecords } from './planner/find-records.ts';
import { parseFilter } from './semantics/filter.ts';
import type { Collection } from './storage/collection.ts';
import type { IndexTable } from './storage/index-table.ts';
import type { Store } from './storage/store.ts';

const INTERVAL_MS = 30_000;
/** So many documents of an index in one turn: what clients have asked meanwhile comes between two turns. */
const MAX_REMOVED = 500;
const MS_PER_SECOND = 1000;

/** Removes expired documents of TTL indexes every half minute, so that they are gone within a minute. */
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
      // A full disk or a damaged file: clients are told when they meet it, the next round tries again.
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
 * Removes expired documents, some of each TTL index; says whether there may be more.
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

function removeExpiredOf(collection: Collection, { definition }: IndexTable, now: number): number {
  const [field] = definition.fields;
  if (definition.expireAfterSeconds === undefined || field === undefined) return 0;
  // Of an array of dates the earliest counts; values that are no dates never expire: `$lte` says both.
  const end = new Date(now - definition.expireAfterSeconds * MS_PER_SECOND);
  const isExpired = documentOf({ [field.path]: documentOf({ $lte: end }) });
  // With a partial index only documents within it expire.
  const { collation } = definition;
  const filter = parseFilter(documentOf({ $and: [definition.partialFilter ?? new Map(), isExpired] }), {
    collation,
  });
  const expired = findRecords(collection, {
    filter,
    collation,
    limit: MAX_REMOVED,
    // A hidden index cannot be hinted at; its documents expire all the same.
    ...(definition.specification.get('hidden') === true ? {} : { hint: definition.name }),
    isWriting: true,
  });
  let removed = 0;
  for (const { rid, document } of expired) {
    collection.remove(rid, document);
    removed += 1;
  }
  return removed;
}

import type { DatabaseSync } from 'node:sqlite';
import { type Document, decode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { passRecord, passWrite } from '../computation-limit.ts';
import { assertWhole, checksumOf } from './checksum.ts';
import type { GroupCommit } from './group-commit.ts';
import {
  type EntriesOfDocument,
  type IndexEntry,
  type IndexTable,
  keyText,
  lazyStatements,
} from './index-table.ts';
import type { ReadBudget } from './read-budget.ts';
import { inChunks, type KeyRange, LIMIT_SQL, readRows, type ScanRow } from './scan.ts';

/** A collection: its documents, in one SQLite table in insertion order, and its indexes. */
export interface Collection {
  readonly id: number;
  readonly databaseName: string;
  readonly name: string;
  /** `database.collection`, as in messages and cursors. */
  readonly namespace: string;
  readonly uuid: Uint8Array;
  /** The `_id` index is the first. */
  readonly indexes: IndexTable[];
  /** True once the collection is dropped or its state was rolled back. Cursors over it end. */
  isGone: boolean;
  /**
   * Stores a document and its index entries atomically.
   * @throws DuplicateKeyError before it writes anything
   */
  insert(document: Document, bytes: Uint8Array): number;
  /** Replaces `before` with `after`, with the same guarantees as `insert`. */
  replace(rid: number, before: Document, after: Document, bytes: Uint8Array): void;
  remove(rid: number, document: Document): void;
  /** Yields at most `maxRows` records in insertion order or in reverse. */
  scan(direction: 1 | -1, maxRows?: number): Generator<ScanRow, void, undefined>;
  /** Yields the records of one range of an index in its order. A multikey index may yield a record more than once. */
  scanIndex(
    index: IndexTable,
    range: KeyRange,
    direction: 1 | -1,
    maxRows?: number,
  ): Generator<ScanRow, void, undefined>;
  count(): number;
  /** The size of all documents in bytes. Reads the whole collection. */
  dataSize(): number;
  /** Describes each disagreement between documents and indexes; empty if there are none. */
  findDisagreements(): string[];
  /** Fills a new index from the existing documents. */
  buildIndex(index: IndexTable): void;
}

export interface CollectionOptions {
  database: DatabaseSync;
  group: Pick<GroupCommit, 'write'>;
  budget: ReadBudget;
  /** Whether another connection also changes the collection. */
  isChangedElsewhere?: boolean;
  id: number;
  databaseName: string;
  name: string;
  uuid: Uint8Array;
}

/** The id of no record, to test whether any record holds a key. */
const NO_RECORD = -1;

export function collectionTableSql(id: number): string {
  return `CREATE TABLE c_${id} (rid INTEGER PRIMARY KEY, doc BLOB NOT NULL, checksum INTEGER NOT NULL)`;
}

export function openCollection(opened: CollectionOptions): Collection {
  const { database, group, budget, id, isChangedElsewhere = false } = opened;
  const table = `c_${id}`;
  const insertSql = `INSERT INTO ${table} (doc, checksum) VALUES (?, ?)`;
  const updateSql = `UPDATE ${table} SET doc = ?, checksum = ? WHERE rid = ?`;
  const prepare = lazyStatements(database);
  const indexes: IndexTable[] = [];
  /** Maintained after the first count. To count, SQLite scans all entries of the `_id` index. */
  let knownCount: number | undefined;

  const indexAt = (position: number) => indexes[position] as IndexTable;

  function entriesOf(document: Document): EntriesOfDocument[] {
    return indexes.map((index) => index.entriesOf(document));
  }

  const collection: Collection = {
    id,
    databaseName: opened.databaseName,
    name: opened.name,
    namespace: `${opened.databaseName}.${opened.name}`,
    uuid: opened.uuid,
    indexes,
    isGone: false,

    insert(document, bytes) {
      const needed = entriesOf(document);
      for (const [at, { entries }] of needed.entries()) indexAt(at).assertUnique(entries, NO_RECORD);
      passWrite();
      return group.write(() => {
        const { lastInsertRowid } = prepare(insertSql).run(bytes, checksumOf(bytes));
        const rid = Number(lastInsertRowid);
        for (const [at, { entries, multikeyFields }] of needed.entries())
          indexAt(at).add(entries, multikeyFields, rid);
        if (knownCount !== undefined) knownCount += 1;
        return rid;
      });
    },

    replace(rid, before, after, bytes) {
      const changes = indexes
        .filter((index) => !isUntouched(index, before, after))
        .map((index) => changeOf(index, before, after));
      for (const { index, added } of changes) index.assertUnique(added, rid);
      passWrite();
      group.write(() => {
        prepare(updateSql).run(bytes, checksumOf(bytes), rid);
        for (const { index, removed, added, multikeyFields } of changes) {
          index.remove(removed, rid);
          index.add(added, multikeyFields, rid);
        }
      });
    },

    remove(rid, document) {
      const held = entriesOf(document);
      passWrite();
      group.write(() => {
        prepare(`DELETE FROM ${table} WHERE rid = ?`).run(rid);
        for (const [at, { entries }] of held.entries()) indexAt(at).remove(entries, rid);
        if (knownCount !== undefined) knownCount -= 1;
      });
    },

    *scan(direction, maxRows = Number.POSITIVE_INFINITY) {
      const [comparison, order, start] =
        direction === 1 ? ['>', 'ASC', NO_RECORD] : ['<', 'DESC', Number.MAX_SAFE_INTEGER];
      const sql = `SELECT rid, doc, checksum FROM ${table} WHERE rid ${comparison} ? ORDER BY rid ${order} ${LIMIT_SQL}`;
      const rows = inChunks((last, limit) => {
        assertThere();
        return readRows(prepare(sql), last?.[0] ?? start, limit);
      }, maxRows);
      budget.relyOn(assertThere);
      for (const row of rows) {
        assertWhole(row, collection.namespace);
        budget.spend(row[1].length);
        yield row;
      }
    },

    *scanIndex(index, range, direction, maxRows = Number.POSITIVE_INFINITY) {
      const assertIndexThere = () => {
        assertThere();
        if (!indexes.some(({ id }) => id === index.id)) throw indexDropped(index);
      };
      budget.relyOn(assertIndexThere);
      assertIndexThere();
      const rows = index.scan(range, direction, maxRows);
      for (;;) {
        // Checked before each step, because a step may read more rows from dropped tables.
        assertIndexThere();
        const next = rows.next();
        if (next.done) return;
        assertWhole(next.value, collection.namespace);
        budget.spend(next.value[1].length);
        yield next.value;
      }
    },

    count() {
      if (isChangedElsewhere) return indexAt(0).count();
      knownCount ??= indexAt(0).count();
      return knownCount;
    },

    dataSize: () => Number(readRows(prepare(`SELECT total(length(doc)) FROM ${table}`))[0]?.[0] ?? 0),

    findDisagreements() {
      const wrong: string[] = [];
      const expected = indexes.map(() => 0);
      for (const [rid, bytes] of collection.scan(1)) {
        for (const [at, { entries }] of entriesOf(decode(bytes)).entries()) {
          expected[at] = (expected[at] as number) + entries.length;
          if (indexAt(at).holds(entries, rid)) continue;
          wrong.push(`record ${rid} lacks an entry in the index ${indexAt(at).definition.name}`);
        }
      }
      for (const [at, index] of indexes.entries()) {
        if (index.count() === expected[at]) continue;
        wrong.push(
          `the index ${index.definition.name} has ${index.count()} entries for ${expected[at]} that are called for`,
        );
      }
      return wrong;
    },

    buildIndex(index) {
      for (const [rid, bytes] of collection.scan(1)) {
        passRecord(bytes.length);
        const { entries, multikeyFields } = index.entriesOf(decode(bytes));
        index.assertUnique(entries, rid);
        index.add(entries, multikeyFields, rid);
      }
    },
  };

  function assertThere(): void {
    if (!collection.isGone) return;
    throw mongoError('QueryPlanKilled', `collection dropped: ${collection.namespace}`);
  }

  return collection;
}

interface IndexChange {
  index: IndexTable;
  removed: readonly IndexEntry[];
  added: readonly IndexEntry[];
  multikeyFields: readonly boolean[];
}

/** Whether all that its entries depend on are the same objects: an update keeps the values that it does not change. */
function isUntouched({ dependsOn }: IndexTable, before: Document, after: Document): boolean {
  return dependsOn.values().every((name) => before.get(name) === after.get(name));
}

/** What an update changes in one index. */
function changeOf(index: IndexTable, before: Document, after: Document): IndexChange {
  const { entries, multikeyFields } = index.entriesOf(after);
  const oldEntries = byKey(index.entriesOf(before).entries);
  const newEntries = byKey(entries);
  return {
    index,
    removed: without(oldEntries, newEntries),
    added: without(newEntries, oldEntries),
    multikeyFields,
  };
}

type EntriesByKey = ReadonlyMap<string, IndexEntry>;

function byKey(entries: readonly IndexEntry[]): EntriesByKey {
  return new Map(entries.map((entry) => [keyText(entry), entry]));
}

function without(entries: EntriesByKey, others: EntriesByKey): IndexEntry[] {
  return [...entries].filter(([key]) => !others.has(key)).map(([, entry]) => entry);
}

function indexDropped({ definition }: IndexTable): Error {
  return mongoError('QueryPlanKilled', `index '${definition.name}' dropped`);
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Document } from '../bson/document.ts';
import { type FilterNode, fieldsOf, matches, parseFilter } from '../semantics/filter.ts';
import { extractKeys, type KeyValues } from '../semantics/index-keys.ts';
import { encodeKey } from '../semantics/key-encoding.ts';
import { DuplicateKeyError } from './duplicate-key.ts';
import type { IndexDefinition } from './index-definition.ts';
import { inChunks, type KeyRange, LIMIT_SQL, readRows, type ScanRow } from './scan.ts';

/** An entry of one document in one index. */
export interface IndexEntry {
  key: Uint8Array;
  values: KeyValues;
}

/** The entries of one document in one index. */
export interface EntriesOfDocument {
  entries: readonly IndexEntry[];
  /** For each field of the key pattern, whether its path leads through an array. */
  multikeyFields: readonly boolean[];
}

/** One index of a collection: its entries in one SQLite table, ordered by encoded key. */
export interface IndexTable {
  id: number;
  definition: IndexDefinition;
  /** The parsed partial filter expression; documents that do not match it have no entries. */
  partialFilter: FilterNode | undefined;
  /** For each field, whether any document so far had an array on its path. Never reset. */
  readonly multikeyFields: readonly boolean[];
  /** The number of queries that used the index since the server started or the index was created. */
  readonly accesses: { count: number; readonly since: Date };
  /** The top-level fields that the entries of a document depend on; undefined if any field may matter. */
  readonly dependsOn: ReadonlySet<string>;
  /** Returns the entries that a document must have. Writes nothing. */
  entriesOf(document: Document): EntriesOfDocument;
  /** Throws the duplicate-key error if a record other than `ownRid` holds one of the keys. */
  assertUnique(entries: readonly IndexEntry[], ownRid: number): void;
  add(entries: readonly IndexEntry[], multikeyFields: readonly boolean[], rid: number): void;
  remove(entries: readonly IndexEntry[], rid: number): void;
  /** Whether the record has all of these entries. */
  holds(entries: readonly IndexEntry[], rid: number): boolean;
  count(): number;
  /** The size of all keys in bytes. Reads the whole index. */
  keySize(): number;
  /** Yields at most `maxRows` entries of a range with their documents. */
  scan(range: KeyRange, direction: 1 | -1, maxRows: number): IteratorObject<ScanRow, void>;
}

export interface IndexTableOptions {
  database: DatabaseSync;
  collectionId: number;
  namespace: string;
  id: number;
  definition: IndexDefinition;
  multikeyFields: readonly boolean[];
}

const NO_ENTRIES: EntriesOfDocument = { entries: [], multikeyFields: [] };

const NO_BYTES = new Uint8Array(0);

/** MongoDB's limit is ten times as high. Writing this many entries blocks other clients for about 50 ms. */
const MAX_ENTRIES_PER_DOCUMENT = 10_000;

export function createTableSql(id: number): string {
  return `CREATE TABLE i_${id} (key BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (key, rid)) WITHOUT ROWID`;
}

export function openIndexTable(options: IndexTableOptions): IndexTable {
  const { database, collectionId, namespace, id, definition } = options;
  const table = `i_${id}`;
  const paths = definition.fields.map(({ steps }) => steps);
  const directions = definition.fields.map(({ direction }) => direction);
  const partialFilter = definition.partialFilter && parseFilter(definition.partialFilter);
  const prepare = lazyStatements(database);
  const multikeyFields = [...options.multikeyFields];
  /** No key is greater. Keys that ascend with time, as most ids do, need no search for a duplicate. */
  let upperBound: Uint8Array | undefined;

  function isBeyondAll(key: Uint8Array): boolean {
    upperBound ??= (prepare(greatestSql).get() as [Uint8Array] | undefined)?.[0] ?? NO_BYTES;
    return Buffer.compare(key, upperBound) > 0;
  }

  /** The planner relies on this mark, so it is stored with the first entry that requires it. */
  function markMultikey(fields: readonly boolean[]): void {
    let changed = false;
    fields.forEach((isMultikey, field) => {
      if (!isMultikey || multikeyFields[field]) return;
      multikeyFields[field] = true;
      changed = true;
    });
    if (!changed) return;
    database
      .prepare('UPDATE indexes SET multikey_fields = ? WHERE id = ?')
      .run(JSON.stringify(multikeyFields), id);
  }

  const insertSql = `INSERT INTO ${table} (key, rid) VALUES (?, ?)`;
  const deleteSql = `DELETE FROM ${table} WHERE key = ? AND rid = ?`;
  const otherSql = `SELECT rid FROM ${table} WHERE key = ? AND rid <> ? LIMIT 1`;
  const greatestSql = `SELECT key FROM ${table} ORDER BY key DESC LIMIT 1`;
  const ownSql = `SELECT 1 FROM ${table} WHERE key = ? AND rid = ?`;
  const scanSql = (bounds: string, order: string) =>
    `SELECT i.rid, c.doc, c.checksum, hex(i.key) FROM ${table} i CROSS JOIN c_${collectionId} c ON c.rid = i.rid
     WHERE ${bounds} ORDER BY i.key ${order}, i.rid ${order} ${LIMIT_SQL}`;
  const keySql = `SELECT i.rid, c.doc, c.checksum FROM ${table} i CROSS JOIN c_${collectionId} c ON c.rid = i.rid WHERE i.key = ?`;
  const firstUp = scanSql('i.key >= ? AND i.key < ?', 'ASC');
  const nextUp = scanSql('(i.key, i.rid) > (?, ?) AND i.key < ?', 'ASC');
  const firstDown = scanSql('i.key >= ? AND i.key < ?', 'DESC');
  const nextDown = scanSql('i.key >= ? AND (i.key, i.rid) < (?, ?)', 'DESC');

  const index: IndexTable = {
    id,
    definition,
    partialFilter,
    multikeyFields,
    accesses: { count: 0, since: new Date() },
    dependsOn: fieldsOfEntries(definition, partialFilter),
    entriesOf(document) {
      if (partialFilter !== undefined && !matches(partialFilter, document)) return NO_ENTRIES;
      const extracted = extractKeys(document, paths, MAX_ENTRIES_PER_DOCUMENT);
      return {
        entries: distinctEntries(extracted.keys, directions),
        multikeyFields: extracted.multikeyFields,
      };
    },
    assertUnique(entries, ownRid) {
      if (!definition.unique) return;
      for (const { key, values } of entries) {
        if (!isBeyondAll(key) && prepare(otherSql).get(key, ownRid) !== undefined)
          throw new DuplicateKeyError(namespace, definition, values);
      }
    },
    add(entries, multikey, rid) {
      markMultikey(multikey);
      for (const { key } of entries) {
        prepare(insertSql).run(key, rid);
        if (definition.unique && isBeyondAll(key)) upperBound = key;
      }
    },
    remove(entries, rid) {
      for (const { key } of entries) prepare(deleteSql).run(key, rid);
    },
    holds(entries, rid) {
      return entries.every(({ key }) => prepare(ownSql).get(key, rid) !== undefined);
    },
    count: () => Number(readRows(prepare(`SELECT count(*) FROM ${table}`))[0]?.[0] ?? 0),
    keySize: () => Number(readRows(prepare(`SELECT total(length(key)) FROM ${table}`))[0]?.[0] ?? 0),
    scan({ lower, upper, isKey }, direction, maxRows) {
      if (isKey && definition.unique) return readRows(prepare(keySql), lower).values();
      const [first, next] = direction === 1 ? [firstUp, nextUp] : [firstDown, nextDown];
      return inChunks((last, limit) => {
        if (last === undefined) return readRows(prepare(first), lower, upper, limit);
        const key = Buffer.from(last[3] as string, 'hex');
        return direction === 1
          ? readRows(prepare(next), key, last[0], upper, limit)
          : readRows(prepare(next), lower, key, last[0], limit);
      }, maxRows);
    },
  };
  return index;
}

function fieldsOfEntries(
  { fields }: IndexDefinition,
  partialFilter: FilterNode | undefined,
): ReadonlySet<string> {
  const ofFilter = partialFilter === undefined ? new Set<string>() : fieldsOf(partialFilter);
  return ofFilter.union(new Set(fields.map(({ steps: [name = ''] }) => name)));
}

function distinctEntries(keys: readonly KeyValues[], directions: readonly (1 | -1)[]): IndexEntry[] {
  const entries: IndexEntry[] = keys.map((values) => ({ values, key: encodeKey(values, directions) }));
  if (entries.length < 2) return entries;
  return [...new Map(entries.map((entry) => [keyText(entry), entry])).values()];
}

/** The key as a string with one character per byte, because a Set compares bytes by identity. */
export function keyText({ key }: IndexEntry): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

/** Prepares each statement on first use and keeps it. Rows are arrays. */
export function lazyStatements(database: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statement.setReturnArrays(true);
      prepared.set(sql, statement);
    }
    return statement;
  };
}

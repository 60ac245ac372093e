import type { DatabaseSync } from 'node:sqlite';
import { decode } from '../bson/document.ts';
import { type Collection, openCollection } from './collection.ts';
import { openForReading } from './data-file.ts';
import { readIndexSpecification } from './index-specification.ts';
import { openIndexTable } from './index-table.ts';
import { createReadBudget, type ReadBudget } from './read-budget.ts';
import { type Store, sizeOnDisk } from './store.ts';

/** A store for reading the data file on another thread while the main thread writes. */
export interface SnapshotStore extends Store {
  /**
   * Runs a read over one snapshot: all data committed when it begins, and nothing later. Only a read that takes very long
   * continues in a newer snapshot, between two records: while a snapshot is open, the WAL cannot restart and grows with
   * every write.
   */
  within<T>(read: () => T): T;
}

const MAX_SNAPSHOT_AGE_MS = 10_000;
/** The number of records between two reads of the clock. */
const RECORDS_BETWEEN_LOOKS = 256;

interface CollectionRow {
  id: number;
  db: string;
  name: string;
  uuid: Uint8Array;
}

interface IndexRow {
  id: number;
  collection_id: number;
  definition: Uint8Array;
  multikey_fields: string;
}

/** Opens the file of a store in this process. All writes throw. */
export function openSnapshotStore(path: string, maxAgeMs = MAX_SNAPSHOT_AGE_MS): SnapshotStore {
  const database = openForReading(path);
  let takenAt = 0;
  let recordsRead = 0;
  const collections = new Map<number, Collection>();
  let dataVersion: unknown;

  function takeSnapshot(): void {
    database.exec('BEGIN');
    takenAt = performance.now();
    refresh();
  }

  /** Can change snapshots between two records, because a scan keeps no statement open and finds its position again. */
  const budget: ReadBudget = {
    ...createReadBudget(),
    spend() {
      recordsRead += 1;
      if (recordsRead % RECORDS_BETWEEN_LOOKS !== 0 || performance.now() - takenAt <= maxAgeMs) return;
      database.exec('COMMIT');
      takeSnapshot();
    },
  };

  /** Reads the collections and indexes of this snapshot. Keeps unchanged objects, because cursors refer to them. */
  function refresh(): void {
    const version = database.prepare('PRAGMA data_version').get()?.data_version;
    if (version === dataVersion) return;
    dataVersion = version;
    const rows = selectAll<CollectionRow>(database, 'SELECT id, db, name, uuid FROM collections');
    const found = new Set(rows.map(({ id }) => id));
    for (const [id, collection] of collections) if (!found.has(id)) forget(collection);
    for (const row of rows) refreshCollection(row);
    const indexes = Map.groupBy(
      selectAll<IndexRow>(
        database,
        'SELECT id, collection_id, definition, multikey_fields FROM indexes ORDER BY id',
      ),
      (row) => row.collection_id,
    );
    for (const collection of collections.values())
      refreshIndexes(collection, indexes.get(collection.id) ?? []);
  }

  function forget(collection: Collection): void {
    collection.isGone = true;
    collections.delete(collection.id);
  }

  function refreshCollection({ id, db, name, uuid }: CollectionRow): void {
    const known = collections.get(id);
    if (known?.databaseName === db && known.name === name) return;
    if (known !== undefined) forget(known);
    const opened = openCollection({
      database,
      group: { write: rejectWrite },
      budget,
      isChangedElsewhere: true,
      id,
      databaseName: db,
      name,
      uuid,
    });
    collections.set(id, opened);
  }

  function refreshIndexes({ id: collectionId, namespace, indexes }: Collection, rows: IndexRow[]): void {
    const fresh = rows.map(({ id, definition, multikey_fields }) =>
      openIndexTable({
        database,
        collectionId,
        namespace,
        id,
        definition: readIndexSpecification(decode(definition)),
        multikeyFields: JSON.parse(multikey_fields),
      }),
    );
    indexes.splice(0, indexes.length, ...fresh);
  }

  const all = () => [...collections.values()];
  return {
    within(read) {
      try {
        takeSnapshot();
        return read();
      } finally {
        if (database.isTransaction) database.exec('COMMIT');
      }
    },
    databaseNames: () => [...new Set(all().map(({ databaseName }) => databaseName))].sort(),
    collections: (databaseName) => all().filter((one) => one.databaseName === databaseName),
    collection: (databaseName, name) =>
      all().find((one) => one.databaseName === databaseName && one.name === name),
    sizeOnDisk: () => sizeOnDisk(database),
    budget,
    whenDurable: (deliver) => deliver(),
    commits: () => 0,
    flush() {},
    emptyLog: rejectWrite,
    close: () => database.close(),
    createCollection: rejectWrite,
    dropCollection: rejectWrite,
    createIndex: rejectWrite,
    dropIndex: rejectWrite,
  };
}

function rejectWrite(): never {
  throw new Error('a thread that only reads was asked to write');
}

function selectAll<Row>(database: DatabaseSync, sql: string): Row[] {
  return database.prepare(sql).all() as unknown as Row[];
}

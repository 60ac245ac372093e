import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { decode, documentOf, encode, int32 } from '../bson/document.ts';
import { outOfScope } from '../bson/mongo-error.ts';
import { type Collection, collectionTableSql, openCollection } from './collection.ts';
import { type DataFileOptions, openDataFile } from './data-file.ts';
import { createGroupCommit, type Deliver } from './group-commit.ts';
import { ID_INDEX_NAME, type IndexDefinition } from './index-definition.ts';
import { readIndexSpecification } from './index-specification.ts';
import { createTableSql, type IndexTable, openIndexTable } from './index-table.ts';
import { createReadBudget, type ReadBudget } from './read-budget.ts';

/** Databases and collections in one file. Must be used by one thread only. */
export interface Store {
  databaseNames(): string[];
  collections(databaseName: string): Collection[];
  collection(databaseName: string, name: string): Collection | undefined;
  /** Creates a collection with its `_id` index. The caller must check the names, and that it does not exist. */
  createCollection(databaseName: string, name: string): Collection;
  dropCollection(collection: Collection): void;
  /** Builds the index from the existing documents. A rejection (duplicate keys) leaves nothing behind. */
  createIndex(collection: Collection, definition: IndexDefinition): void;
  dropIndex(collection: Collection, index: IndexTable): void;
  /** Delivers when all data that the reply may depend on is on disk. See GroupCommit. */
  whenDurable(deliver: Deliver, origin?: unknown): void;
  /** The budget of one read on the writing thread. */
  readonly budget: ReadBudget;
  /** The number of transactions committed since the start. Each flushes once. */
  commits(): number;
  /** The size of the whole data file in bytes. */
  sizeOnDisk(): number;
  /** Commits the open group of writes. */
  flush(): void;
  /** Empties the WAL, which contains earlier content of changed documents. False when a read holds a snapshot in it. */
  emptyLog(): boolean;
  /** Commits the open group of writes and releases the file. */
  close(): void;
}

export interface StoreOptions extends DataFileOptions {
  budget?: ReadBudget;
}

const ID_INDEX = readIndexSpecification(
  documentOf({ v: int32(2), key: documentOf({ _id: int32(1) }), name: ID_INDEX_NAME }),
);

/** The stored options of a collection. None of MongoDB's options are in scope. */
const NO_OPTIONS = encode(documentOf({}));

interface CollectionRow {
  id: number;
  db: string;
  name: string;
  uuid: Uint8Array;
  options: Uint8Array;
}

interface IndexRow {
  id: number;
  definition: Uint8Array;
  multikey_fields: string;
}

/** @param onRolledBack called when a group of writes was rolled back, which invalidates all open cursors */
export function openStore(options: StoreOptions, onRolledBack: () => void = () => {}): Store {
  const file = openDataFile(options);
  const { database } = file;
  const { budget = createReadBudget() } = options;
  let catalogue = new Map<string, Map<string, Collection>>();
  const group = createGroupCommit(database, () => {
    loadCatalogue();
    onRolledBack();
  });
  loadCatalogue();

  function loadCatalogue(): void {
    for (const collections of catalogue.values()) {
      for (const collection of collections.values()) collection.isGone = true;
    }
    catalogue = new Map();
    const rows = database.prepare('SELECT id, db, name, uuid, options FROM collections ORDER BY id').all();
    for (const row of rows as unknown as CollectionRow[]) loadCollection(row);
  }

  function loadCollection({ id, db, name, uuid, options }: CollectionRow): void {
    const [option] = decode(options).keys();
    if (option !== undefined)
      throw outOfScope(`the option '${option}' of the stored collection ${db}.${name}`);
    const collection = openCollection({ database, group, budget, id, databaseName: db, name, uuid });
    const rows = database
      .prepare('SELECT id, definition, multikey_fields FROM indexes WHERE collection_id = ? ORDER BY id')
      .all(id);
    for (const row of rows as unknown as IndexRow[]) {
      const definition = readIndexSpecification(decode(row.definition));
      collection.indexes.push(indexTable(collection, row.id, definition, JSON.parse(row.multikey_fields)));
    }
    register(collection);
  }

  function register(collection: Collection): void {
    const collections = catalogue.get(collection.databaseName) ?? new Map<string, Collection>();
    catalogue.set(collection.databaseName, collections.set(collection.name, collection));
  }

  function indexTable(
    collection: Collection,
    id: number,
    definition: IndexDefinition,
    multikeyFields: boolean[],
  ): IndexTable {
    const { id: collectionId, namespace } = collection;
    return openIndexTable({ database, collectionId, namespace, id, definition, multikeyFields });
  }

  function addIndex(collection: Collection, definition: IndexDefinition): IndexTable {
    const multikeyFields = definition.fields.map(() => false);
    const { lastInsertRowid } = database
      .prepare('INSERT INTO indexes (collection_id, name, definition, multikey_fields) VALUES (?, ?, ?, ?)')
      .run(collection.id, definition.name, encode(definition.specification), JSON.stringify(multikeyFields));
    const id = Number(lastInsertRowid);
    database.exec(createTableSql(id));
    return indexTable(collection, id, definition, multikeyFields);
  }

  return {
    databaseNames: () => [...catalogue.keys()].sort(),
    collections: (databaseName) => [...(catalogue.get(databaseName)?.values() ?? [])],
    collection: (databaseName, name) => catalogue.get(databaseName)?.get(name),

    createCollection(databaseName, name) {
      return group.write(() => {
        const uuid = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
        const { lastInsertRowid } = database
          .prepare('INSERT INTO collections (db, name, uuid, options) VALUES (?, ?, ?, ?)')
          .run(databaseName, name, uuid, NO_OPTIONS);
        const id = Number(lastInsertRowid);
        database.exec(collectionTableSql(id));
        const collection = openCollection({ database, group, budget, id, databaseName, name, uuid });
        collection.indexes.push(addIndex(collection, ID_INDEX));
        register(collection);
        return collection;
      });
    },

    dropCollection(collection) {
      group.write(() => {
        for (const { id } of collection.indexes) database.exec(`DROP TABLE i_${id}`);
        database.prepare('DELETE FROM indexes WHERE collection_id = ?').run(collection.id);
        database.prepare('DELETE FROM collections WHERE id = ?').run(collection.id);
        database.exec(`DROP TABLE c_${collection.id}`);
        collection.isGone = true;
        const collections = catalogue.get(collection.databaseName);
        collections?.delete(collection.name);
        if (collections?.size === 0) catalogue.delete(collection.databaseName);
      });
    },

    createIndex(collection, definition) {
      group.write(() => {
        const index = atomically(database, () => {
          const added = addIndex(collection, definition);
          collection.buildIndex(added);
          return added;
        });
        collection.indexes.push(index);
      });
    },

    dropIndex(collection, index) {
      group.write(() => {
        database.prepare('DELETE FROM indexes WHERE id = ?').run(index.id);
        database.exec(`DROP TABLE i_${index.id}`);
        collection.indexes.splice(collection.indexes.indexOf(index), 1);
      });
    },

    whenDurable: group.whenDurable,
    flush: group.flush,
    emptyLog() {
      group.flush();
      return file.emptyLog();
    },
    budget,
    commits: () => group.commits,
    sizeOnDisk: () => sizeOnDisk(database),

    close() {
      group.flush();
      file.close();
    },
  };
}

/** Rolls back the writes of `change`, and no others, if it throws. */
function atomically<T>(database: DatabaseSync, change: () => T): T {
  database.exec('SAVEPOINT change');
  try {
    const result = change();
    database.exec('RELEASE change');
    return result;
  } catch (error) {
    database.exec('ROLLBACK TO change; RELEASE change');
    throw error;
  }
}

export function sizeOnDisk(database: DatabaseSync): number {
  const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
  return read('page_count') * read('page_size');
}

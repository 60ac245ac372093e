import { DatabaseSync } from 'node:sqlite';

export interface PreparedInsert {
  bytes: Uint8Array;
  /** One key per index table. */
  keys: readonly Uint8Array[];
}

export interface Floor {
  /** Inserts for `durationMs`, `perTransaction` documents per transaction. Returns inserts per second. */
  run(inserts: readonly PreparedInsert[], perTransaction: number, durationMs: number): number;
  close(): void;
}

/** Creates the server's tables with its durability in plain node:sqlite. Returns a function that inserts a document. */
export function createFloorTables(
  database: DatabaseSync,
  indexCount: number,
): (insert: PreparedInsert) => void {
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;
    PRAGMA wal_autocheckpoint = 4000; CREATE TABLE documents (rid INTEGER PRIMARY KEY, doc BLOB NOT NULL, checksum INTEGER)`);
  const tables = Array.from({ length: indexCount }, (_, at) => `i_${at}`);
  for (const table of tables) {
    database.exec(
      `CREATE TABLE ${table} (key BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (key, rid)) WITHOUT ROWID`,
    );
  }
  const insertDocument = database.prepare('INSERT INTO documents (doc, checksum) VALUES (?, 0xffffffff)');
  const insertKeys = tables.map((table) => database.prepare(`INSERT INTO ${table} (key, rid) VALUES (?, ?)`));
  return ({ bytes, keys }) => {
    const { lastInsertRowid } = insertDocument.run(bytes);
    for (const [index, key] of keys.entries()) insertKeys[index]?.run(key, lastInsertRowid);
  };
}

/** Inserts with plain node:sqlite, which is the upper bound for any server based on it. */
export function createFloor(path: string, indexCount: number): Floor {
  const database = new DatabaseSync(path);
  const insert = createFloorTables(database, indexCount);
  let inserted = 0;

  return {
    run(inserts, perTransaction, durationMs) {
      const startedAt = performance.now();
      const before = inserted;
      while (performance.now() - startedAt < durationMs) {
        database.exec('BEGIN IMMEDIATE');
        for (let at = 0; at < perTransaction; at++) {
          insert(inserts[inserted % inserts.length] as PreparedInsert);
          inserted += 1;
        }
        database.exec('COMMIT');
      }
      return ((inserted - before) / (performance.now() - startedAt)) * 1000;
    },
    close: () => database.close(),
  };
}

/*
 * A separate process that does the work of each operation with plain node:sqlite: the same tables, bytes, and index
 * keys, without checksums, BSON, queries, or a network. Each message of the parent process is a run. The process replies
 * with the CPU time of the run in microseconds.
 * Usage: fork('operations-floor.ts', [folder, number of documents])
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFloorTables, type PreparedInsert } from './floor.ts';
import { type Operation, PAGE_DOCUMENTS } from './operation-messages.ts';
import { INDEXES, paymentDocument, STATES } from './payment-documents.ts';
import { createInsertPreparer } from './prepare-inserts.ts';

export interface FloorRun {
  operation: Operation;
  count: number;
  /** The number of writes per transaction. */
  perTransaction: number;
}

const STATE_INDEX = INDEXES.findIndex(({ key }) => 'state' in key) + 1;
const PAGE_END = Uint8Array.of(0xff);
const [folder, size] = [process.argv[2] as string, Number(process.argv[3])];

const database = new DatabaseSync(join(folder, 'floor.db'));
const insert = createFloorTables(database, INDEXES.length + 1);
const findById = prepareSelect(
  'SELECT d.rid, d.doc FROM i_0 i CROSS JOIN documents d ON d.rid = i.rid WHERE i.key = ?',
);
const findPage = prepareSelect(
  `SELECT d.rid, d.doc FROM i_${STATE_INDEX} i CROSS JOIN documents d ON d.rid = i.rid
   WHERE i.key >= ? AND i.key < ? ORDER BY i.key LIMIT ${PAGE_DOCUMENTS}`,
);
const updateDocument = database.prepare('UPDATE documents SET doc = ?, checksum = 0xffffffff WHERE rid = ?');
const deleteKey = database.prepare(`DELETE FROM i_${STATE_INDEX} WHERE key = ? AND rid = ?`);
const insertKey = database.prepare(`INSERT INTO i_${STATE_INDEX} (key, rid) VALUES (?, ?)`);

const preparer = createInsertPreparer(folder);
const documents: ReturnType<typeof paymentDocument>[] = [];
const stored: PreparedInsert[] = [];
inTransactions(Array.from({ length: size }, prepareInsert), size);
process.send?.('ready');

process.on('message', ({ operation, count, perTransaction }: FloorRun) => {
  const run = Array.from({ length: count }, () => prepareRun(operation));
  const before = process.cpuUsage();
  if (operation === 'insert' || operation === 'update') inTransactions(run, perTransaction);
  else for (const once of run) once();
  const { user, system } = process.cpuUsage(before);
  process.send?.(user + system);
});

function prepareRun(operation: Operation): () => void {
  const n = Math.floor(Math.random() * stored.length);
  const { keys } = stored[n] as PreparedInsert;
  switch (operation) {
    case 'findOne':
      return () => void findById.get(keys[0] as Uint8Array);
    case 'page':
      return () => void findPage.all(keys[STATE_INDEX] as Uint8Array, PAGE_END);
    case 'insert':
      return prepareInsert();
    case 'update':
      return prepareUpdate(n);
  }
}

function prepareInsert(): () => void {
  const document = paymentDocument(documents.length);
  const prepared = preparer.prepare(document);
  documents.push(document);
  stored.push(prepared);
  return () => insert(prepared);
}

function prepareUpdate(n: number): () => void {
  const before = stored[n] as PreparedInsert;
  const document = documents[n] as ReturnType<typeof paymentDocument>;
  document.state = STATES[(STATES.indexOf(document.state) + 1) % STATES.length] as string;
  const after = preparer.prepare(document);
  stored[n] = after;
  return () => {
    const [rid] = findById.get(before.keys[0] as Uint8Array) as unknown as [number];
    updateDocument.run(after.bytes, rid);
    deleteKey.run(before.keys[STATE_INDEX] as Uint8Array, rid);
    insertKey.run(after.keys[STATE_INDEX] as Uint8Array, rid);
  };
}

function inTransactions(writes: readonly (() => void)[], perTransaction: number): void {
  for (let first = 0; first < writes.length; first += perTransaction) {
    database.exec('BEGIN IMMEDIATE');
    for (const write of writes.slice(first, first + perTransaction)) write();
    database.exec('COMMIT');
  }
}

function prepareSelect(sql: string) {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

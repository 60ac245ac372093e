import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EmbeddedMongodb, examineCopy, openDataSnapshot, start } from '../index.ts';

const UNLIMITED = { maxBytesPerSecond: Number.POSITIVE_INFINITY, signal: new AbortController().signal };

let folder: string;
let server: EmbeddedMongodb;
let client: MongoClient;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-mongodb-snapshot-'));
  server = await start({ path: path('data.db'), fsync: false });
  client = new MongoClient(server.url);
});
afterEach(async () => {
  await client.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const path = (name: string) => join(folder, name);
const insert = (number: number) =>
  client.db('shop').collection<{ _id: number }>('orders').insertOne({ _id: number });

async function copy(): Promise<void> {
  const snapshot = openDataSnapshot(path('data.db'));
  await snapshot.copyTo(path('copy.db'), UNLIMITED);
  snapshot.close();
}

it('a snapshot of a data file has what was acknowledged before it, and nothing later', async () => {
  await insert(1);
  const snapshot = openDataSnapshot(path('data.db'));
  await insert(2);
  await snapshot.copyTo(path('copy.db'), UNLIMITED);
  snapshot.close();
  expect(examineCopy(path('copy.db'))).toEqual([{ database: 'shop', collection: 'orders', documents: 1 }]);
  expect(await client.db('shop').collection('orders').countDocuments()).toBe(2);
});

it('a snapshot of a data file is copied to a single file that a server opens', async () => {
  await insert(1);
  await copy();
  expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
  const second = await start({ path: path('copy.db'), fsync: false });
  const reader = new MongoClient(second.url);
  expect(await reader.db('shop').collection('orders').find().toArray()).toEqual([{ _id: 1 }]);
  await reader.close();
  await second.stop();
});

it('a snapshot of a data file has its own identity: the WAL of the original is rejected next to the copy', async () => {
  await insert(1);
  await copy();
  await insert(2);
  // SQLite applies a WAL only to a file in this mode, which a server sets at its first start.
  setWalMode(path('copy.db'));
  cpSync(path('data.db-wal'), path('copy.db-wal'));
  await expect(start({ path: path('copy.db') })).rejects.toThrow('belongs to another file');
});

it('a snapshot of a data file stops copying when the copy is aborted', async () => {
  await client
    .db('shop')
    .collection('orders')
    .insertMany(Array.from({ length: 3 }, () => ({ text: 'x'.repeat(1024 * 1024) })));
  const snapshot = openDataSnapshot(path('data.db'));
  const signal = AbortSignal.abort();
  await expect(snapshot.copyTo(path('copy.db'), { ...UNLIMITED, signal })).rejects.toThrow('aborted');
  snapshot.close();
});

it('a snapshot of a data file of a file that does not exist is rejected, and creates none', () => {
  expect(() => openDataSnapshot(path('none.db'))).toThrow('none.db does not exist');
  expect(readdirSync(folder)).not.toContain('none.db');
});

it('the examination of a copy detects a corrupted document', async () => {
  await insert(1);
  await copy();
  const copied = new DatabaseSync(path('copy.db'));
  copied.exec(`UPDATE c_1 SET checksum = checksum + 1`);
  copied.close();
  expect(() => examineCopy(path('copy.db'))).toThrow('the data file is corrupted (record 1 of shop.orders');
});

function setWalMode(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL');
  database.close();
}

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { documentOf, encode, int32 } from '../src/bson/document.ts';
import { start } from '../src/index.ts';
import { encodeKey } from '../src/semantics/key-encoding.ts';
import { startProcess } from './support/server-process.ts';
import { rejection, temporaryFolder } from './support/server-under-test.ts';

const PAGE_BYTES = 4096;
const folder = temporaryFolder();
/** A file that was closed cleanly, and a file whose server was killed with data in the WAL. */
const closed = join(folder, 'closed.db');
const killed = join(folder, 'killed.db');

async function fill(url: string, first: number): Promise<void> {
  const client = await new MongoClient(url).connect();
  const things = client.db('test').collection('things');
  await things.createIndex({ n: 1 });
  const documents = Array.from({ length: 2000 }, (_, n) => ({ n: first + n, text: 'x'.repeat(300) }));
  await things.insertMany(documents);
  await client.close();
}

beforeAll(async () => {
  const server = await start({ path: closed, fsync: false });
  await fill(server.url, 0);
  await fill(server.url, 5000);
  await server.stop();
  const other = await startProcess(killed);
  await fill(other.url, 1_000_000);
  await other.kill();
});

/** Corrupts a copy of the file and starts a server on it. Returns the error and asserts that the files did not change. */
async function refusalOf(name: string, spoil: (bytes: Buffer) => Buffer, wal?: Buffer): Promise<string> {
  const path = join(folder, `${name}.db`);
  const spoilt = spoil(readFileSync(closed));
  writeFileSync(path, spoilt);
  if (wal !== undefined) writeFileSync(`${path}-wal`, wal);
  const { message } = await rejection(start({ path }));
  expect(readFileSync(path).equals(spoilt)).toBe(true);
  if (wal !== undefined) expect(readFileSync(`${path}-wal`).equals(wal)).toBe(true);
  return message;
}

describe('a corrupted file', () => {
  const flipped = (...ranges: [number, number][]) => {
    return (bytes: Buffer) => {
      for (const [from, to] of ranges) {
        for (let at = from; at < to; at++) bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
      }
      return bytes;
    };
  };
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['no database at all', () => Buffer.from('this is no database'.repeat(300))],
    ['zeros', (bytes) => bytes.fill(0)],
    ['flipped magic', flipped([0, 8])],
    ['flipped page size', flipped([16, 18])],
    ['flipped schema', flipped([100, 200])],
    ['a flipped page in the middle', flipped([40 * PAGE_BYTES, 41 * PAGE_BYTES])],
    [
      'flipped heads of pages',
      flipped([60 * PAGE_BYTES, 60 * PAGE_BYTES + 16], [90 * PAGE_BYTES, 90 * PAGE_BYTES + 16]),
    ],
    ['a changed key of an index', (bytes) => changedKey(bytes)],
    ['cut in half', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['cut within a page', (bytes) => bytes.subarray(0, bytes.length - PAGE_BYTES - 100)],
    ['cut within the header', (bytes) => bytes.subarray(0, 50)],
  ])('a corrupted file is reported at startup without a change: %s', async (name, spoil) => {
    expect(await refusalOf(name, spoil)).toContain('corrupted or not a database');
  });

  /** Changes the key of the document with `n: 1000` in the index on `n`. */
  function changedKey(bytes: Buffer): Buffer {
    const at = bytes.indexOf(encodeKey([int32(1000)], [1]));
    expect(at).toBeGreaterThan(0);
    bytes.writeUInt8(bytes.readUInt8(at + 4) ^ 0xff, at + 4);
    return bytes;
  }

  test('a corrupted file is reported if the WAL belongs to another file', async () => {
    const wal = readFileSync(`${killed}-wal`);
    expect(await refusalOf('foreign wal', (bytes) => bytes, wal)).toMatch(/corrupted or not a database/);
  });

  test('a corrupted file is reported if the WAL is not a write-ahead log', async () => {
    const wal = Buffer.from('this is no write-ahead log'.repeat(200));
    expect(await refusalOf('no wal', (bytes) => bytes, wal)).toContain('is not a write-ahead log');
  });

  test('a corrupted file is reported if it is empty but its WAL is not', async () => {
    const wal = readFileSync(`${killed}-wal`);
    expect(await refusalOf('empty', () => Buffer.alloc(0), wal)).toContain('is empty or gone');
  });
});

test('an empty file is rejected with instructions', async () => {
  const path = join(folder, 'zero-length.db');
  writeFileSync(path, '');
  const { message } = await rejection(start({ path }));
  expect(message).toMatch(/is empty\. .* Restore it from a copy, or delete it to start without data\./);
  expect(readFileSync(path)).toHaveLength(0);
});

test('a server starts on a new path even if an earlier start ended before the file was complete', async () => {
  const path = join(folder, 'unfinished.db');
  for (const suffix of ['.new', '.new-wal']) writeFileSync(`${path}${suffix}`, 'incomplete');
  const server = await start({ path });
  await server.stop();
  expect(existsSync(path)).toBe(true);
  expect(existsSync(`${path}.new`)).toBe(false);
});

test('a file of another program is rejected', async () => {
  const path = join(folder, 'other.db');
  const other = new DatabaseSync(path);
  other.exec('CREATE TABLE theirs (id INTEGER)');
  other.close();
  expect((await rejection(start({ path }))).message).toContain('of another program');
});

test('a file with a collection option that is out of scope is rejected', async () => {
  const path = join(folder, 'validator.db');
  cpSync(closed, path);
  const database = new DatabaseSync(path);
  database
    .prepare('UPDATE collections SET options = ?')
    .run(encode(documentOf({ validator: documentOf({ n: int32(1) }) })));
  database.close();
  await expect(start({ path })).rejects.toMatchObject({
    code: 238,
    message: expect.stringContaining("the option 'validator' of the stored collection test.things"),
  });
});

test('a server opens a file with its own WAL and all data in the WAL', async () => {
  const path = join(folder, 'copied.db');
  for (const suffix of ['', '-wal']) cpSync(`${killed}${suffix}`, `${path}${suffix}`);
  const server = await start({ path });
  const client = await new MongoClient(server.url).connect();
  expect(await client.db('test').collection('things').countDocuments()).toBe(2000);
  await client.close();
  await server.stop();
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test('a document with a flipped bit is reported (301) at the first read by _id, by index, and by scan', async () => {
  const path = join(folder, 'bit.db');
  const bytes = readFileSync(closed);
  const at = bytes.lastIndexOf('xxxxxxxxxxxx');
  bytes.writeUInt8('y'.charCodeAt(0), at);
  writeFileSync(path, bytes);
  const server = await start({ path });
  const client = await new MongoClient(server.url).connect();
  const things = client.db('test').collection('things');
  expect((await rejection(things.find().toArray())).code).toBe(301);
  expect((await rejection(things.find({ n: { $gte: 0 } }).toArray())).code).toBe(301);
  expect((await rejection(things.updateMany({}, { $set: { seen: true } }))).code).toBe(301);
  expect((await rejection(client.db('test').command({ validate: 'things' }))).code).toBe(301);
  expect(await things.findOne({ n: 1 })).toMatchObject({ n: 1 });
  await client.close();
  await server.stop();
});

test('corruption while the server runs is reported (301) at the first read', async () => {
  const path = join(folder, 'running.db');
  cpSync(closed, path);
  const server = await start({ path });
  const bytes = readFileSync(path);
  for (let page = 5; page * PAGE_BYTES < bytes.length; page++)
    bytes.fill(0xa5, page * PAGE_BYTES, page * PAGE_BYTES + 64);
  writeFileSync(path, bytes);
  const client = await new MongoClient(server.url).connect();
  const things = client.db('test').collection('things');
  const refusals = [
    await rejection(things.find({ n: 1500 }).toArray()),
    await rejection(things.find({ text: 'none' }).toArray()),
  ];
  expect(refusals.map(({ code }) => code)).toEqual([301, 301]);
  expect(refusals[0]?.message).toContain('restore the file from a copy');
  await client.close();
  await server.stop();
});

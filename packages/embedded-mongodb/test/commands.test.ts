import { Binary, UUID } from 'bson';
import type { Collection, Document } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';
import { exchange, opMsg } from './support/wire-client.ts';

let under: ServerUnderTest;
let things: Collection<Document>;

beforeAll(async () => {
  under = await startForTest();
});

beforeEach(async () => {
  await under.client.db('test').dropDatabase();
  things = under.client.db('test').collection('things');
});

describe('an invalid command is rejected with the same code as by MongoDB', () => {
  test.each<[string, Document, number]>([
    ['a command without a name', {}, 59],
    ['a database name with a space', { ping: 1, $db: 'a b' }, 73],
    ['a command without a database', { ping: 1 }, 40571],
    ['the end of a transaction that has not started', { commitTransaction: 1, $db: 'admin' }, 125],
  ])('%s that no driver sends', async (_, body, code) => {
    expect(await exchange(under.server.port, opMsg(body))).toMatchObject({ ok: 0, code });
  });

  test('a database name that differs from an existing one only in case', async () => {
    await things.insertOne({});
    expect(await rejection(under.client.db('TEST').createCollection('things'))).toMatchObject({
      code: 13297,
    });
  });
});

describe('a cursor', () => {
  beforeEach(async () => {
    await things.insertMany(Array.from({ length: 250 }, (_, n) => ({ _id: n as never, n })));
  });

  test('a cursor on an index ends with an error when the index or the collection is dropped', async () => {
    await things.createIndex({ n: 1 });
    const alongIndex = things.find({ n: { $gte: 0 } }).batchSize(2);
    await alongIndex.next();
    await things.dropIndex('n_1');
    expect(await rejection(alongIndex.toArray())).toMatchObject({ code: 175 });
    const byId = things.find({ _id: { $gte: 0 as never } }).batchSize(2);
    await byId.next();
    await things.drop();
    expect(await rejection(byId.toArray())).toMatchObject({ code: 175 });
  });

  test('a cursor continues while documents are changed and removed', async () => {
    const cursor = things.find().batchSize(20);
    await cursor.next();
    await things.deleteMany({ n: { $gte: 200 } });
    const rest = await cursor.toArray();
    expect(rest.length).toBeGreaterThanOrEqual(199);
  });
});

describe('a write', () => {
  test('insert runs without a reply with w:0', async () => {
    await things.insertOne({ _id: 1 as never }, { writeConcern: { w: 0 } });
    await expect.poll(() => things.countDocuments({ _id: 1 as never })).toBe(1);
  });

  test('an update that scans an index that it changes updates each document once', async () => {
    await things.createIndex({ n: 1 });
    await things.insertMany(Array.from({ length: 100 }, (_, n) => ({ n })));
    const result = await things.updateMany({ n: { $gte: 0 } }, { $inc: { n: 50 } });
    expect(result.modifiedCount).toBe(100);
    const found = await things.find().sort({ n: 1 }).toArray();
    expect(found.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n + 50));
  });

  test('exactly one of 50 concurrent conditional updates of a document succeeds', async () => {
    await things.insertOne({ _id: 1 as never, status: 'pending' });
    const tries = Array.from({ length: 50 }, (_, by) =>
      things.findOneAndUpdate({ _id: 1 as never, status: 'pending' }, { $set: { status: 'taken', by } }),
    );
    expect((await Promise.all(tries)).filter((found) => found !== null)).toHaveLength(1);
  });

  test('500 concurrent increments are all applied', async () => {
    await things.insertOne({ _id: 1 as never, n: 0 });
    await Promise.all(
      Array.from({ length: 500 }, () => things.updateOne({ _id: 1 as never }, { $inc: { n: 1 } })),
    );
    expect(await things.findOne()).toEqual({ _id: 1, n: 500 });
  });
});

/** Options that drivers set themselves. The tests send bytes, so that no driver replaces the options. */
describe('options that drivers set', () => {
  const replyTo = (options: Document) =>
    exchange(under.server.port, opMsg({ find: 'things', $db: 'test', ...options }));
  const id = new Binary(new UUID().buffer, Binary.SUBTYPE_UUID);

  test.each<[Document, number]>([
    [{ lsid: 'x' }, 14],
    [{ lsid: {} }, 40414],
    [{ lsid: { id: null } }, 40414],
    [{ lsid: { id: 'x' } }, 14],
    [{ lsid: { id: new Binary(Buffer.alloc(16)) } }, 14],
    [{ lsid: { id, foo: 1 } }, 40415],
    [{ lsid: { id }, txnNumber: 1 }, 20],
    [{ startTransaction: true }, 20],
    [{ $readPreference: 'x' }, 14],
    [{ apiStrict: true }, 72],
    [{ apiVersion: '1', apiStrict: 'x' }, 14],
    [{ apiVersion: '1', apiStrict: true }, 238],
  ])('%j is rejected with %i', async (options, code) => {
    expect(await replyTo(options)).toMatchObject({ ok: 0, code });
  });

  test.each<Document>([
    { lsid: { id } },
    { lsid: { id, uid: new Binary(Buffer.alloc(32)) } },
    { lsid: null },
    { $readPreference: { mode: 'primaryPreferred' } },
    { $clusterTime: {} },
    { apiVersion: '1' },
    { apiVersion: '1', apiStrict: false, apiDeprecationErrors: true },
  ])('%j is accepted', async (options) => {
    expect(await replyTo(options)).toMatchObject({ ok: 1 });
  });
});

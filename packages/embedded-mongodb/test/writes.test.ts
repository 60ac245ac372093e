import type { Collection, Document } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';

let under: ServerUnderTest;
let things: Collection<Document>;

beforeAll(async () => {
  under = await startForTest();
});

beforeEach(async () => {
  await under.client.db('test').dropDatabase();
  things = under.client.db('test').collection('things');
});

describe('insert', () => {
  test('a document above 16 MiB is rejected', async () => {
    const text = 'x'.repeat(9 * 1024 * 1024);
    const command = { insert: 'things', documents: [{ a: text, b: text }] };
    expect(await rejection(under.client.db('test').command(command))).toBeDefined();
    expect(await things.countDocuments()).toBe(0);
  });

  test('insert runs without a reply with w:0', async () => {
    await things.insertOne({ _id: 1 as never }, { writeConcern: { w: 0 } });
    await expect.poll(() => things.countDocuments({ _id: 1 as never })).toBe(1);
  });
});

describe('update, findAndModify and delete', () => {
  test('an update that scans an index that it changes updates each document once', async () => {
    await things.createIndex({ n: 1 });
    await things.insertMany(Array.from({ length: 100 }, (_, n) => ({ n })));
    const result = await things.updateMany({ n: { $gte: 0 } }, { $inc: { n: 50 } });
    expect(result.modifiedCount).toBe(100);
    const found = await things.find().sort({ n: 1 }).toArray();
    expect(found.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n + 50));
  });

  test('an update to more than 16 MiB is rejected and does not change the document', async () => {
    const text = 'x'.repeat(9 * 1024 * 1024);
    await things.insertOne({ _id: 1 as never, a: text });
    const copy = [{ $set: { b: '$a' } }];
    expect(await rejection(things.updateOne({}, copy))).toMatchObject({ code: 17419 });
    const upsert = things.updateOne({ _id: 2 as never, a: text }, copy, { upsert: true });
    expect(await rejection(upsert)).toMatchObject({ code: 17420 });
    expect(await things.find({}, { projection: { b: 1 } }).toArray()).toEqual([{ _id: 1 }]);
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

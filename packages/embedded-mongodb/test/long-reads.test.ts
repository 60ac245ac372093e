import { type Collection, MongoClient } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';

/** More than a single command can read on the writing thread. */
const DOCUMENTS = 5_000;

/** Concurrent reads, which together take much longer than a write. */
const READS = 8;

interface Thing {
  _id: number;
  n: number;
  group: number;
}

describe('a read that is too long for the writing thread', () => {
  let under: ServerUnderTest;
  let things: Collection<Thing>;

  beforeAll(async () => {
    under = await startForTest();
    things = under.client.db('test').collection<Thing>('things');
    await things.createIndex({ group: 1 });
    await things.insertMany(Array.from({ length: DOCUMENTS }, (_, n) => ({ _id: n, n, group: n % 10 })));
  });

  test('a read that is too long for the writing thread returns the same as a short read: find, count, distinct, aggregate, explain, validate', async () => {
    expect(await things.findOne({ n: DOCUMENTS - 1 })).toEqual({
      _id: DOCUMENTS - 1,
      n: DOCUMENTS - 1,
      group: 9,
    });
    expect(await things.countDocuments({ n: { $gte: 100 } })).toBe(DOCUMENTS - 100);
    expect((await things.distinct('group')).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const sums = await things.aggregate([{ $group: { _id: null, n: { $sum: '$n' } } }]).toArray();
    expect(sums).toEqual([{ _id: null, n: (DOCUMENTS * (DOCUMENTS - 1)) / 2 }]);
    const explained = await things.find({ n: -1 }).explain('executionStats');
    expect(explained.executionStats.totalDocsExamined).toBe(DOCUMENTS);
    expect(await under.command({ validate: 'things' })).toMatchObject({ valid: true, nrecords: DOCUMENTS });
  });

  test('a read that is too long for the writing thread does not delay writers', async () => {
    const counted = under.client.db('test').collection<{ _id: number; n: number }>('counted');
    await counted.insertOne({ _id: 1, n: 0 });
    let isReading = true;
    const reading = Promise.all(
      Array.from({ length: READS }, () => things.countDocuments({ n: { $in: [-1, -2] } })),
    ).finally(() => {
      isReading = false;
    });
    let written = 0;
    for (; isReading; written++) await counted.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    expect(await reading).toEqual(Array.from({ length: READS }, () => 0));
    // On the writing thread, the reads would end before the second write.
    expect(written).toBeGreaterThan(10);
    expect(await counted.findOne({ _id: 1 })).toEqual({ _id: 1, n: written });
  });

  test('a read that is too long for the writing thread continues over many batches, including with an index', async () => {
    const ids: number[] = [];
    for await (const { _id } of things.find({}, { batchSize: 777 })) ids.push(_id);
    expect(ids).toEqual(Array.from({ length: DOCUMENTS }, (_, n) => n));
    const groups: number[] = [];
    for await (const { group } of things.find({}, { batchSize: 1500 }).sort({ group: 1 })) groups.push(group);
    expect(groups).toEqual(groups.toSorted((a, b) => a - b));
    expect(groups).toHaveLength(DOCUMENTS);
  });

  test('a read that is too long for the writing thread sees every write that was acknowledged before it', async () => {
    for (let n = 1; n <= 10; n++) {
      await things.updateOne({ _id: DOCUMENTS - 1 }, { $set: { n: -n } });
      expect(await things.countDocuments({ n: -n })).toBe(1);
    }
    await things.updateOne({ _id: DOCUMENTS - 1 }, { $set: { n: DOCUMENTS - 1 } });
  });

  test('a read that is too long for the writing thread sees an unacknowledged write of the same connection', async () => {
    const client = await new MongoClient(under.server.url, { maxPoolSize: 1 }).connect();
    const unacknowledged = client.db('test').collection<Thing>('things', { writeConcern: { w: 0 } });
    await unacknowledged.updateOne({ _id: 5 }, { $set: { n: -500 } });
    expect(await unacknowledged.countDocuments({ n: -500 })).toBe(1);
    await things.updateOne({ _id: 5 }, { $set: { n: 5 } });
    await client.close();
  });

  test('a read that is too long for the writing thread uses an index created between two reads, and sees a field that became an array', async () => {
    const changing = under.client.db('test').collection<{ _id: number; a: unknown }>('changing');
    await changing.insertMany(Array.from({ length: 3000 }, (_, n) => ({ _id: n, a: n })));
    expect(await changing.countDocuments({ a: { $gte: 0, $lt: 3000 } })).toBe(3000);
    await changing.createIndex({ a: 1 });
    expect(await changing.countDocuments({ a: { $gte: 0, $lt: 3000 } })).toBe(3000);
    await changing.updateOne({ _id: 0 }, { $set: { a: [-5, 5000] } });
    expect(await changing.countDocuments({ a: { $gte: 0, $lt: 3000 } })).toBe(3000);
    expect(await changing.countDocuments({ a: { $gt: 1 } })).toBe(2999);
  });

  test('a read that is too long for the writing thread fails when its collection is dropped, and its cursor can be killed', async () => {
    const dropped = under.client.db('test').collection('dropped');
    await dropped.insertMany(Array.from({ length: 3000 }, (_, n) => ({ n })));
    const cursor = dropped.find({}, { batchSize: 5 });
    const killed = dropped.find({}, { batchSize: 5 });
    await cursor.next();
    await killed.next();
    const open = async () => (await under.command({ serverStatus: 1 })).metrics.cursor.open.total;
    expect(await open()).toBe(2);
    await killed.close();
    expect(await open()).toBe(1);
    await dropped.drop();
    expect((await rejection(cursor.toArray())).code).toBe(175);
    expect(await open()).toBe(0);
  });

  test('a read that is too long for the writing thread observes maxTimeMS', async () => {
    const error = await rejection(
      things
        .find({ n: { $in: [-1, -2] } })
        .maxTimeMS(1)
        .toArray(),
    );
    expect(error.code).toBe(50);
  });
});

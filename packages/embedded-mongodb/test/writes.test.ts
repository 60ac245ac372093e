import { type Collection, type Document, Long } from 'mongodb';
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
  test('insert preserves the types of values and stores _id first', async () => {
    await things.insertOne({ b: 1, _id: 'x' as never, c: Long.fromString('9007199254740993') });
    const [stored] = await things.find({}, { promoteLongs: false, promoteValues: false }).toArray();
    expect(Object.keys(stored as Document)).toEqual(['_id', 'b', 'c']);
    expect(String(stored?.c)).toBe('9007199254740993');
  });

  test('insert preserves an _id of null', async () => {
    await under.command({ insert: 'things', documents: [{ a: 1, _id: null }] });
    expect(await things.find().toArray()).toEqual([{ _id: null, a: 1 }]);
    expect(
      await rejection(
        things.bulkWrite([{ updateOne: { filter: { _id: null as never }, update: { $set: { _id: 1 } } } }]),
      ),
    ).toMatchObject({ code: 66 });
  });

  test('an ordered batch stops at its first error, an unordered one continues', async () => {
    const documents = [{ _id: 1 }, { _id: 1 }, { _id: 2 }] as Document[];
    const ordered = await rejection(things.insertMany(documents, { ordered: true }));
    expect(ordered).toMatchObject({ code: 11000, result: { insertedCount: 1 } });
    await things.deleteMany({});
    const unordered = await rejection(
      things.insertMany([...documents, { _id: 2 }] as Document[], { ordered: false }),
    );
    expect(unordered.result.insertedCount).toBe(2);
    expect(unordered.writeErrors.map(({ index }: Document) => index)).toEqual([1, 3]);
  });

  test('insert reports the index and the values of a duplicate key', async () => {
    await things.createIndex({ team: 1, email: 1 }, { unique: true });
    await things.insertOne({ team: 't', email: 'a@x' });
    const error = await rejection(things.insertOne({ team: 't', email: 'a@x' }));
    expect(error.errorResponse).toMatchObject({
      code: 11000,
      keyPattern: { team: 1, email: 1 },
      keyValue: { team: 't', email: 'a@x' },
      errmsg:
        'E11000 duplicate key error collection: test.things index: team_1_email_1 dup key: { team: "t", email: "a@x" }',
    });
  });

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
  test('an upsert inserts the equalities of its filter and returns the new _id', async () => {
    const filter = { key: 'k', n: { $gt: 3 } };
    const result = await things.updateOne(
      filter,
      { $set: { a: 1 }, $setOnInsert: { b: 2 } },
      { upsert: true },
    );
    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1 });
    expect(await things.findOne({ _id: result.upsertedId as never })).toMatchObject({ key: 'k', a: 1, b: 2 });
  });

  test('an update without changes counts as matched but not as modified', async () => {
    await things.insertOne({ a: 1 });
    expect(await things.updateOne({ a: 1 }, { $set: { a: 1 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
  });

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

  test('_id cannot be changed', async () => {
    await things.insertOne({ _id: 1 as never });
    expect(await rejection(things.updateOne({}, { $set: { _id: 2 } }))).toMatchObject({ code: 66 });
  });

  test('findAndModify returns the projected first document of the sort, before or after the change', async () => {
    await things.insertMany([
      { _id: 1, n: 1 },
      { _id: 2, n: 2 },
    ] as Document[]);
    const options = { sort: { n: -1 }, projection: { _id: 0, n: 1 } } as const;
    expect(await things.findOneAndUpdate({}, { $inc: { n: 5 } }, options)).toEqual({ n: 2 });
    expect(
      await things.findOneAndUpdate({}, { $inc: { n: 5 } }, { ...options, returnDocument: 'after' }),
    ).toEqual({ n: 12 });
    expect(await things.findOneAndDelete({}, options)).toEqual({ n: 12 });
    expect(
      await things.findOneAndReplace({ n: 9 }, { n: 10 }, { upsert: true, returnDocument: 'after' }),
    ).toMatchObject({ n: 10 });
    expect(await things.countDocuments()).toBe(2);
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

  test('deleteOne removes one matching document, deleteMany removes all', async () => {
    await things.insertMany([{ a: 1 }, { a: 1 }, { a: 1 }, { a: 2 }]);
    expect(await things.deleteOne({ a: 1 })).toMatchObject({ deletedCount: 1 });
    expect(await things.deleteMany({ a: 1 })).toMatchObject({ deletedCount: 2 });
    expect(await things.countDocuments()).toBe(1);
  });

  test('bulkWrite runs all operations and reports each result', async () => {
    const result = await things.bulkWrite([
      { insertOne: { document: { _id: 1 as never, a: 1 } } },
      { updateOne: { filter: { a: 1 }, update: { $set: { b: 1 } } } },
      { updateMany: { filter: {}, update: [{ $set: { c: { $multiply: ['$a', 2] } } }] } },
      { replaceOne: { filter: { x: 1 }, replacement: { x: 1 }, upsert: true } },
      { deleteOne: { filter: { x: 1 } } },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, matchedCount: 2, upsertedCount: 1, deletedCount: 1 });
    expect(await things.find().toArray()).toEqual([{ _id: 1, a: 1, b: 1, c: 2 }]);
  });
});

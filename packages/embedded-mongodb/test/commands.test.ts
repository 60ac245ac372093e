import { type Collection, type Document, Long, MongoClient } from 'mongodb';
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

const ids = (found: Document[]) => found.map(({ _id }) => _id);

describe('the server introduces itself', () => {
  test('as a standalone mongod 7 of wire version 21', async () => {
    const hello = await under.command({ hello: 1 });
    expect(hello).toMatchObject({
      isWritablePrimary: true,
      maxWireVersion: 21,
      maxBsonObjectSize: 16777216,
      maxMessageSizeBytes: 48000000,
      logicalSessionTimeoutMinutes: 30,
      ok: 1,
    });
    expect(hello).not.toHaveProperty('setName');
    expect((await under.command({ buildInfo: 1 })).version).toMatch(/^7\.0\./);
  });

  test('to every small command a client opens with', async () => {
    for (const command of [{ ping: 1 }, { connectionStatus: 1 }, { hostInfo: 1 }, { endSessions: [] }]) {
      expect(await under.command(command)).toMatchObject({ ok: 1 });
    }
    const parameter = { getParameter: 1, featureCompatibilityVersion: 1 };
    expect(await under.command(parameter)).toMatchObject({ featureCompatibilityVersion: { version: '7.0' } });
  });
});

describe('what cannot be done is refused with the code of MongoDB', () => {
  test.each<[string, Document, number]>([
    ['an unknown command', { frobnicate: 1 }, 59],
    ['an unknown field of a command', { find: 'things', filtre: {} }, 40415],
    [
      'an unknown field of an update',
      { update: 'things', updates: [{ q: {}, u: { $set: { a: 1 } }, x: 1 }] },
      40415,
    ],
    ['a missing field', { insert: 'things' }, 40414],
    ['a field of the wrong type', { find: 'things', filter: 'x' }, 14],
    ['a negative limit', { find: 'things', limit: -1 }, 51024],
    ['an empty batch', { insert: 'things', documents: [] }, 16],
    ['an empty collection name', { find: '' }, 73],
    ['a collection name with $', { insert: 'a$b', documents: [{}] }, 73],
    ['a cursor that is not there', { getMore: Long.fromNumber(12345), collection: 'things' }, 43],
    [
      'a transaction',
      { insert: 'things', documents: [{}], lsid: {}, txnNumber: Long.ONE, autocommit: false },
      20,
    ],
    [
      'a write concern of more than one node',
      { insert: 'things', documents: [{}], writeConcern: { w: 2 } },
      2,
    ],
    ['read concern snapshot', { find: 'things', readConcern: { level: 'snapshot' } }, 123],
    ['a capped collection', { create: 'things', capped: true, size: 1000 }, 238],
    ['a view', { create: 'things', viewOn: 'others', pipeline: [] }, 238],
    ['a validator', { create: 'things', validator: { a: 1 } }, 238],
    ['a collation', { find: 'things', collation: { locale: 'en', strength: 2 } }, 238],
    ['a text index', { createIndexes: 'things', indexes: [{ key: { a: 'text' }, name: 'a' }] }, 238],
    ['an index without a name', { createIndexes: 'things', indexes: [{ key: { a: 1 } }] }, 9],
    [
      'an index option that does not exist',
      { createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a', uniq: true }] },
      197,
    ],
    ['a change stream', { aggregate: 'things', pipeline: [{ $changeStream: {} }], cursor: {} }, 40573],
    ['an unknown stage', { aggregate: 'things', pipeline: [{ $frobnicate: {} }], cursor: {} }, 40324],
    ['indexes of a collection that is not there', { listIndexes: 'nothing' }, 26],
    ['a findAndModify without anything to do', { findAndModify: 'things', query: {} }, 9],
  ])('%s', async (_, command, code) => {
    expect(await rejection(under.command(command))).toMatchObject({ code });
  });

  test('$where and $text, never answered wrongly', async () => {
    for (const filter of [{ $where: 'true' }, { $text: { $search: 'x' } }]) {
      expect((await rejection(things.find(filter).toArray())).code).toBeTypeOf('number');
    }
  });

  test('a transaction through the session of the driver', async () => {
    const session = under.client.startSession();
    session.startTransaction();
    const error = await rejection(things.insertOne({}, { session }));
    // The driver puts words of its own around the answer.
    expect(error.originalError).toMatchObject({ code: 20, codeName: 'IllegalOperation' });
    await session.abortTransaction().catch(() => {});
    await session.endSession();
    expect(await things.countDocuments()).toBe(0);
  });
});

describe('insert', () => {
  test('stores every type as it came, with _id first', async () => {
    await things.insertOne({ b: 1, _id: 'x' as never, c: Long.fromString('9007199254740993') });
    const [stored] = await things.find({}, { promoteLongs: false, promoteValues: false }).toArray();
    expect(Object.keys(stored as Document)).toEqual(['_id', 'b', 'c']);
    expect(String(stored?.c)).toBe('9007199254740993');
  });

  test('an ordered batch ends with its first error, an unordered one goes on', async () => {
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

  test('names the index and the values of a duplicate key', async () => {
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

  test('a document above 16 MiB is refused', async () => {
    const text = 'x'.repeat(9 * 1024 * 1024);
    const command = { insert: 'things', documents: [{ a: text, b: text }] };
    expect(await rejection(under.client.db('test').command(command))).toBeDefined();
    expect(await things.countDocuments()).toBe(0);
  });

  test('with w:0 it is not answered, and yet done', async () => {
    await things.insertOne({ _id: 1 as never }, { writeConcern: { w: 0 } });
    await expect.poll(() => things.countDocuments({ _id: 1 as never })).toBe(1);
  });
});

describe('unique indexes', () => {
  test.each<[string, Document, Document, Document, boolean]>([
    ['a missing field is null', {}, {}, { a: null }, true],
    ['numbers are equal whatever their type', {}, { a: 1 }, { a: Long.ONE }, true],
    ['text and number differ', {}, { a: 1 }, { a: '1' }, false],
    ['two documents may not share an array element', {}, { a: [1, 2] }, { a: [2, 3] }, true],
    ['one document may repeat an element', {}, { a: [4, 4] }, { a: [5, 5] }, false],
    ['sparse: missing fields do not clash', { sparse: true }, {}, {}, false],
    ['sparse: null does clash', { sparse: true }, { a: null }, { a: null }, true],
    [
      'partial: only documents within clash',
      { partialFilterExpression: { on: true } },
      { a: 1, on: true },
      { a: 1, on: false },
      false,
    ],
    [
      'partial: documents within do clash',
      { partialFilterExpression: { on: true } },
      { a: 1, on: true },
      { a: 1, on: true },
      true,
    ],
  ])('%s', async (_, options, first, second, clashes) => {
    await things.createIndex({ a: 1 }, { unique: true, ...options });
    await things.insertOne({ ...first });
    const outcome = await things.insertOne({ ...second }).then(
      () => 'stored',
      (error: Document) => error.code,
    );
    expect(outcome).toBe(clashes ? 11000 : 'stored');
  });

  test('an update that would clash changes nothing, neither document nor index', async () => {
    await things.createIndex({ a: 1 }, { unique: true });
    await things.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
    ] as Document[]);
    const error = await rejection(things.updateOne({ _id: 2 as never }, { $set: { a: 1, b: 1 } }));
    expect(error).toMatchObject({ code: 11000, keyValue: { a: 1 } });
    expect(await things.find({ a: 2 }).toArray()).toEqual([{ _id: 2, a: 2 }]);
    expect(await under.command({ validate: 'things' })).toMatchObject({ valid: true });
  });

  test('an index over documents that clash is refused and leaves nothing behind', async () => {
    await things.insertMany([{ a: 1 }, { a: 1 }]);
    expect(await rejection(things.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    await things.createIndex({ a: 1 });
    expect(await things.countDocuments({ a: 1 })).toBe(2);
  });

  test('parallel arrays in a compound index are refused', async () => {
    await things.createIndex({ a: 1, b: 1 });
    expect(await rejection(things.insertOne({ a: [1], b: [2] }))).toMatchObject({ code: 171 });
  });
});

describe('indexes', () => {
  test('are listed as they were made', async () => {
    await things.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await things.createIndex(
      { a: -1, 'b.c': 1 },
      { name: 'mine', partialFilterExpression: { a: { $gt: 0 } } },
    );
    expect(await things.indexes()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 },
      { v: 2, key: { a: -1, 'b.c': 1 }, name: 'mine', partialFilterExpression: { a: { $gt: 0 } } },
    ]);
  });

  test('are the same when made again, and conflict when made otherwise', async () => {
    await things.createIndex({ a: 1 });
    const again = { createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a_1' }] };
    expect(await under.command(again)).toMatchObject({ numIndexesBefore: 2, numIndexesAfter: 2 });
    expect(await rejection(things.createIndex({ a: 1 }, { name: 'other' }))).toMatchObject({ code: 85 });
    expect(await rejection(things.createIndex({ b: 1 }, { name: 'a_1' }))).toMatchObject({ code: 86 });
    expect(await rejection(things.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 86 });
  });

  test('are dropped by name, by key and all but _id_', async () => {
    for (const path of ['a', 'b', 'c', 'd']) await things.createIndex({ [path]: 1 });
    await things.dropIndex('a_1');
    await under.command({ dropIndexes: 'things', index: { b: 1 } });
    expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_', 'c_1', 'd_1']);
    expect(await rejection(things.dropIndex('_id_'))).toMatchObject({ code: 72 });
    expect(await rejection(things.dropIndex('a_1'))).toMatchObject({ code: 27 });
    await things.dropIndexes();
    expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });
});

describe('find', () => {
  beforeEach(async () => {
    await things.insertMany(
      Array.from({ length: 250 }, (_, n) => ({ _id: n as never, n, odd: n % 2 === 1 })),
    );
  });

  test('gives all documents in order of insertion, batch by batch', async () => {
    expect(ids(await things.find().batchSize(7).toArray())).toEqual(Array.from({ length: 250 }, (_, n) => n));
  });

  test('answers 101 first, the rest by getMore, and forgets a cursor that is killed', async () => {
    const first = await under.command({ find: 'things' });
    expect(first.cursor.firstBatch).toHaveLength(101);
    const more = { getMore: Long.fromBigInt(BigInt(first.cursor.id)), collection: 'things', batchSize: 100 };
    expect((await under.command(more)).cursor.nextBatch).toHaveLength(100);
    const killed = await under.command({ killCursors: 'things', cursors: [more.getMore] });
    expect(killed.cursorsKilled).toHaveLength(1);
    expect(await rejection(under.command(more))).toMatchObject({ code: 43 });
  });

  test('a cursor ends with an error when its collection is dropped', async () => {
    const cursor = things.find().batchSize(2);
    await cursor.next();
    await things.drop();
    expect(await rejection(cursor.toArray())).toMatchObject({ code: 175 });
  });

  test('a cursor goes on over documents that are changed and removed meanwhile', async () => {
    const cursor = things.find().batchSize(20);
    await cursor.next();
    await things.deleteMany({ n: { $gte: 200 } });
    const rest = await cursor.toArray();
    expect(rest.length).toBeGreaterThanOrEqual(199);
  });

  test.each<[Document, Document, number[]]>([
    [{ n: { $lt: 3 } }, {}, [0, 1, 2]],
    [{ n: { $lt: 6 }, odd: true }, { sort: { n: -1 } }, [5, 3, 1]],
    [{}, { sort: { odd: 1, n: -1 }, limit: 2 }, [248, 246]],
    [{}, { sort: { n: 1 }, skip: 10, limit: 2 }, [10, 11]],
    [{ $expr: { $eq: ['$n', '$$wanted'] } }, { let: { wanted: 4 } }, [4]],
    [{}, { sort: { $natural: -1 }, limit: 2 }, [249, 248]],
  ])('finds %j with %j', async (filter, options, expected) => {
    expect(ids(await things.find(filter, options).toArray())).toEqual(expected);
  });

  test('maxTimeMS ends a query that takes longer', async () => {
    const slow = {
      find: 'things',
      filter: { $or: Array.from({ length: 3000 }, (_, n) => ({ x: n })) },
      maxTimeMS: 1,
    };
    expect(await rejection(under.command(slow))).toMatchObject({ code: 50 });
  });
});

describe('update, findAndModify and delete', () => {
  test('an upsert takes the equalities of its query and answers the new _id', async () => {
    const filter = { key: 'k', n: { $gt: 3 } };
    const result = await things.updateOne(
      filter,
      { $set: { a: 1 }, $setOnInsert: { b: 2 } },
      { upsert: true },
    );
    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1 });
    expect(await things.findOne({ _id: result.upsertedId as never })).toMatchObject({ key: 'k', a: 1, b: 2 });
  });

  test('an update that changes nothing matches and does not modify', async () => {
    await things.insertOne({ a: 1 });
    expect(await things.updateOne({ a: 1 }, { $set: { a: 1 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
  });

  test('an update of many along the very index it moves them in visits each once', async () => {
    await things.createIndex({ n: 1 });
    await things.insertMany(Array.from({ length: 100 }, (_, n) => ({ n })));
    const result = await things.updateMany({ n: { $gte: 0 } }, { $inc: { n: 50 } });
    expect(result.modifiedCount).toBe(100);
    const found = await things.find().sort({ n: 1 }).toArray();
    expect(found.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n + 50));
  });

  test('the positional $ and arrayFilters change the elements that were meant', async () => {
    await things.insertOne({
      _id: 1 as never,
      lines: [
        { sku: 1, n: 1 },
        { sku: 2, n: 2 },
      ],
    });
    await things.updateOne({ 'lines.sku': 2 }, { $set: { 'lines.$.n': 20 } });
    await things.updateOne({}, { $inc: { 'lines.$[line].n': 5 } }, { arrayFilters: [{ 'line.sku': 1 }] });
    expect((await things.findOne())?.lines).toEqual([
      { sku: 1, n: 6 },
      { sku: 2, n: 20 },
    ]);
  });

  test('_id cannot be changed', async () => {
    await things.insertOne({ _id: 1 as never });
    expect(await rejection(things.updateOne({}, { $set: { _id: 2 } }))).toMatchObject({ code: 66 });
  });

  test('findAndModify gives the document before or after, by sort, projected', async () => {
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

  test('of 50 concurrent conditional changes of one document exactly one succeeds', async () => {
    await things.insertOne({ _id: 1 as never, status: 'pending' });
    const tries = Array.from({ length: 50 }, (_, by) =>
      things.findOneAndUpdate({ _id: 1 as never, status: 'pending' }, { $set: { status: 'taken', by } }),
    );
    expect((await Promise.all(tries)).filter((found) => found !== null)).toHaveLength(1);
  });

  test('500 concurrent increments are all there', async () => {
    await things.insertOne({ _id: 1 as never, n: 0 });
    await Promise.all(
      Array.from({ length: 500 }, () => things.updateOne({ _id: 1 as never }, { $inc: { n: 1 } })),
    );
    expect(await things.findOne()).toEqual({ _id: 1, n: 500 });
  });

  test('deleteOne takes one, deleteMany all that match', async () => {
    await things.insertMany([{ a: 1 }, { a: 1 }, { a: 1 }, { a: 2 }]);
    expect(await things.deleteOne({ a: 1 })).toMatchObject({ deletedCount: 1 });
    expect(await things.deleteMany({ a: 1 })).toMatchObject({ deletedCount: 2 });
    expect(await things.countDocuments()).toBe(1);
  });

  test('bulkWrite mixes them and reports each', async () => {
    const result = await things.bulkWrite([
      { insertOne: { document: { _id: 1 as never, a: 1 } } },
      { updateOne: { filter: { a: 1 }, update: { $set: { b: 1 } } } },
      { updateMany: { filter: {}, update: [{ $set: { c: { $add: ['$a', 1] } } }] } },
      { replaceOne: { filter: { x: 1 }, replacement: { x: 1 }, upsert: true } },
      { deleteOne: { filter: { x: 1 } } },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, matchedCount: 2, upsertedCount: 1, deletedCount: 1 });
    expect(await things.find().toArray()).toEqual([{ _id: 1, a: 1, b: 1, c: 2 }]);
  });
});

describe('count, distinct and aggregate', () => {
  beforeEach(async () => {
    await things.insertMany([
      { _id: 1, team: 'a', n: 1, tags: ['x', 'y'] },
      { _id: 2, team: 'a', n: 2, tags: [] },
      { _id: 3, team: 'b', n: 3, tags: ['y'] },
    ] as Document[]);
  });

  test('count as much as there is', async () => {
    expect(await things.countDocuments({ team: 'a' })).toBe(2);
    expect(await things.estimatedDocumentCount()).toBe(3);
    expect(await under.command({ count: 'things', query: { n: { $gt: 1 } }, skip: 1 })).toMatchObject({
      n: 1,
    });
    expect(await under.client.db('test').collection('nothing').countDocuments()).toBe(0);
  });

  test('distinct opens arrays and leaves out what is missing', async () => {
    expect(await things.distinct('tags')).toEqual(['x', 'y']);
    expect(await things.distinct('team', { n: { $gt: 2 } })).toEqual(['b']);
    expect(await things.distinct('nothing')).toEqual([]);
  });

  test('a pipeline groups what its front has found by index', async () => {
    await things.createIndex({ team: 1, n: 1 });
    const pipeline = [
      { $match: { team: 'a' } },
      { $sort: { n: -1 } },
      { $group: { _id: '$team', all: { $push: '$n' } } },
    ];
    expect(await things.aggregate(pipeline).toArray()).toEqual([{ _id: 'a', all: [2, 1] }]);
    const explained = await under.command({ explain: { aggregate: 'things', pipeline, cursor: {} } });
    expect(explained).toMatchObject({ queryPlanner: { winningPlan: { inputStage: { stage: 'IXSCAN' } } } });
  });

  test('$skip before $limit and $limit before $skip differ', async () => {
    const pages = [
      [{ $sort: { n: 1 } }, { $skip: 1 }, { $limit: 1 }],
      [{ $sort: { n: 1 } }, { $limit: 2 }, { $skip: 1 }],
      [{ $limit: 1 }, { $match: { n: 2 } }],
    ];
    expect(await Promise.all(pages.map(async (page) => ids(await things.aggregate(page).toArray())))).toEqual(
      [[2], [2], []],
    );
  });

  test('$lookup joins by the index of the other collection', async () => {
    await under.client
      .db('test')
      .collection('teams')
      .insertOne({ _id: 'a' as never, name: 'A' });
    const lookup = { $lookup: { from: 'teams', localField: 'team', foreignField: '_id', as: 'teams' } };
    const joined = await things.aggregate([{ $match: { n: 1 } }, lookup]).toArray();
    expect(joined[0]?.teams).toEqual([{ _id: 'a', name: 'A' }]);
  });
});

describe('databases and collections', () => {
  test('come with their first document and go when dropped', async () => {
    await things.insertOne({});
    const database = under.client.db('test');
    expect((await database.listCollections().toArray()).map(({ name }) => name)).toEqual(['things']);
    expect(await rejection(database.createCollection('things'))).toMatchObject({ code: 48 });
    expect(await things.drop()).toBe(true);
    const { databases } = await under.client.db('admin').command({ listDatabases: 1 });
    expect(databases.map(({ name }: Document) => name)).not.toContain('test');
  });

  test('are listed by filter and by name only', async () => {
    const database = under.client.db('test');
    for (const name of ['a', 'b']) await database.createCollection(name);
    const found = await database.listCollections({ name: 'a' }, { nameOnly: true }).toArray();
    expect(found).toEqual([{ name: 'a', type: 'collection' }]);
  });
});

test('a standalone client and one that asks for a direct connection both find it', async () => {
  for (const option of ['', '?directConnection=true']) {
    const client = await new MongoClient(`${under.server.url}/${option}`).connect();
    expect(await client.db('test').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
  }
});

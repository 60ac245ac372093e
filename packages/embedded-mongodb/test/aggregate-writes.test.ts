import { type Collection, type Document, Timestamp } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';

let under: ServerUnderTest;
let source: Collection<Document>;
let target: Collection<Document>;

beforeAll(async () => {
  under = await startForTest();
});

beforeEach(async () => {
  const database = under.client.db('test');
  await database.dropDatabase();
  await under.client.db('other').dropDatabase();
  source = database.collection('source');
  target = database.collection('target');
  await source.insertMany([
    { _id: 1 as never, n: 10 },
    { _id: 2 as never, n: 20 },
  ]);
});

const run = (...pipeline: Document[]) => source.aggregate(pipeline).toArray();
const contentOf = (collection: Collection<Document>) => collection.find().sort({ _id: 1 }).toArray();

describe('$out', () => {
  test('replaces what is there, keeps the indexes, answers nothing', async () => {
    await target.insertOne({ _id: 9 as never, old: true });
    await target.createIndex({ n: 1 }, { unique: true });
    expect(await run({ $match: { n: { $gt: 10 } } }, { $out: 'target' })).toEqual([]);
    expect(await contentOf(target)).toEqual([{ _id: 2, n: 20 }]);
    expect((await target.indexes()).map(({ name }) => name)).toEqual(['_id_', 'n_1']);
  });

  test('leaves everything as it was when a document is refused', async () => {
    await target.insertOne({ _id: 9 as never, old: true });
    await target.createIndex({ n: 1 }, { unique: true });
    expect(await rejection(run({ $set: { n: 1 } }, { $out: 'target' }))).toMatchObject({ code: 11000 });
    expect(await contentOf(target)).toEqual([{ _id: 9, old: true }]);
    expect(await under.client.db('test').listCollections().toArray()).toHaveLength(2);
  });

  test('may write to the collection that it reads, and to another database', async () => {
    await run({ $set: { n: { $add: ['$n', 1] } } }, { $out: 'source' });
    expect(await contentOf(source)).toEqual([
      { _id: 1, n: 11 },
      { _id: 2, n: 21 },
    ]);
    await run({ $out: { db: 'other', coll: 'copy' } });
    expect(await under.client.db('other').collection('copy').countDocuments()).toBe(2);
  });

  test('runs with a batch size of 0', async () => {
    await under.command({ aggregate: 'source', pipeline: [{ $out: 'target' }], cursor: { batchSize: 0 } });
    expect(await target.countDocuments()).toBe(2);
  });
});

describe('$merge', () => {
  beforeEach(async () => {
    await target.insertOne({ _id: 1 as never, kept: true });
  });

  test.each<[string, Document, Document[]]>([
    [
      'merges and inserts',
      {},
      [
        { _id: 1, kept: true, n: 10 },
        { _id: 2, n: 20 },
      ],
    ],
    [
      'replaces',
      { whenMatched: 'replace' },
      [
        { _id: 1, n: 10 },
        { _id: 2, n: 20 },
      ],
    ],
    [
      'keeps what is there',
      { whenMatched: 'keepExisting' },
      [
        { _id: 1, kept: true },
        { _id: 2, n: 20 },
      ],
    ],
    [
      'discards what is not there',
      { whenMatched: 'merge', whenNotMatched: 'discard' },
      [{ _id: 1, kept: true, n: 10 }],
    ],
    [
      'runs a pipeline over what is there, with the new document as $$new',
      { whenMatched: [{ $set: { sum: { $add: ['$$new.n', 1] } } }] },
      [
        { _id: 1, kept: true, sum: 11 },
        { _id: 2, n: 20 },
      ],
    ],
    [
      'runs a pipeline with variables of its own',
      { let: { twice: { $multiply: ['$n', 2] } }, whenMatched: [{ $set: { n: '$$twice' } }] },
      [
        { _id: 1, kept: true, n: 20 },
        { _id: 2, n: 20 },
      ],
    ],
  ])('%s', async (_, options, expected) => {
    expect(await run({ $merge: { into: 'target', ...options } })).toEqual([]);
    expect(await contentOf(target)).toEqual(expected);
  });

  test.each<[string, Document, number]>([
    [
      'a combination of modes that MongoDB has not',
      { whenMatched: 'fail', whenNotMatched: 'discard' },
      51181,
    ],
    ['variables without a pipeline', { let: { a: 1 } }, 51199],
    ['an unknown mode', { whenMatched: 'frobnicate' }, 2],
    ['an unknown field', { frobnicate: 1 }, 40415],
  ])('refuses %s', async (_, options, code) => {
    expect(await rejection(run({ $merge: { into: 'target', ...options } }))).toMatchObject({ code });
  });

  test('finds by other fields with a unique index, which must be there', async () => {
    await target.createIndex({ n: 1 }, { unique: true });
    await target.insertOne({ _id: 7 as never, n: 20 });
    const pipeline = [{ $unset: '_id' }, { $set: { seen: true } }, { $merge: { into: 'target', on: 'n' } }];
    await source.aggregate(pipeline).toArray();
    expect(await target.findOne({ n: 20 })).toEqual({ _id: 7, n: 20, seen: true });
    const without = [{ $project: { _id: 0 } }, { $unset: 'n' }, { $set: { a: 1 } }];
    expect(await rejection(run(...without, { $merge: { into: 'target', on: 'n' } }))).toMatchObject({
      code: 51132,
    });
  });

  test('refuses to change an _id', async () => {
    await target.deleteMany({});
    await target.createIndex({ n: 1 }, { unique: true });
    await target.insertOne({ _id: 7 as never, n: 20 });
    expect(await rejection(run({ $merge: { into: 'target', on: 'n' } }))).toMatchObject({ code: 66 });
  });
});

describe('where they may stand', () => {
  test.each<[Document[], number]>([
    [[{ $merge: 'target' }, { $match: {} }], 40601],
    [[{ $facet: { a: [{ $out: 'target' }] } }], 40600],
    [[{ $lookup: { from: 'target', as: 'a', pipeline: [{ $out: 'target' }] } }], 51047],
    [[{ $unionWith: { coll: 'target', pipeline: [{ $merge: 'target' }] } }], 31441],
    [[{ $out: 'a$b' }], 73],
    [[{ $out: 5 }], 16990],
  ])('%j is refused with %i', async (pipeline, code) => {
    expect(await rejection(run(...pipeline))).toMatchObject({ code });
  });
});

describe('an aggregation of a database', () => {
  const ofDatabase = (...pipeline: Document[]) => under.client.db('test').aggregate(pipeline).toArray();

  test('makes documents of its own, and may write them', async () => {
    expect(await ofDatabase({ $documents: [{ _id: 1, a: { $add: [1, 2] } }] }, { $match: { a: 3 } })).toEqual(
      [{ _id: 1, a: 3 }],
    );
    await ofDatabase({ $documents: [{ _id: 5 }] }, { $merge: 'target' });
    expect(await contentOf(target)).toEqual([{ _id: 5 }]);
  });

  test.each<[Document[], number]>([
    [[], 73],
    [[{ $match: {} }], 73],
    [[{ $documents: 5 }], 5858203],
    [[{ $documents: [] }, { $documents: [] }], 40602],
  ])('%j is refused with %i', async (pipeline, code) => {
    expect(await rejection(ofDatabase(...pipeline))).toMatchObject({ code });
  });

  test('has no place on a collection', async () => {
    expect(await rejection(run({ $documents: [] }))).toMatchObject({ code: 73 });
  });
});

describe('an empty timestamp', () => {
  const empty = new Timestamp({ t: 0, i: 0 });
  const isFilled = (value: Timestamp) => value.t > 1_600_000_000;

  test('at the top level of a new document becomes the time, each its own', async () => {
    await target.insertOne({ _id: empty as never, at: empty, and: empty, within: { at: empty } });
    const stored = await target.findOne();
    expect(stored?._id).toEqual(empty);
    expect(stored?.within.at).toEqual(empty);
    expect(isFilled(stored?.at) && isFilled(stored?.and)).toBe(true);
    expect(stored?.at).not.toEqual(stored?.and);
  });

  test('is filled by a replacement, but not by $set', async () => {
    await source.replaceOne({ _id: 1 as never }, { at: empty });
    await source.updateOne({ _id: 2 as never }, { $set: { at: empty } });
    expect(isFilled((await source.findOne({ _id: 1 as never }))?.at)).toBe(true);
    expect((await source.findOne({ _id: 2 as never }))?.at).toEqual(empty);
  });
});

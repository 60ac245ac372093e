import { BSON, type Document } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, expectFields, expectSame } from './support/values.ts';

const ground = prepareGround('collation');

const WORDS = ['apple', 'Apple', 'äpple', 'banana', 'Banana', 'cherry', 'item10', 'item9'];
const PRIMARY = { locale: 'en', strength: 1 };
const SECONDARY = { locale: 'en', strength: 2 };
const TERTIARY = { locale: 'en' };

const insert = (name: string) =>
  ground.database
    .collection<Document>(name)
    .insertMany(WORDS.map((word, _id) => ({ _id, word })) as Document[]);
const ids = (documents: Document[]) => documents.map(({ _id }) => Number(_id));

describe('a query with a collation', () => {
  beforeEach(async () => {
    await insert('things');
  });

  test.each<[Document, Document, number[]]>([
    [{ word: 'APPLE' }, PRIMARY, [0, 1, 2]],
    [{ word: 'APPLE' }, SECONDARY, [0, 1]],
    [{ word: 'APPLE' }, TERTIARY, []],
    [{ word: 'apple' }, { locale: 'simple' }, [0]],
    [{ word: { $in: ['BANANA', 'cherry'] } }, SECONDARY, [3, 4, 5]],
    [{ word: { $ne: 'APPLE' } }, SECONDARY, [2, 3, 4, 5, 6, 7]],
    [{ word: { $gt: 'BANANA' } }, SECONDARY, [5, 6, 7]],
    [{ word: { $gte: 'item10' } }, { locale: 'en', numericOrdering: true }, [6]],
    [{ word: /^app/ }, SECONDARY, [0]],
    [{ $expr: { $eq: ['$word', 'APPLE'] } }, SECONDARY, [0, 1]],
  ])('%j %j', async (filter, collation, expected) => {
    for (const index of [undefined, { word: 1 }, 'collated']) {
      if (index === 'collated')
        await ground.things.createIndex({ word: 1 }, { name: 'c', collation: SECONDARY });
      else if (index !== undefined) await ground.things.createIndex({ word: 1 });
      const found = await ground.things.find(filter, { collation: collation as never }).toArray();
      expect(ids(found).sort((a, b) => a - b)).toEqual(expected);
    }
  });

  test.each<[Document, string[]]>([
    [{ locale: 'en' }, ['apple', 'Apple', 'äpple', 'banana', 'Banana', 'cherry', 'item10', 'item9']],
    [
      { locale: 'en', numericOrdering: true },
      ['apple', 'Apple', 'äpple', 'banana', 'Banana', 'cherry', 'item9', 'item10'],
    ],
    [{ locale: 'sv' }, ['apple', 'Apple', 'banana', 'Banana', 'cherry', 'item10', 'item9', 'äpple']],
    [{ locale: 'simple' }, ['Apple', 'Banana', 'apple', 'banana', 'cherry', 'item10', 'item9', 'äpple']],
  ])('sorts by %j', async (collation, expected) => {
    const found = await ground.things
      .find({}, { sort: { word: 1 }, collation: collation as never })
      .toArray();
    expect(found.map(({ word }) => word)).toEqual(expected);
  });

  test('holds for count, distinct, update, delete, findAndModify and aggregate', async () => {
    const collation = SECONDARY;
    expectFields(await ground.command({ count: 'things', query: { word: 'APPLE' }, collation }), { n: 2 });
    expect((await ground.command({ distinct: 'things', key: 'word', collation })).values).toHaveLength(6);
    const grouped = await ground.things.aggregate([{ $group: { _id: '$word' } }], { collation }).toArray();
    expect(grouped).toHaveLength(6);
    const updates = [{ q: { word: 'APPLE' }, u: { $set: { hit: 1 } }, multi: true, collation }];
    expectFields(await ground.command({ update: 'things', updates }), { n: 2 });
    const query = { word: 'CHERRY' };
    const modified = await ground.command({
      findAndModify: 'things',
      query,
      update: { $set: { hit: 2 } },
      collation,
    });
    expectSame(modified.value, { _id: 5, word: 'cherry' });
    const deletes = [{ q: { word: 'BANANA' }, limit: 0, collation }];
    expectFields(await ground.command({ delete: 'things', deletes }), { n: 2 });
  });
});

describe('a collection with a collation', () => {
  beforeEach(async () => {
    await ground.command({ create: 'things', collation: SECONDARY });
    await insert('things');
  });

  test('compares by it unless told otherwise', async () => {
    expect(ids(await ground.things.find({ word: 'APPLE' }).toArray())).toEqual([0, 1]);
    const simple = await ground.things.find({ word: 'APPLE' }, { collation: { locale: 'simple' } }).toArray();
    expect(ids(simple)).toEqual([]);
  });

  test('gives it to its indexes', async () => {
    await ground.things.deleteMany({ _id: { $in: [1, 4] } as never });
    await ground.things.createIndex({ word: 1 }, { unique: true });
    expect(await codeOf(ground.things.insertOne({ word: 'CHERRY' }))).toBe(11000);
    const [, index] = await ground.things.indexes();
    expect(index?.collation).toMatchObject({ locale: 'en' });
  });

  test('compares its _id by it', async () => {
    await ground.things.insertOne({ _id: 'Key' as never });
    expect(await codeOf(ground.things.insertOne({ _id: 'KEY' as never }))).toBe(11000);
    expect(await ground.things.find({ _id: 'kEY' as never }).toArray()).toHaveLength(1);
  });
});

test('a unique index with a collation refuses what compares equal', async () => {
  await ground.things.createIndex({ a: 1 }, { unique: true, collation: SECONDARY });
  await ground.things.insertOne({ a: 'x' });
  expect(await codeOf(ground.things.insertOne({ a: 'X' }))).toBe(11000);
  await ground.things.insertOne({ a: 'y' });
});

test.each<[Document, number]>([
  [{ locale: 'xx' }, 2],
  [{ locale: 5 }, 14],
  [{ locale: 'simple', strength: 2 }, 2],
  [{ locale: 'en', foo: 1 }, 40415],
])(`the collation %j is refused with %i`, async (collation, code) => {
  await ground.things.insertOne({ a: 1 });
  const index = { key: { a: 1 }, name: 'a', collation };
  expect(await codeOf(ground.command({ createIndexes: 'things', indexes: [index] }))).toBe(code);
});

test('values that are no text are compared as ever', async () => {
  const values = [1, BSON.Long.ONE, null, true, new Date(0)];
  await ground.things.insertMany(values.map((a, _id) => ({ _id, a })) as Document[]);
  const found = await ground.things.find({ a: 1 }, { collation: SECONDARY as never }).toArray();
  expect(ids(found)).toEqual([0, 1]);
});

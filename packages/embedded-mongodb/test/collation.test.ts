import type { Collection, Document } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';

let under: ServerUnderTest;
let words: Collection<Document>;

/** Case is ignored, accents are not. */
const CASE_INSENSITIVE = { locale: 'en', strength: 2 };

beforeAll(async () => {
  under = await startForTest();
});

beforeEach(async () => {
  await under.client.db('test').dropDatabase();
  words = under.client.db('test').collection('words');
});

const insert = (...texts: string[]) =>
  words.insertMany(texts.map((word, index) => ({ _id: (index + 1) as never, word })));
const textsOf = (found: Document[]) => found.map(({ word }) => word);

describe('an update with a collation', () => {
  test('compares array filters, $pull, $addToSet, $push and $min by it', async () => {
    const collation = CASE_INSENSITIVE;
    const filter = { _id: 9 as never };
    await words.insertOne({ ...filter, tags: ['a', 'B'], least: 'b' });
    await words.updateOne(filter, { $addToSet: { tags: 'b' }, $min: { least: 'B' } } as never, { collation });
    const arrayFilters = [{ tag: 'b' }];
    await words.updateOne(filter, { $set: { 'tags.$[tag]': 'z' } }, { collation, arrayFilters });
    await words.updateOne(filter, { $pull: { tags: 'A' } } as never, { collation });
    const push = { tags: { $each: ['Y', 'x'], $sort: 1 } };
    await words.updateOne(filter, { $push: push } as never, { collation });
    expect(await words.findOne(filter)).toEqual({ _id: 9, tags: ['x', 'Y', 'z'], least: 'b' });
  });
});

describe('an index with a collation', () => {
  const stageOf = async (filter: Document, collation?: Document) => {
    const explained = await words
      .find(filter, collation && { collation: collation as never })
      .explain('queryPlanner');
    return explained.queryPlanner.winningPlan.inputStage?.stage ?? explained.queryPlanner.winningPlan.stage;
  };

  test('serves strings only to queries of its own collation, other values to all', async () => {
    await words.createIndex({ word: 1 }, { collation: CASE_INSENSITIVE });
    await insert('Ping', 'pong');
    expect(await stageOf({ word: 'ping' }, CASE_INSENSITIVE)).toBe('IXSCAN');
    expect(await stageOf({ word: 'ping' }, { locale: 'en', strength: 1 })).toBe('COLLSCAN');
    expect(await stageOf({ word: 'ping' })).toBe('COLLSCAN');
    expect(await stageOf({ word: 5 })).toBe('IXSCAN');
  });

  test.each([
    ['Ping', 'pING'],
    ['straße', 'STRASSE'],
    ['école', 'ÉCOLE'],
    ['e\u0301cole', 'École'],
    ['a\u00adb', 'AB'],
    ['ひらがな', 'ヒラガナ'],
    ['Ωμέγα', 'ΩΜΈΓΑ'],
  ])('finds and holds unique %j and %j as the collation compares them', async (one, other) => {
    const strength = one === 'straße' ? 1 : 2;
    const collation = { locale: 'en', strength };
    await words.createIndex({ word: 1 }, { unique: true, collation });
    await insert('unlike', 'unähnlich', one);
    expect(textsOf(await words.find({ word: other }, { collation }).toArray())).toEqual([one]);
    expect(textsOf(await words.find({ word: { $in: ['-', other] } }, { collation }).toArray())).toEqual([
      one,
    ]);
    expect(await rejection(words.insertOne({ word: other }))).toMatchObject({ code: 11000 });
    expect(await rejection(words.updateOne({ word: 'unlike' }, { $set: { word: other } }))).toMatchObject({
      code: 11000,
    });
    await words.updateOne({ word: one }, { $set: { word: other } });
    expect(await words.countDocuments()).toBe(3);
  });

  test('tells strings apart that it keeps under one key', async () => {
    await words.createIndex({ word: 1 }, { unique: true, collation: CASE_INSENSITIVE });
    await insert('½', '¼', 'ﬁ', '🙂', '🙃');
    expect(await words.countDocuments({ word: '🙂' }, { collation: CASE_INSENSITIVE })).toBe(1);
    expect(await rejection(words.insertOne({ word: ['¾', '¼'] }))).toMatchObject({ code: 11000 });
    expect(await under.command({ validate: 'words' })).toMatchObject({ valid: true });
  });

  test('is not used for a sort, which is right all the same', async () => {
    await words.createIndex({ word: 1 }, { collation: CASE_INSENSITIVE });
    await insert('b', 'A', 'ß', 'a', 'B');
    const sorted = await words.find().collation(CASE_INSENSITIVE).sort({ word: 1 }).toArray();
    expect(textsOf(sorted)).toEqual(['A', 'a', 'b', 'B', 'ß']);
  });

  test('may stand beside one of another collation on the same field', async () => {
    await words.createIndex({ word: 1 });
    await words.createIndex({ word: 1 }, { name: 'ci', collation: CASE_INSENSITIVE });
    expect(await words.indexes()).toHaveLength(3);
    expect(
      await rejection(words.createIndex({ word: 1 }, { name: 'other', collation: CASE_INSENSITIVE })),
    ).toMatchObject({ code: 85 });
  });
});

describe('a collection with a collation', () => {
  beforeEach(async () => {
    await under.client.db('test').createCollection('words', { collation: CASE_INSENSITIVE });
  });

  test('passes it on to its indexes, and compares so in aggregations', async () => {
    await insert('Ping', 'pong');
    await words.createIndex({ word: 1 }, { unique: true });
    expect(await words.aggregate([{ $match: { word: 'PONG' } }]).toArray()).toHaveLength(1);
    expect((await words.indexes())[1]).toMatchObject({ collation: { locale: 'en', strength: 2 } });
    expect(await rejection(words.insertOne({ word: 'PONG' }))).toMatchObject({ code: 11000 });
  });

  test('keeps its _ids unique so, and shows it', async () => {
    await words.insertOne({ _id: 'One' as never });
    expect(await rejection(words.insertOne({ _id: 'ONE' as never }))).toMatchObject({ code: 11000 });
    expect(await words.findOne({ _id: 'one' as never })).toEqual({ _id: 'One' });
    const [listed] = await under.client.db('test').listCollections().toArray();
    expect(listed).toMatchObject({ options: { collation: { locale: 'en', strength: 2 } } });
  });
});

describe('refusals', () => {
  test.each([
    [{ locale: 'simple', strength: 1 }, 2],
    [{ strength: 1 }, 40414],
    [{ locale: 'en', strength: 'x' }, 14],
    [{ locale: 'en', strength: 4 }, 238],
    [{ locale: 'en', alternate: 'shifted' }, 238],
    [{ locale: 'en', caseFirst: 'upper' }, 238],
    [{ locale: 'de@collation=phonebook' }, 238],
  ])('%j is refused with %i', async (collation, code) => {
    const asked = words.find({ a: 'b' }, { collation: collation as never }).toArray();
    expect(await rejection(asked)).toMatchObject({ code });
  });
});

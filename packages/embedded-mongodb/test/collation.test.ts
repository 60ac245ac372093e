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

describe('a query with a collation', () => {
  beforeEach(() => insert('Ping', 'ping', 'pong', 'píng', 'PING'));

  test.each([
    [1, ['Ping', 'ping', 'píng', 'PING']],
    [2, ['Ping', 'ping', 'PING']],
    [3, ['ping']],
  ] as const)('of strength %i finds what is equal at that strength', async (strength, expected) => {
    const found = await words.find({ word: 'ping' }, { collation: { locale: 'en', strength } }).toArray();
    expect(textsOf(found)).toEqual(expected);
  });

  test('finds by $in, $ne, ranges, $elemMatch and within documents', async () => {
    const count = (filter: Document) => words.countDocuments(filter, { collation: CASE_INSENSITIVE });
    expect(await count({ word: { $in: ['PONG', 'píNG'] } })).toBe(2);
    expect(await count({ word: { $ne: 'PING' } })).toBe(2);
    expect(await count({ word: { $gt: 'PING', $lte: 'PONG' } })).toBe(2);
    await words.insertOne({ list: ['a', 'B'], inner: { text: 'Abc' } });
    expect(await count({ list: 'b' })).toBe(1);
    expect(await count({ list: { $elemMatch: { $eq: 'A' } } })).toBe(1);
    expect(await count({ inner: { text: 'aBC' } })).toBe(1);
    expect(await count({ $expr: { $eq: ['$inner.text', 'ABC'] } })).toBe(1);
  });

  test('leaves regular expressions alone', async () => {
    expect(await words.countDocuments({ word: /^ping/ }, { collation: CASE_INSENSITIVE })).toBe(1);
  });

  test('sorts as the language does, equal strings in the order they came in', async () => {
    await words.deleteMany({});
    await insert('b', 'B', 'ä', 'a', 'z', 'A');
    const sorted = (collation: Document) =>
      words
        .find()
        .sort({ word: 1 })
        .collation(collation as never)
        .toArray();
    expect(textsOf(await sorted({ locale: 'en' }))).toEqual(['a', 'A', 'ä', 'b', 'B', 'z']);
    expect(textsOf(await sorted({ locale: 'en', strength: 1 }))).toEqual(['ä', 'a', 'A', 'b', 'B', 'z']);
    expect(textsOf(await sorted({ locale: 'sv' }))).toEqual(['a', 'A', 'b', 'B', 'z', 'ä']);
    expect(textsOf(await sorted({ locale: 'simple' }))).toEqual(['A', 'B', 'a', 'b', 'z', 'ä']);
  });

  test('sorts numbers within strings by value where numericOrdering asks for it', async () => {
    await words.deleteMany({});
    await insert('v10', 'v9', 'v1');
    const sorted = words.find().sort({ word: 1 }).collation({ locale: 'en', numericOrdering: true });
    expect(textsOf(await sorted.toArray())).toEqual(['v1', 'v9', 'v10']);
  });

  test('updates, deletes and finds to modify what is equal', async () => {
    const collation = CASE_INSENSITIVE;
    const updated = await words.updateMany({ word: 'PING' }, { $set: { seen: true } }, { collation });
    expect(updated.modifiedCount).toBe(3);
    const changed = await words.findOneAndUpdate({ word: 'PONG' }, { $set: { seen: 1 } }, { collation });
    expect(changed).toMatchObject({ word: 'pong' });
    expect((await words.deleteMany({ word: 'PinG' }, { collation })).deletedCount).toBe(3);
    expect(textsOf(await words.find().toArray())).toEqual(['pong', 'píng']);
  });

  test('compares array filters, $pull, $addToSet and $min with it', async () => {
    const collation = CASE_INSENSITIVE;
    await words.insertOne({ _id: 9 as never, tags: ['a', 'B'] });
    await words.updateOne({ _id: 9 as never }, { $addToSet: { tags: 'b' } }, { collation });
    await words.updateOne(
      { _id: 9 as never },
      { $set: { 'tags.$[tag]': 'changed' } },
      { collation, arrayFilters: [{ tag: 'b' }] },
    );
    await words.updateOne({ _id: 9 as never }, { $pull: { tags: 'A' } as never }, { collation });
    expect(await words.findOne({ _id: 9 as never })).toEqual({ _id: 9, tags: ['changed'] });
  });

  test('gives each distinct value once, the first that came', async () => {
    expect(await words.distinct('word', {}, { collation: CASE_INSENSITIVE })).toEqual([
      'Ping',
      'pong',
      'píng',
    ]);
  });

  test('groups, matches, sorts and compares in a pipeline', async () => {
    const result = await words
      .aggregate(
        [
          { $group: { _id: '$word', n: { $sum: 1 } } },
          { $match: { _id: { $in: ['PING', 'PONG'] } } },
          { $set: { isPing: { $eq: ['$_id', 'pING'] } } },
          { $sort: { _id: -1 } },
        ],
        { collation: CASE_INSENSITIVE },
      )
      .toArray();
    expect(result).toEqual([
      { _id: 'pong', n: 1, isPing: false },
      { _id: 'Ping', n: 3, isPing: true },
    ]);
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

  test('is shown with all its options', async () => {
    await words.createIndex({ word: 1 }, { collation: CASE_INSENSITIVE });
    expect((await words.indexes())[1]).toMatchObject({
      collation: {
        locale: 'en',
        caseLevel: false,
        caseFirst: 'off',
        strength: 2,
        numericOrdering: false,
        alternate: 'non-ignorable',
        maxVariable: 'punct',
        normalization: false,
        backwards: false,
        version: '57.1',
      },
    });
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

  test('compares so wherever nothing else is said, in its indexes too', async () => {
    await insert('Ping', 'pong');
    await words.createIndex({ word: 1 }, { unique: true });
    expect(await words.countDocuments({ word: 'PING' })).toBe(1);
    expect(await words.countDocuments({ word: 'PING' }, { collation: { locale: 'simple' } })).toBe(0);
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
    [{ locale: 'xx' }, 2],
    [{ locale: 'en', strength: 9 }, 2],
    [{ locale: 'simple', strength: 1 }, 2],
    [{ strength: 1 }, 40414],
    [{ locale: 'en', colour: 1 }, 40415],
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

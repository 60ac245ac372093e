import type { CollationOptions, Document } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, expectFields, expectSame, int } from './support/values.ts';

const ground = prepareGround('collation');

/** Case is ignored, accents are not. */
const CASE_INSENSITIVE: CollationOptions = { locale: 'en', strength: 2 };

const insert = (...texts: string[]) =>
  ground.things.insertMany(texts.map((word, index) => ({ _id: int(index + 1) as never, word })));

async function wordsFound(filter: Document, collation?: CollationOptions): Promise<string[]> {
  const found = ground.things.find(filter, collation && { collation });
  return (await found.sort({ _id: 1 }).toArray()).map(({ word }) => word);
}

describe('an operation with a collation', () => {
  beforeEach(() => insert('Ping', 'ping', 'pong', 'píng', 'PING'));

  test.each<[Document, CollationOptions, string[]]>([
    [{ word: 'ping' }, { locale: 'simple' }, ['ping']],
    [{ word: 'ping' }, { locale: 'en', strength: 1 }, ['Ping', 'ping', 'píng', 'PING']],
    [{ word: 'ping' }, CASE_INSENSITIVE, ['Ping', 'ping', 'PING']],
    [{ word: 'ping' }, { locale: 'en' }, ['ping']],
    [{ word: { $in: ['PONG', 'x'] } }, CASE_INSENSITIVE, ['pong']],
    [{ word: { $ne: 'PING' } }, CASE_INSENSITIVE, ['pong', 'píng']],
    [{ word: { $gt: 'PING', $lte: 'PONG' } }, CASE_INSENSITIVE, ['pong', 'píng']],
    [{ $expr: { $eq: ['$word', 'PONG'] } }, CASE_INSENSITIVE, ['pong']],
    [{ word: /^ping/ }, CASE_INSENSITIVE, ['ping']],
  ])('%j by %j finds %j', async (filter, collation, expected) => {
    expect(await wordsFound(filter, collation)).toEqual(expected);
    expectSame(await ground.things.countDocuments(filter, { collation }), expected.length);
  });

  test('gives distinct values and groups by it', async () => {
    const distinct = await ground.things.distinct('word', {}, { collation: CASE_INSENSITIVE });
    expect(distinct.map((word) => word.toLowerCase()).sort()).toEqual(['ping', 'pong', 'píng']);
    const pipeline = [{ $group: { _id: '$word', n: { $sum: 1 } } }, { $match: { _id: 'PING' } }];
    const [group] = await ground.things.aggregate(pipeline, { collation: CASE_INSENSITIVE }).toArray();
    expectSame(group?.n, 3);
  });

  test('updates, deletes and modifies by it', async () => {
    const collation = CASE_INSENSITIVE;
    const updated = await ground.things.updateMany({ word: 'PING' }, { $set: { a: 1 } }, { collation });
    expectSame(updated.modifiedCount, 3);
    expect((await ground.things.findOneAndDelete({ word: 'PONG' }, { collation }))?.word).toBe('pong');
    expectSame((await ground.things.deleteMany({ word: 'pinG' }, { collation })).deletedCount, 3);
  });

  test('compares array filters, $pull and $addToSet by it', async () => {
    const collation = CASE_INSENSITIVE;
    const filter = { _id: int(9) as never };
    await ground.things.insertOne({ ...filter, tags: ['a', 'B'] });
    await ground.things.updateOne(filter, { $addToSet: { tags: 'b' } } as never, { collation });
    const arrayFilters = [{ tag: 'b' }];
    await ground.things.updateOne(filter, { $set: { 'tags.$[tag]': 'c' } }, { collation, arrayFilters });
    await ground.things.updateOne(filter, { $pull: { tags: 'A' } } as never, { collation });
    expectSame(await ground.things.findOne(filter), { _id: 9, tags: ['c'] });
  });
});

describe('sorting', () => {
  test.each<[CollationOptions, string[], string[]]>([
    [{ locale: 'en' }, ['b', 'B', 'ä', 'a', 'z', 'A'], ['a', 'A', 'ä', 'b', 'B', 'z']],
    [{ locale: 'sv' }, ['ä', 'z', 'a'], ['a', 'z', 'ä']],
    [{ locale: 'en', numericOrdering: true }, ['v10', 'v9', 'v1'], ['v1', 'v9', 'v10']],
    [{ locale: 'simple' }, ['b', 'B', 'a'], ['B', 'a', 'b']],
  ])('by %j puts %j as %j', async (collation, texts, expected) => {
    await insert(...texts);
    const sorted = await ground.things.find().sort({ word: 1 }).collation(collation).toArray();
    expect(sorted.map(({ word }) => word)).toEqual(expected);
  });
});

describe('an index with a collation', () => {
  test('keeps values unique by it', async () => {
    await ground.things.createIndex({ word: 1 }, { unique: true, collation: CASE_INSENSITIVE });
    await insert('Ping', 'straße');
    expect(await codeOf(ground.things.insertOne({ word: 'PING' }))).toBe(11000);
    await ground.things.insertOne({ word: 'píng' });
    expect(await wordsFound({ word: 'STRASSE' }, { locale: 'en', strength: 1 })).toEqual(['straße']);
  });

  test('shows all its options', async () => {
    await ground.things.createIndex({ word: 1 }, { collation: CASE_INSENSITIVE });
    const [, index] = await ground.things.indexes();
    expectFields(index?.collation as never, {
      locale: 'en',
      caseLevel: false,
      caseFirst: 'off',
      strength: 2,
      numericOrdering: false,
      alternate: 'non-ignorable',
      maxVariable: 'punct',
      normalization: false,
      backwards: false,
    });
  });
});

describe('a collection with a collation', () => {
  test('compares so unless told otherwise, in its indexes too', async () => {
    await ground.database.createCollection('things', { collation: CASE_INSENSITIVE });
    await insert('Ping');
    await ground.things.createIndex({ word: 1 }, { unique: true });
    expect(await wordsFound({ word: 'PING' })).toEqual(['Ping']);
    expect(await wordsFound({ word: 'PING' }, { locale: 'simple' })).toEqual([]);
    expect(await codeOf(ground.things.insertOne({ word: 'ping' }))).toBe(11000);
    await ground.things.insertOne({ _id: 'One' as never });
    expect(await codeOf(ground.things.insertOne({ _id: 'ONE' as never }))).toBe(11000);
  });
});

describe('refusals', () => {
  test.each<[Document, number]>([
    [{ locale: 'klingon' }, 2],
    [{ locale: 'en', strength: 9 }, 2],
    [{ locale: 'en', colour: 1 }, 40415],
  ])('%j is refused with %i', async (collation, code) => {
    expect(await codeOf(ground.command({ find: 'things', collation }))).toBe(code);
  });
});

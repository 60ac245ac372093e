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

describe('unique indexes', () => {
  test.each<[string, Document, Document, Document, boolean]>([
    ['treats a missing field as null', {}, {}, { a: null }, true],
    ['compares numbers of different types', {}, { a: 1 }, { a: Long.ONE }, true],
    ['distinguishes a string from a number', {}, { a: 1 }, { a: '1' }, false],
    ['rejects an array element of another document', {}, { a: [1, 2] }, { a: [2, 3] }, true],
    ['accepts repeated elements in one document', {}, { a: [4, 4] }, { a: [5, 5] }, false],
    [
      'ignores documents outside its partial filter',
      { partialFilterExpression: { on: true } },
      { a: 1, on: true },
      { a: 1, on: false },
      false,
    ],
    [
      'rejects equal documents inside its partial filter',
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

  test('unique indexes reject an update without changing the document or an index', async () => {
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

  test('unique indexes are not created if documents have equal keys', async () => {
    await things.insertMany([{ a: 1 }, { a: 1 }]);
    expect(await rejection(things.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    await things.createIndex({ a: 1 });
    expect(await things.countDocuments({ a: 1 })).toBe(2);
  });

  test('unique indexes reject parallel arrays in a compound index', async () => {
    await things.createIndex({ a: 1, b: 1 });
    expect(await rejection(things.insertOne({ a: [1], b: [2] }))).toMatchObject({ code: 171 });
  });
});

describe('a partial index', () => {
  test.each<[string, Document, number]>([
    ['gains a document whose filtered field comes to match', { $set: { 'on.x': true } }, 2],
    ['loses a document whose filtered field no longer matches', { $set: { on: null } }, 0],
    ['follows a change of the indexed field', { $set: { a: 3 } }, 1],
    ['ignores a change of other fields', { $set: { b: 1 } }, 1],
  ])('%s', async (_, change, entries) => {
    await things.createIndex({ a: 1 }, { name: 'partial', partialFilterExpression: { 'on.x': true } });
    await things.insertMany([
      { a: 1, on: { x: true } },
      { a: 2, on: { x: false } },
    ]);
    await things.updateMany({}, change);
    const found = await things.find({ 'on.x': true }).hint('partial').toArray();
    expect(found).toHaveLength(entries);
    expect(await under.command({ validate: 'things' })).toMatchObject({ valid: true });
  });
});

test('indexes are listed as created', async () => {
  await things.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  await things.createIndex({ a: -1, 'b.c': 1 }, { name: 'mine', partialFilterExpression: { a: { $gt: 0 } } });
  expect(await things.indexes()).toEqual([
    { v: 2, key: { _id: 1 }, name: '_id_' },
    { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 },
    { v: 2, key: { a: -1, 'b.c': 1 }, name: 'mine', partialFilterExpression: { a: { $gt: 0 } } },
  ]);
});

test('indexes are created once and conflict with different indexes of the same name or key', async () => {
  await things.createIndex({ a: 1 });
  const again = { createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a_1' }] };
  expect(await under.command(again)).toMatchObject({ numIndexesBefore: 2, numIndexesAfter: 2 });
  expect(await rejection(things.createIndex({ a: 1 }, { name: 'other' }))).toMatchObject({ code: 85 });
  expect(await rejection(things.createIndex({ b: 1 }, { name: 'a_1' }))).toMatchObject({ code: 86 });
  expect(await rejection(things.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 86 });
});

test('indexes are dropped by name, by key, and all except _id_', async () => {
  for (const path of ['a', 'b', 'c', 'd']) await things.createIndex({ [path]: 1 });
  await things.dropIndex('a_1');
  await under.command({ dropIndexes: 'things', index: { b: 1 } });
  expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_', 'c_1', 'd_1']);
  expect(await rejection(things.dropIndex('_id_'))).toMatchObject({ code: 72 });
  expect(await rejection(things.dropIndex('a_1'))).toMatchObject({ code: 27 });
  await things.dropIndexes();
  expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_']);
});

test('indexes are not dropped by a key that two of them share', async () => {
  await things.createIndex({ a: 1 });
  await things.createIndex({ a: 1 }, { name: 'unique', unique: true });
  expect(await rejection(under.command({ dropIndexes: 'things', index: { a: 1 } }))).toMatchObject({
    code: 181,
    codeName: 'AmbiguousIndexKeyPattern',
  });
  expect(await things.indexes()).toHaveLength(3);
});

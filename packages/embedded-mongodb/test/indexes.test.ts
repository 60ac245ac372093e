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

test('indexes are not dropped by a key that two of them share', async () => {
  await things.createIndex({ a: 1 });
  await things.createIndex({ a: 1 }, { name: 'unique', unique: true });
  expect(await rejection(under.command({ dropIndexes: 'things', index: { a: 1 } }))).toMatchObject({
    code: 181,
    codeName: 'AmbiguousIndexKeyPattern',
  });
  expect(await things.indexes()).toHaveLength(3);
});

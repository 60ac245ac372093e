import type { Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, decimal, double, expectFields, expectSame, long } from './support/values.ts';

const ground = prepareGround('indexes');

const create = (key: Document, options: Document = {}) =>
  ground.command({
    createIndexes: 'things',
    indexes: [{ key, name: Object.entries(key).flat().join('_'), ...options }],
  });
const indexNames = async () => (await ground.things.indexes()).map(({ name }) => name);

describe('a unique index', () => {
  test.each<[key: Document, options: Document, first: Document, second: Document, clashes: boolean]>([
    [{ a: 1 }, {}, { a: 1 }, { a: 1 }, true],
    [{ a: 1 }, {}, { a: 1 }, { a: 2 }, false],
    [{ a: 1 }, {}, { a: 1 }, { a: long(1) }, true],
    [{ a: 1 }, {}, { a: 1 }, { a: decimal('1.0') }, true],
    [{ a: 1 }, {}, { a: 1 }, { a: double(1) }, true],
    [{ a: 1 }, {}, { a: 1 }, { a: '1' }, false],
    [{ a: 1 }, {}, {}, {}, true],
    [{ a: 1 }, {}, {}, { a: null }, true],
    [{ a: 1 }, {}, { a: [1, 2] }, { a: [2, 3] }, true],
    [{ a: 1 }, {}, { a: [1, 2] }, { a: 2 }, true],
    [{ a: 1 }, {}, { a: [4, 4] }, { a: [5, 5] }, false],
    [{ a: 1 }, {}, { a: [] }, { a: [] }, true],
    [{ a: 1 }, {}, { a: { x: 1, y: 1 } }, { a: { y: 1, x: 1 } }, false],
    [{ a: 1 }, {}, { a: { x: 1 } }, { a: { x: 1 } }, true],
    [{ a: -1 }, {}, { a: 'x' }, { a: 'x' }, true],
    [{ 'a.b': 1 }, {}, { a: { b: 1 } }, { a: [{ b: 1 }] }, true],
    [{ 'a.b': 1 }, {}, { a: { c: 1 } }, { x: 1 }, true],
    [{ a: 1, b: 1 }, {}, { a: 1, b: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 1 }, {}, { a: 1, b: 1 }, { a: 1, b: 1, c: 1 }, true],
    [{ a: 1, b: 1 }, {}, { a: 1 }, { a: 1, b: null }, true],
    [{ a: 1 }, { partialFilterExpression: { on: true } }, { a: 1, on: true }, { a: 1 }, false],
    [{ a: 1 }, { partialFilterExpression: { on: true } }, { a: 1, on: true }, { a: 1, on: true }, true],
    [{ a: 1 }, { partialFilterExpression: { a: { $exists: true } } }, {}, {}, false],
    [{ a: 1 }, { partialFilterExpression: { n: { $gt: 5 } } }, { a: 1, n: 6 }, { a: 1, n: 5 }, false],
  ])('%j %j: %j and %j', async (key, options, first, second, clashes) => {
    await create(key, { unique: true, ...options });
    const { n } = await ground.command({ insert: 'things', documents: [first, second] });
    expectSame(n, clashes ? 1 : 2);
  });

  test('a unique index applies to updates, even after a rejected one', async () => {
    await create({ a: 1 }, { unique: true });
    await ground.things.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
    ] as Document[]);
    expect(await codeOf(ground.things.updateOne({ _id: 2 as never }, { $set: { a: 1 } }))).toBe(11000);
    await ground.things.updateOne({ _id: 1 as never }, { $set: { a: 3 } });
    await ground.things.updateOne({ _id: 2 as never }, { $set: { a: 1 } });
    expectSame(await ground.stored(), [
      { _id: 1, a: 3 },
      { _id: 2, a: 1 },
    ]);
  });

  test('a unique index is not created if documents have the same key', async () => {
    await ground.things.insertMany([{ a: 1 }, { a: 1 }]);
    expect(await codeOf(create({ a: 1 }, { unique: true }))).toBe(11000);
    expect(await indexNames()).toEqual(['_id_']);
  });
});

describe('createIndexes', () => {
  test('createIndexes returns the number of indexes before and after', async () => {
    expectFields(await create({ a: 1 }), {
      numIndexesBefore: 1,
      numIndexesAfter: 2,
      createdCollectionAutomatically: true,
    });
    expectFields(await create({ a: 1 }), {
      numIndexesBefore: 2,
      numIndexesAfter: 2,
      note: 'all indexes already exist',
    });
    expectFields(await create({ b: 1 }), {
      numIndexesBefore: 2,
      numIndexesAfter: 3,
      createdCollectionAutomatically: false,
    });
    expectFields(await create({ _id: 1 }), { numIndexesBefore: 3, numIndexesAfter: 3 });
  });

  test('createIndexes stores the index as specified', async () => {
    await create({ a: 1, b: -1 }, { name: 'n', unique: true });
    await create({ c: 1 }, { expireAfterSeconds: 3600 });
    await create({ d: 1 }, { partialFilterExpression: { d: { $gt: 1 } } });
    expectSame(await ground.things.indexes(), [
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1, b: -1 }, name: 'n', unique: true },
      { v: 2, key: { c: 1 }, name: 'c_1', expireAfterSeconds: 3600 },
      { v: 2, key: { d: 1 }, name: 'd_1', partialFilterExpression: { d: { $gt: 1 } } },
    ]);
  });

  test.each<[first: Document, second: Document, code: number]>([
    [{ key: { a: 1 }, name: 'x' }, { key: { a: 1 }, name: 'y' }, 85],
    [{ key: { a: 1 }, name: 'x' }, { key: { b: 1 }, name: 'x' }, 86],
    [{ key: { a: 1 }, name: 'x' }, { key: { a: 1 }, name: 'x', unique: true }, 86],
    [{ key: { a: 1 }, name: 'x' }, { key: { a: 1 }, name: 'x', expireAfterSeconds: 5 }, 85],
    [
      { key: { a: 1 }, name: 'x', partialFilterExpression: { b: 1 } },
      { key: { a: 1 }, name: 'x', partialFilterExpression: { b: 2 } },
      86,
    ],
    [{ key: { a: 1 }, name: 'x' }, { key: { a: 1 }, name: 'y', expireAfterSeconds: 5 }, 85],
  ])('%j and then %j is rejected with %i', async (first, second, code) => {
    await ground.command({ createIndexes: 'things', indexes: [first] });
    expect(await codeOf(ground.command({ createIndexes: 'things', indexes: [second] }))).toBe(code);
  });

  test.each<[first: Document, second: Document]>([
    [
      { key: { a: 1 }, name: 'x' },
      { key: { a: -1 }, name: 'y' },
    ],
    [
      { key: { a: 1 }, name: 'x' },
      { key: { a: 1 }, name: 'y', unique: true },
    ],
    [
      { key: { a: 1 }, name: 'x' },
      { key: { a: 1 }, name: 'y', partialFilterExpression: { b: 1 } },
    ],
  ])('%j and %j can coexist', async (first, second) => {
    await ground.command({ createIndexes: 'things', indexes: [first, second] });
    expect(await indexNames()).toEqual(['_id_', 'x', 'y']);
  });

  test.each<[Document, number]>([
    [{ key: { a: 1 } }, 9],
    [{ name: 'x' }, 9],
    [{ key: {}, name: 'x' }, 67],
    [{ key: { a: 0 }, name: 'x' }, 67],
    [{ key: { a: 'foo' }, name: 'x' }, 67],
    [{ key: { a: true }, name: 'x' }, 67],
    [{ key: { '': 1 }, name: 'x' }, 67],
    [{ key: { 'a.': 1 }, name: 'x' }, 67],
    [{ key: { $a: 1 }, name: 'x' }, 67],
    [{ key: { a: 1 }, name: '' }, 67],
    [{ key: { a: 1 }, name: 'x', foo: 1 }, 197],
    [{ key: { a: 1 }, name: 'x', unique: 'x' }, 14],
    [{ key: { a: 1 }, name: 'x', expireAfterSeconds: -1 }, 67],
    [{ key: { a: 1 }, name: 'x', expireAfterSeconds: 'x' }, 67],
    [{ key: { a: 1, b: 1 }, name: 'x', expireAfterSeconds: 5 }, 67],
    [{ key: { _id: 1 }, name: 'x', expireAfterSeconds: 5 }, 197],
    [{ key: { _id: -1 }, name: 'x', expireAfterSeconds: 5 }, 197],
    [{ key: { _id: 1 }, name: 'x', unique: true }, 197],
    [{ key: { a: 1 }, name: 'x', v: 3 }, 67],
    [{ key: { a: 1 }, name: 'x', partialFilterExpression: 1 }, 14],
    [{ key: { a: 1 }, name: 'x', partialFilterExpression: { a: { $ne: 1 } } }, 67],
    [{ key: { a: 1 }, name: 'x', partialFilterExpression: { a: /x/ } }, 67],
    [{ key: { a: 1 }, name: 'x', partialFilterExpression: { a: { $exists: false } } }, 67],
    [{ key: { a: 1 }, name: 'x', partialFilterExpression: { $nor: [{ a: 1 }] } }, 67],
    [{ key: { a: 1 }, name: '_id_' }, 2],
    [{ key: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`f${n}`, 1])), name: 'x' }, 13103],
  ])('%j is rejected with %i', async (index, code) => {
    expect(await codeOf(ground.command({ createIndexes: 'things', indexes: [index] }))).toBe(code);
  });

  test('createIndexes rejects arrays in two fields of an index, whether created before or after the documents', async () => {
    await create({ a: 1, b: 1 });
    expect(await codeOf(ground.things.insertOne({ a: [1], b: [2] }))).toBe(171);
    await ground.things.insertOne({ a: [1] });
    expect(await codeOf(ground.things.updateOne({}, [{ $set: { b: '$a' } }]))).toBe(171);
    await ground.things.insertOne({ c: [1], d: [2] });
    expect(await codeOf(create({ c: 1, d: 1 }))).toBe(171);
  });
});

describe('dropIndexes', () => {
  test.each<[index: unknown, left: string[]]>([
    ['a_1', ['_id_', 'b_-1', 'c_1_d_1']],
    [{ b: -1 }, ['_id_', 'a_1', 'c_1_d_1']],
    [{ c: 1, d: 1 }, ['_id_', 'a_1', 'b_-1']],
    [
      ['a_1', 'b_-1'],
      ['_id_', 'c_1_d_1'],
    ],
    ['*', ['_id_']],
  ])('%j', async (index, left) => {
    for (const key of [{ a: 1 }, { b: -1 }, { c: 1, d: 1 }]) await create(key);
    expectFields(await ground.command({ dropIndexes: 'things', index }), { nIndexesWas: 4 });
    expect(await indexNames()).toEqual(left);
  });

  test.each<[command: Document, code: number]>([
    [{ dropIndexes: 'things', index: 'none' }, 27],
    [{ dropIndexes: 'things', index: { z: 1 } }, 27],
    [{ dropIndexes: 'things', index: ['a_1', 'none'] }, 27],
    [{ dropIndexes: 'things', index: '_id_' }, 72],
    [{ dropIndexes: 'things', index: { _id: 1 } }, 72],
    [{ dropIndexes: 'nothing', index: '*' }, 26],
  ])('%j is rejected with %i and drops nothing', async (command, code) => {
    await create({ a: 1 });
    expect(await codeOf(ground.command(command))).toBe(code);
    expect(await indexNames()).toEqual(['_id_', 'a_1']);
  });

  test('dropIndexes rejects a key that two indexes share', async () => {
    await create({ a: 1 });
    await create({ a: 1 }, { name: 'unique', unique: true });
    expect(await codeOf(ground.command({ dropIndexes: 'things', index: { a: 1 } }))).toBe(181);
    expect(await indexNames()).toEqual(['_id_', 'a_1', 'unique']);
  });

  test('listIndexes of a collection that does not exist is rejected', async () => {
    expect(await codeOf(ground.command({ listIndexes: 'nothing' }))).toBe(26);
  });
});

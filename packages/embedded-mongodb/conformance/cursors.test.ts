import type { Document } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, expectFields, expectSame, long } from './support/values.ts';

const ground = prepareGround('cursors');
const COUNT = 250;

beforeEach(async () => {
  await ground.things.insertMany(
    Array.from({ length: COUNT }, (_, n) => ({ _id: n, n, even: n % 2 === 0 })) as Document[],
  );
});

const ids = (batch: Document[]) => batch.map(({ _id }) => Number(_id));
const upTo = (length: number, from = 0) => Array.from({ length }, (_, n) => n + from);
const isOpen = ({ cursor }: Document) => String(cursor.id) !== '0';

describe('find', () => {
  test.each<[Document, number[], boolean]>([
    [{}, upTo(101), true],
    [{ batchSize: 10 }, upTo(10), true],
    [{ batchSize: 0 }, [], true],
    [{ batchSize: 1000 }, upTo(COUNT), false],
    [{ batchSize: 10, singleBatch: true }, upTo(10), false],
    [{ limit: 5 }, upTo(5), false],
    [{ limit: 5, batchSize: 3 }, upTo(3), true],
    [{ limit: 0, batchSize: 2 }, upTo(2), true],
    [{ skip: 240 }, upTo(10, 240), false],
    [{ filter: { n: { $lt: 3 } } }, upTo(3), false],
    [{ filter: { even: true }, limit: 3, skip: 1 }, [2, 4, 6], false],
    [{ filter: { n: -1 } }, [], false],
    [{ hint: '_id_', limit: 2 }, [0, 1], false],
    [{ hint: { _id: 1 }, sort: { _id: -1 }, limit: 2 }, [249, 248], false],
    [{ hint: { $natural: -1 }, limit: 2 }, [249, 248], false],
    [{ min: { _id: 247 }, hint: { _id: 1 } }, [247, 248, 249], false],
    [{ max: { _id: 2 }, hint: { _id: 1 } }, [0, 1], false],
    [{ min: { _id: 5 }, max: { _id: 8 }, hint: '_id_' }, [5, 6, 7], false],
    [{ min: { _id: 5 }, max: { _id: 8 }, hint: '_id_', filter: { even: true } }, [6], false],
    [{ min: { _id: 5 }, max: { _id: 8 }, hint: '_id_', sort: { _id: -1 } }, [7, 6, 5], false],
  ])('%j', async (command, expected, staysOpen) => {
    const reply = await ground.command({ find: 'things', ...command });
    expect(ids(reply.cursor.firstBatch)).toEqual(expected);
    expect(isOpen(reply)).toBe(staysOpen);
    if (staysOpen) await ground.command({ killCursors: 'things', cursors: [reply.cursor.id] });
  });

  test('find of a collection that does not exist returns nothing', async () => {
    const reply = await ground.command({ find: 'nothing' });
    expectFields(reply.cursor, { firstBatch: [], id: long(0), ns: 'conformance_cursors.nothing' });
  });

  test.each<[Document, number]>([
    [{ hint: 'none' }, 2],
    [{ hint: { z: 1 } }, 2],
    [{ min: { _id: 1 } }, 51173],
    [{ min: { a: 1 }, hint: { _id: 1 } }, 51174],
    [{ min: { _id: 1 }, max: { a: 1 }, hint: { _id: 1 } }, 51176],
    [{ min: { _id: 1 }, hint: { $natural: 1 } }, 2],
    [{ min: { _id: 5 }, max: { _id: 5 }, hint: { _id: 1 } }, 51175],
    [{ min: { _id: 6 }, max: { _id: 5 }, hint: { _id: 1 } }, 51175],
    [{ hint: { $natural: 0 } }, 2],
    [{ sort: { $natural: 'x' } }, 2],
  ])('%j is rejected with %i', async (command, code) => {
    expect(await codeOf(ground.command({ find: 'things', ...command }))).toBe(code);
  });
});

describe('getMore', () => {
  test('getMore continues after the last batch', async () => {
    const { cursor } = await ground.command({ find: 'things', batchSize: 100 });
    const second = await ground.command({ getMore: cursor.id, collection: 'things', batchSize: 100 });
    expect(ids(second.cursor.nextBatch)).toEqual(upTo(100, 100));
    expectSame(second.cursor.id, cursor.id);
    const last = await ground.command({ getMore: cursor.id, collection: 'things', batchSize: 100 });
    expect(ids(last.cursor.nextBatch)).toEqual(upTo(50, 200));
    expect(isOpen(last)).toBe(false);
    expect(await codeOf(ground.command({ getMore: cursor.id, collection: 'things' }))).toBe(43);
  });

  test.each<[Document, number]>([[{ getMore: long(123456), collection: 'things' }, 43]])(
    '%j is rejected with %i',
    async (command, code) => {
      expect(await codeOf(ground.command(command))).toBe(code);
    },
  );

  test('getMore on another namespace is rejected', async () => {
    const { cursor } = await ground.command({ find: 'things', batchSize: 1 });
    expect(await codeOf(ground.command({ getMore: cursor.id, collection: 'others' }))).toBe(13);
    await ground.command({ killCursors: 'things', cursors: [cursor.id] });
  });

  test('getMore after the collection is dropped is rejected', async () => {
    const { cursor } = await ground.command({ find: 'things', batchSize: 1 });
    await ground.things.drop();
    expect(await codeOf(ground.command({ getMore: cursor.id, collection: 'things' }))).toBe(175);
  });
});

test('killCursors returns which cursors existed', async () => {
  const { cursor } = await ground.command({ find: 'things', batchSize: 1 });
  const reply = await ground.command({ killCursors: 'things', cursors: [cursor.id, long(99)] });
  expectFields(reply, {
    cursorsKilled: [cursor.id],
    cursorsNotFound: [long(99)],
    cursorsAlive: [],
    cursorsUnknown: [],
  });
  expect(await codeOf(ground.command({ getMore: cursor.id, collection: 'things' }))).toBe(43);
});

describe('aggregate', () => {
  test('aggregate returns batches', async () => {
    const pipeline = [{ $match: { even: true } }, { $project: { _id: 1 } }];
    const { cursor } = await ground.command({ aggregate: 'things', pipeline, cursor: { batchSize: 3 } });
    expect(ids(cursor.firstBatch)).toEqual([0, 2, 4]);
    const { cursor: more } = await ground.command({ getMore: cursor.id, collection: 'things', batchSize: 2 });
    expect(ids(more.nextBatch)).toEqual([6, 8]);
    await ground.command({ killCursors: 'things', cursors: [cursor.id] });
  });

  test.each<[Document, number]>([[{ pipeline: [], cursor: {}, hint: 'none' }, 2]])(
    '%j is rejected with %i',
    async (command, code) => {
      expect(await codeOf(ground.command({ aggregate: 'things', ...command }))).toBe(code);
    },
  );
});

describe('count', () => {
  test.each<[Document, number]>([
    [{}, COUNT],
    [{ query: { even: true } }, 125],
    [{ query: { n: { $lt: 10 } }, skip: 3 }, 7],
    [{ query: { n: { $lt: 10 } }, limit: 4 }, 4],
    [{ query: { n: { $lt: 10 } }, limit: 4, skip: 8 }, 2],
    [{ limit: -4 }, 4],
    [{ query: { n: 5 }, hint: '_id_' }, 1],
  ])('%j', async (command, n) => {
    expectFields(await ground.command({ count: 'things', ...command }), { n });
  });

  test.each<[Document, number]>([
    [{ hint: 'none' }, 2],
    [{ query: { $foo: 1 } }, 2],
  ])('%j is rejected with %i', async (command, code) => {
    expect(await codeOf(ground.command({ count: 'things', ...command }))).toBe(code);
  });

  test('count of a collection that does not exist is 0', async () => {
    expectFields(await ground.command({ count: 'nothing' }), { n: 0 });
  });
});

describe('distinct', () => {
  const documents = [
    { a: 1, b: { c: 'x' } },
    { a: long(1), b: { c: 'y' } },
    { a: [1, 2], b: [{ c: 'x' }, { c: 'z' }] },
    { a: null },
    { b: 5 },
    { a: [[3]] },
    { a: [] },
  ];

  test.each<[Document, unknown[]]>([
    [{ key: 'a' }, [null, 1, 2, [3]]],
    [{ key: 'b.c' }, ['x', 'y', 'z']],
    [{ key: 'a', query: { a: 2 } }, [1, 2]],
    [{ key: 'missing' }, []],
    [{ key: 'b.0.c' }, ['x']],
  ])('%j', async (command, values) => {
    const others = ground.database.collection('others');
    await others.insertMany(documents.map((one) => ({ ...one })) as Document[]);
    const reply = await ground.command({ distinct: 'others', ...command });
    // The order is not specified.
    const inOrder = (list: unknown[]) =>
      [...list].sort((x, y) => JSON.stringify(x).localeCompare(JSON.stringify(y)));
    expectSame(inOrder(reply.values), inOrder(values));
  });
});

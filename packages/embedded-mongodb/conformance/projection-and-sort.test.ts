import { BSON, type Document, Timestamp } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, day, decimal, double, expectSame, long } from './support/values.ts';

const { Binary, BSONRegExp, MaxKey, MinKey, ObjectId } = BSON;
const ground = prepareGround('projection');

const DOCUMENT = {
  _id: 1,
  a: 1,
  b: { c: 2, d: 3 },
  list: [{ x: 1, y: 1 }, { x: 2, y: 2 }, { x: 3 }],
  n: [1, 2, 3, 4],
};
const { _id, a, b, list, n } = DOCUMENT;

describe('a projection', () => {
  test.each<[projection: Document, expected: Document, filter?: Document]>([
    [{}, DOCUMENT],
    [{ a: 1 }, { _id, a }],
    [{ a: true, _id: 0 }, { a }],
    [{ _id: 0 }, { a, b, list, n }],
    [{ _id: 1 }, { _id }],
    [
      { a: 0, list: 0, n: 0 },
      { _id, b },
    ],
    [{ 'b.c': 1 }, { _id, b: { c: 2 } }],
    [{ b: { c: 1 } }, { _id, b: { c: 2 } }],
    [
      { 'b.c': 0, list: 0, n: 0 },
      { _id, a, b: { d: 3 } },
    ],
    [{ 'list.x': 1 }, { _id, list: [{ x: 1 }, { x: 2 }, { x: 3 }] }],
    [
      { 'list.x': 0, a: 0, b: 0, n: 0 },
      { _id, list: [{ y: 1 }, { y: 2 }, {}] },
    ],
    [{ missing: 1 }, { _id }],
    [{ 'a.b': 1 }, { _id }],
    [{ n: { $slice: 2 } }, { _id, a, b, list, n: [1, 2] }],
    [{ n: { $slice: -1 } }, { _id, a, b, list, n: [4] }],
    [{ n: { $slice: [1, 2] } }, { _id, a, b, list, n: [2, 3] }],
    [{ n: { $slice: [-3, 2] } }, { _id, a, b, list, n: [2, 3] }],
    [
      { a: 1, n: { $slice: 1 } },
      { _id, a, n: [1] },
    ],
    [{ list: { $elemMatch: { x: { $gt: 1 } } } }, { _id, list: [{ x: 2, y: 2 }] }],
    [{ list: { $elemMatch: { x: 9 } } }, { _id }],
    [{ 'list.$': 1 }, { _id, list: [{ x: 2, y: 2 }] }, { 'list.x': 2 }],
    [{ 'n.$': 1 }, { _id, n: [3] }, { n: { $gte: 3 } }],
    [{ sum: { $add: ['$a', '$b.c'] } }, { _id, sum: 3 }],
    [{ _id: 0, c: '$b.c' }, { c: 2 }],
    [{ _id: 0, fixed: { $literal: 1 } }, { fixed: 1 }],
    [{ _id: 0, fixed: 'text' }, { fixed: 'text' }],
    [{ _id: 0, b: { z: '$a' } }, { b: { z: 1 } }],
    [{ _id: 0, a: 1, gone: '$$REMOVE' }, { a: 1 }],
  ])('%j', async (projection, expected, filter = {}) => {
    await ground.things.insertOne(DOCUMENT as Document);
    expectSame(await ground.things.find(filter, { projection }).toArray(), [expected]);
  });

  test.each<[Document, number]>([
    [{ a: 1, b: 0 }, 31254],
    [{ a: 0, b: 1 }, 31253],
    [{ a: 1, 'a.b': 1 }, 31249],
    [{ 'a.b': 1, a: 1 }, 31250],
    [{ 'list.$': 1, 'n.$': 1 }, 31276],
    [{ a: { $foo: 1 } }, 31325],
    [{ n: { $slice: 'x' } }, 28667],
    [{ '': 1 }, 40352],
    [{ list: { $elemMatch: 1 } }, 31274],
  ])('%j is refused with %i', async (projection, code) => {
    await ground.things.insertOne(DOCUMENT as Document);
    expect(await codeOf(ground.things.find({}, { projection }).toArray())).toBe(code);
  });
});

/** One value of every type, in MongoDB's order of types; equal ones stand in the order of insertion. */
const IN_ORDER: unknown[] = [
  new MinKey(),
  null,
  double(Number.NaN),
  double(Number.NEGATIVE_INFINITY),
  decimal('-1E+6000'),
  -5,
  double(-0.5),
  0,
  long(1),
  decimal('1.5'),
  2,
  double(1e300),
  'A',
  'a',
  'aa',
  'b',
  {},
  { a: 1 },
  { a: 1, b: 0 },
  { a: 2 },
  { b: 0 },
  new Binary(Buffer.from('z')),
  new Binary(Buffer.from('aa')),
  new ObjectId('100000000000000000000000'),
  new ObjectId('200000000000000000000000'),
  false,
  true,
  day('1960-01-01'),
  day('2024-01-01'),
  new Timestamp({ t: 1, i: 1 }),
  new Timestamp({ t: 1, i: 2 }),
  new BSONRegExp('a', ''),
  new MaxKey(),
];

describe('a sort', () => {
  const indexed = [false, true];

  test.each(indexed)('orders values across types (index: %s)', async (hasIndex) => {
    if (hasIndex) await ground.things.createIndex({ a: 1 });
    await ground.things.insertMany(
      IN_ORDER.map((value, place) => ({ _id: place, a: value })).reverse() as Document[],
    );
    const ascending = await ground.things.find({}, { sort: { a: 1 }, projection: { _id: 1 } }).toArray();
    expectSame(
      ascending,
      IN_ORDER.map((_value, place) => ({ _id: place })),
    );
    const descending = await ground.things.find({}, { sort: { a: -1 }, projection: { _id: 1 } }).toArray();
    expectSame(descending, IN_ORDER.map((_value, place) => ({ _id: place })).reverse());
  });

  test.each(indexed)(
    'takes the smallest element of an array upwards, the largest downwards (index: %s)',
    async (hasIndex) => {
      if (hasIndex) await ground.things.createIndex({ a: 1 });
      await ground.things.insertMany([
        { _id: 1, a: [1, 9] },
        { _id: 2, a: [2, 3] },
        { _id: 3, a: 5 },
        { _id: 4, a: [] },
        { _id: 5 },
      ] as Document[]);
      const ids = async (sort: Document) => {
        const documents = await ground.things
          .find({}, { sort: { ...sort } as never, projection: { _id: 1 } })
          .toArray();
        return documents.map(({ _id: id }) => Number(id));
      };
      expect(await ids({ a: 1 })).toEqual([4, 5, 1, 2, 3]);
      expect(await ids({ a: -1 })).toEqual([1, 3, 2, 5, 4]);
    },
  );

  test.each<[Document, number[]]>([
    [{ x: 1, y: 1 }, [2, 1, 4, 3]],
    [{ x: 1, y: -1 }, [1, 2, 3, 4]],
    [{ x: -1, y: 1 }, [4, 3, 2, 1]],
    [{ 'd.e': 1 }, [3, 4, 1, 2]],
    [{ $natural: 1 }, [1, 2, 3, 4]],
    [{ $natural: -1 }, [4, 3, 2, 1]],
  ])('%j', async (sort, expected) => {
    await ground.things.insertMany([
      { _id: 1, x: 1, y: 2, d: { e: 3 } },
      { _id: 2, x: 1, y: 1, d: { e: 4 } },
      { _id: 3, x: 2, y: 4, d: { e: 1 } },
      { _id: 4, x: 2, y: 3, d: { e: 2 } },
    ] as Document[]);
    const documents = await ground.things.find({}, { sort: { ...sort } as never }).toArray();
    expect(documents.map(({ _id: id }) => Number(id))).toEqual(expected);
  });

  test.each<[Document, number]>([
    [{ a: 2 }, 15975],
    [{ a: 0 }, 15975],
    [{ a: 'x' }, 15974],
    [{ '': 1 }, 40352],
  ])('%j is refused with %i', async (sort, code) => {
    await ground.things.insertOne({ a: 1 });
    expect(await codeOf(ground.command({ find: 'things', sort }))).toBe(code);
  });

  test('with skip and limit gives a window', async () => {
    await ground.things.insertMany([5, 3, 1, 4, 2].map((value) => ({ _id: value, a: value })) as Document[]);
    const page = await ground.things
      .find({}, { sort: { a: 1 }, skip: 1, limit: 2, projection: { a: 1, _id: 0 } })
      .toArray();
    expectSame(page, [{ a: 2 }, { a: 3 }]);
  });
});

import { BSON, type Document, Timestamp } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, day, decimal, double, expectSame, long } from './support/values.ts';

const { Binary, BSONRegExp, MaxKey, MinKey, ObjectId } = BSON;
const ground = prepareGround('projection');

interface Table {
  document: Document;
  cases: readonly (readonly [projection: Document, expected: Document])[];
}

const PLAIN = { _id: 1, a: 1, b: { c: 2, d: 3 }, e: { f: { g: 4 } } };
const ARRAYS = {
  _id: 1,
  list: [{ x: 1, y: 1 }, 5, null, [{ x: 2, y: 2 }, 6], {}],
  empty: [],
  n: [1, 2, 3, 4],
};
const { empty, n } = ARRAYS;

/** Tables for each form of a projection. */
const TABLES: Readonly<Record<string, readonly Table[]>> = {
  inclusion: [
    {
      document: PLAIN,
      cases: [
        [{ a: 1 }, { _id: 1, a: 1 }],
        [{ a: true, _id: 0 }, { a: 1 }],
        [{ a: decimal('0.1') }, { _id: 1, a: 1 }],
        [{ _id: 1 }, { _id: 1 }],
        [
          { e: 1, a: 1 },
          { _id: 1, a: 1, e: { f: { g: 4 } } },
        ],
        [{ missing: 1 }, { _id: 1 }],
        [{ 'b.c': 1 }, { _id: 1, b: { c: 2 } }],
        [{ 'b.x': 1 }, { _id: 1, b: {} }],
        [{ 'a.b': 1 }, { _id: 1 }],
      ],
    },
    {
      document: ARRAYS,
      cases: [
        [{ 'list.x': 1 }, { _id: 1, list: [{ x: 1 }, [{ x: 2 }], {}] }],
        [
          { 'n.x': 1, 'empty.x': 1 },
          { _id: 1, empty: [], n: [] },
        ],
        [{ 'list.0': 1 }, { _id: 1, list: [{}, [{}], {}] }],
      ],
    },
  ],
  exclusion: [
    {
      document: PLAIN,
      cases: [
        [{ _id: 0 }, { a: 1, b: { c: 2, d: 3 }, e: { f: { g: 4 } } }],
        [
          { a: 0, e: false },
          { _id: 1, b: { c: 2, d: 3 } },
        ],
        [{ _id: 0, a: 0, b: 0 }, { e: { f: { g: 4 } } }],
        [
          { a: 0, _id: 1 },
          { _id: 1, b: { c: 2, d: 3 }, e: { f: { g: 4 } } },
        ],
        [{ 'a.b': 0, missing: 0 }, PLAIN],
      ],
    },
    {
      document: ARRAYS,
      cases: [
        [
          { 'list.x': 0, 'n.x': 0 },
          { _id: 1, list: [{ y: 1 }, 5, null, [{ y: 2 }, 6], {}], empty, n },
        ],
      ],
    },
  ],
};

type Projected = readonly [text: string, projection: Document, expected: Document, document: Document];

function casesOf(tables: readonly Table[]): Projected[] {
  return tables.flatMap(({ document, cases }) =>
    cases.map(
      ([projection, expected]) => [BSON.EJSON.stringify(projection), projection, expected, document] as const,
    ),
  );
}

describe.each(Object.entries(TABLES))('a projection of find and the stage $project: %s', (_, tables) => {
  test.each(casesOf(tables))('%s', async (_text, projection, expected, document) => {
    await ground.things.insertOne(document);
    expectSame(await ground.things.find({}, { projection }).toArray(), [expected]);
    expectSame(await ground.things.aggregate([{ $project: projection }]).toArray(), [expected]);
  });
});

test('a projection of find without fields keeps the document', async () => {
  await ground.things.insertOne({ ...PLAIN } as Document);
  expectSame(await ground.things.find({}, { projection: {} }).toArray(), [PLAIN]);
});

test('the stage $project adds computed fields after the included ones', async () => {
  await ground.things.insertOne({ ...PLAIN } as Document);
  const project = async (specification: Document) =>
    await ground.things.aggregate([{ $project: specification }]).toArray();
  expectSame(await project({ _id: 0, c: '$b.c', fixed: 'text', a: 1 }), [{ a: 1, c: 2, fixed: 'text' }]);
  expectSame(await project({ _id: '$a', a: { $subtract: ['$a', 1] }, e: 1 }), [{ e: PLAIN.e, _id: 1, a: 0 }]);
  expectSame(await project({ _id: 0, a: 1, gone: '$$REMOVE', lost: '$missing' }), [{ a: 1 }]);
});

describe('a projection', () => {
  test.each<[projection: Document, code: number]>([
    [{ a: 1, b: 0 }, 31254],
    [{ a: 0, b: 1 }, 31253],
    [{ a: 1, 'a.b': 1 }, 31249],
    [{ 'a.b': 1, a: 1 }, 31250],
    [{ a: {} }, 51270],
    [{ a: { $foo: 1 } }, 31325],
    [{ '': 1 }, 40352],
    [{ 'a.': 1 }, 40353],
    [{ 'a..b': 1 }, 15998],
  ])('%j is rejected with %i', async (projection, code) => {
    await ground.things.insertOne(ARRAYS as Document);
    expect(await codeOf(ground.things.find({}, { projection }).toArray())).toBe(code);
  });

  test.each<[specification: unknown, code: number]>([
    [{}, 51272],
    [1, 15969],
    [{ 'a.$': 1 }, 31324],
    [{ a: 0, b: 'x' }, 31310],
    [{ a: 0, b: { $subtract: [1, '$a'] } }, 31252],
  ])('$project: %j is rejected with %i', async (specification, code) => {
    const pipeline = [{ $project: specification }];
    expect(await codeOf(ground.command({ aggregate: 'things', pipeline, cursor: {} }))).toBe(code);
  });
});

/** Values of every type in MongoDB's order of types. Equal values are in insertion order. */
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
  new ObjectId('800000000000000000000000'),
  false,
  true,
  day('1960-01-01'),
  day('2024-01-01'),
  new Timestamp({ t: 1, i: 1 }),
  new Timestamp({ t: 1, i: 2 }),
  new Timestamp({ t: 4_000_000_000, i: 1 }),
  new BSONRegExp('a', ''),
  new MaxKey(),
];

describe('a sort', () => {
  const indexed = [false, true];

  async function idsBy(sort: Document): Promise<number[]> {
    const { cursor } = await ground.command({ find: 'things', sort, projection: { _id: 1 } });
    return cursor.firstBatch.map(({ _id }: Document) => Number(_id));
  }

  test.each(indexed)('a sort orders values across types (index: %s)', async (hasIndex) => {
    if (hasIndex) await ground.things.createIndex({ a: 1 });
    const places = IN_ORDER.map((_value, place) => place);
    await ground.things.insertMany(
      places.toReversed().map((_id) => ({ _id, a: IN_ORDER[_id] })) as Document[],
    );
    expect(await idsBy({ a: 1 })).toEqual(places);
    expect(await idsBy({ a: -1 })).toEqual(places.toReversed());
  });

  test.each(indexed)(
    'a sort uses the smallest element of an array when ascending, the largest when descending (index: %s)',
    async (hasIndex) => {
      if (hasIndex) await ground.things.createIndex({ a: 1 });
      await ground.things.insertMany([
        { _id: 1, a: [1, 9] },
        { _id: 2, a: [2, 3] },
        { _id: 3, a: 5 },
        { _id: 4, a: [] },
        { _id: 5 },
        { _id: 6, a: [[0]] },
      ] as Document[]);
      expect(await idsBy({ a: 1 })).toEqual([4, 5, 1, 2, 3, 6]);
      expect(await idsBy({ a: -1 })).toEqual([6, 1, 3, 2, 5, 4]);
    },
  );

  test.each<[Document, number[]]>([
    [{ x: 1, y: 1 }, [2, 1, 4, 3]],
    [{ x: 1, y: -1 }, [1, 2, 3, 4]],
    [{ x: long(-1), y: double(1) }, [4, 3, 2, 1]],
    [{ 'd.e': 1 }, [3, 4, 1, 2]],
    [{ 'd.e': -1, x: 1 }, [2, 1, 4, 3]],
    [{ 'l.m': 1, _id: 1 }, [4, 3, 2, 1]],
    [{ 'l.m': 1, 'l.n': -1 }, [4, 3, 2, 1]],
    [{ 'l.0.m': 1, _id: 1 }, [4, 2, 3, 1]],
    // An array that a position selects from an array sorts as a whole.
    [{ 'p.0': 1 }, [2, 1, 3, 4]],
    [{ $natural: 1 }, [1, 2, 3, 4]],
    [{ $natural: -1 }, [4, 3, 2, 1]],
  ])('%j', async (sort, expected) => {
    await ground.things.insertMany([
      { _id: 1, x: 1, y: 2, d: { e: 3 }, l: [{ m: 5, n: 1 }], p: [[2, 1]] },
      { _id: 2, x: 1, y: 1, d: { e: 4 }, l: [{ m: 3, n: 1 }, { m: 4 }], p: [[1, 3]] },
      { _id: 3, x: 2, y: 4, d: { e: 1 }, l: [{ m: 4, n: 1 }, { m: 2 }], p: [[3]] },
      { _id: 4, x: 2, y: 3, d: { e: 2 }, l: [], p: [[4]] },
    ] as Document[]);
    expect(await idsBy(sort)).toEqual(expected);
  });

  test.each<[Document, number]>([
    [{ a: 2 }, 15975],
    [{ a: 0 }, 15975],
    [{ a: 'x' }, 15974],
    [{ '': 1 }, 40352],
    [{ 'a..b': 1 }, 15998],
    [{ 'a.$b': 1 }, 16410],
    [{ a: 1, b: 1 }, 2],
    [{ 'c.0': 1 }, 16746],
  ])('%j is rejected with %i', async (sort, code) => {
    await ground.things.insertOne({ a: [1], b: [1], c: [{ 0: 1 }] });
    expect(await codeOf(ground.command({ find: 'things', sort }))).toBe(code);
  });

  test('a sort with skip and limit returns a window', async () => {
    await ground.things.insertMany([5, 3, 1, 4, 2].map((value) => ({ _id: value, a: value })) as Document[]);
    const page = await ground.things
      .find({}, { sort: { a: 1 }, skip: 1, limit: 2, projection: { a: 1, _id: 0 } })
      .toArray();
    expectSame(page, [{ a: 2 }, { a: 3 }]);
  });
});

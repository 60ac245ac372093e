import { BSON, type Document, Timestamp } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { FILTER_OPERATORS } from '../src/semantics/filter/parse.ts';
import { prepareGround } from './support/ground.ts';
import { codeOf, day, decimal, double, long } from './support/values.ts';

const { Binary, BSONRegExp, MaxKey, MinKey, ObjectId } = BSON;
const ground = prepareGround('query');

/** The values of `a` in documents with the `_id`s 0, 1, 2, …; undefined for a missing field. */
type Values = readonly unknown[];
/** Each filter with the `_id`s of the documents that it matches. */
type Cases = readonly (readonly [filter: Document, ids: number[]])[];
interface Table {
  values: Values;
  cases: Cases;
  /** Filters that are rejected, with their codes. */
  rejected?: readonly (readonly [filter: Document, code: number])[];
}

const NAN = double(Number.NaN);
const NUMBERS: Values = [
  1,
  long(1),
  double(1),
  decimal('1.0'),
  2,
  double(1.5),
  NAN,
  decimal('NaN'),
  '1',
  null,
  undefined,
  true,
  [1, 2],
  [[1]],
  double(-0),
];
const LARGE_NUMBERS: Values = [
  double(2 ** 53),
  long('9007199254740993'),
  decimal('9007199254740993'),
  double(Number.POSITIVE_INFINITY),
  decimal('1E-400'),
  0,
];
const TYPES: Values = [
  new MinKey(),
  null,
  undefined,
  5,
  'text',
  { b: 1 },
  [1, 2],
  new Binary(Buffer.from('ab')),
  new ObjectId('5f0000000000000000000000'),
  true,
  day('2024-01-01'),
  new Timestamp({ t: 1, i: 1 }),
  new BSONRegExp('x', 'i'),
  new MaxKey(),
];
const DOCUMENTS: Values = [
  { x: 1, y: 2 },
  { y: 2, x: 1 },
  { x: 1 },
  { x: { z: 1 } },
  [{ x: 1 }, { x: 2 }],
  {},
  { x: double(1) },
];
const ARRAYS: Values = [
  [],
  [1],
  [1, 2],
  [[1, 2]],
  [
    { b: 1, c: 1 },
    { b: 2, c: 2 },
  ],
  { b: 1, c: 2 },
  1,
  [null],
  ['x', 3],
  undefined,
];
const TEXTS: Values = ['apple', 'Banana', 'cherry\npie', ['plum', 'fig'], 5, null, new BSONRegExp('an', '')];
/** Ids of 1970, 2038 (when the seconds no longer fit in a signed int32), and 2106. */
const OBJECT_IDS: Values = [
  new ObjectId('000000010000000000000000'),
  new ObjectId('7fffffff0000000000000000'),
  new ObjectId('800000000000000000000000'),
  new ObjectId('ffffffff0000000000000000'),
];

/** One or more tables for each operator in scope. */
const OPERATOR_TABLES: Readonly<Record<string, readonly Table[]>> = {
  $eq: [
    {
      values: NUMBERS,
      cases: [
        [{ a: { $eq: 1 } }, [0, 1, 2, 3, 12]],
        [{ a: { $eq: long(1) } }, [0, 1, 2, 3, 12]],
        [{ a: { $eq: decimal('1') } }, [0, 1, 2, 3, 12]],
        [{ a: { $eq: 1.5 } }, [5]],
        [{ a: { $eq: NAN } }, [6, 7]],
        [{ a: { $eq: '1' } }, [8]],
        [{ a: { $eq: null } }, [9, 10]],
        [{ a: { $eq: true } }, [11]],
        [{ a: { $eq: [1, 2] } }, [12]],
        [{ a: { $eq: [1] } }, [13]],
        [{ a: { $eq: 0 } }, [14]],
      ],
    },
    {
      values: LARGE_NUMBERS,
      cases: [
        [{ a: { $eq: long('9007199254740993') } }, [1, 2]],
        [{ a: { $eq: double(2 ** 53) } }, [0]],
        [{ a: { $eq: decimal('Infinity') } }, [3]],
        [{ a: { $eq: 0 } }, [5]],
      ],
    },
    {
      values: [
        /x/,
        'x',
        { $ref: 'c', $id: 1 },
        new Binary(Buffer.from('ab')),
        new Binary(Buffer.from('ab'), 4),
      ],
      cases: [
        [{ a: { $eq: /x/ } }, [0]],
        [{ a: { $ref: 'c', $id: 1 } }, [2]],
        [{ 'a.$id': 1 }, [2]],
        [{ a: { $eq: new Binary(Buffer.from('ab'), 4) } }, [4]],
      ],
    },
  ],
  $ne: [
    {
      values: NUMBERS,
      cases: [
        [{ a: { $ne: 1 } }, [4, 5, 6, 7, 8, 9, 10, 11, 13, 14]],
        [{ a: { $ne: null } }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14]],
        [{ a: { $ne: NAN } }, [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14]],
      ],
      rejected: [[{ a: { $ne: /x/ } }, 2]],
    },
    {
      values: ARRAYS,
      cases: [
        [{ a: { $ne: 1 } }, [0, 3, 4, 5, 7, 8, 9]],
        [{ a: { $ne: null } }, [0, 1, 2, 3, 4, 5, 6, 8]],
        [{ 'a.b': { $ne: 1 } }, [0, 1, 2, 3, 6, 7, 8, 9]],
      ],
    },
  ],
  $gt: [
    {
      values: NUMBERS,
      cases: [
        [{ a: { $gt: 1 } }, [4, 5, 12]],
        [{ a: { $gt: double(Number.NEGATIVE_INFINITY) } }, [0, 1, 2, 3, 4, 5, 12, 14]],
        [{ a: { $gt: NAN } }, []],
        [{ a: { $gt: null } }, []],
        [{ a: { $gt: '0' } }, [8]],
        [{ a: { $gt: false } }, [11]],
        [{ a: { $gt: [1, 1] } }, [12, 13]],
        [{ a: { $gt: 1, $lt: 2 } }, [5, 12]],
      ],
      rejected: [[{ a: { $gt: /x/ } }, 2]],
    },
    {
      values: TYPES,
      cases: [
        [{ a: { $gt: 'a' } }, [4]],
        [{ a: { $gt: day('2023-01-01') } }, [10]],
        [{ a: { $gt: new Timestamp({ t: 1, i: 0 }) } }, [11]],
        [{ a: { $gt: { b: 0 } } }, [5]],
        [{ a: { $gt: new MinKey() } }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
      ],
    },
    {
      values: OBJECT_IDS,
      cases: [
        [{ a: { $gt: new ObjectId('7fffffffffffffffffffffff') } }, [2, 3]],
        [{ a: { $gt: new ObjectId('ffffffff0000000000000000') } }, []],
      ],
    },
    {
      values: ['z', '\u{1F600}', '\uFFFD'],
      cases: [[{ a: { $gt: '\uFFFD' } }, [1]]],
    },
  ],
  $gte: [
    {
      values: NUMBERS,
      cases: [
        [{ a: { $gte: double(1) } }, [0, 1, 2, 3, 4, 5, 12]],
        [{ a: { $gte: NAN } }, [6, 7]],
        [{ a: { $gte: null } }, [9, 10]],
        [{ a: { $gte: decimal('1.5') } }, [4, 5, 12]],
        [{ a: { $gte: false } }, [11]],
      ],
      rejected: [[{ a: { $gte: /x/ } }, 2]],
    },
    { values: TYPES, cases: [[{ a: { $gte: new MaxKey() } }, [13]]] },
    { values: DOCUMENTS, cases: [[{ a: { $gte: { x: 1 } } }, [0, 1, 2, 3, 4, 6]]] },
  ],
  $lt: [
    {
      values: NUMBERS,
      cases: [
        [{ a: { $lt: 1.5 } }, [0, 1, 2, 3, 12, 14]],
        [{ a: { $lt: NAN } }, []],
        [{ a: { $lt: 1 } }, [14]],
        [{ a: { $lt: null } }, []],
        [{ a: { $lt: [2] } }, [12, 13]],
      ],
      rejected: [[{ a: { $lt: /x/ } }, 2]],
    },
    {
      values: TYPES,
      cases: [
        [{ a: { $lt: new Binary(Buffer.from('abc')) } }, [7]],
        [{ a: { $lt: new MaxKey() } }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
        [{ a: { $lt: new MinKey() } }, []],
      ],
    },
    { values: DOCUMENTS, cases: [[{ a: { $lt: { x: 1, y: 0 } } }, [2, 4, 5, 6]]] },
  ],
  $lte: [
    {
      values: NUMBERS,
      cases: [
        [{ a: { $lte: decimal('1.5') } }, [0, 1, 2, 3, 5, 12, 14]],
        [{ a: { $lte: NAN } }, [6, 7]],
        [{ a: { $lte: null } }, [9, 10]],
        [{ a: { $lte: 0 } }, [14]],
      ],
      rejected: [[{ a: { $lte: /x/ } }, 2]],
    },
    { values: TYPES, cases: [[{ a: { $lte: new MinKey() } }, [0]]] },
  ],
  $in: [
    {
      values: NUMBERS,
      cases: [
        [{ a: { $in: [2, '1'] } }, [4, 8, 12]],
        [{ a: { $in: [decimal('1.50')] } }, [5]],
        [{ a: { $in: [null, true] } }, [9, 10, 11]],
        [{ a: { $in: [NAN] } }, [6, 7]],
        [{ a: { $in: [[1, 2], [1]] } }, [12, 13]],
        [{ a: { $in: [] } }, []],
        [{ a: { $in: [9, 8, 7, 6, 5, 4, 3, long(2), 'x', [0], null] } }, [4, 9, 10, 12]],
      ],
      rejected: [
        [{ a: { $in: 1 } }, 2],
        [{ a: { $in: [{ $gt: 1 }] } }, 2],
      ],
    },
    {
      values: ARRAYS,
      cases: [
        [{ a: { $in: [[1], 'x'] } }, [1, 8]],
        [{ a: { $in: [null] } }, [7, 9]],
        [{ 'a.b': { $in: [2, null] } }, [4, 6, 9]],
      ],
    },
  ],
  $nin: [
    {
      values: NUMBERS,
      cases: [
        [{ a: { $nin: [1, null] } }, [4, 5, 6, 7, 8, 11, 13, 14]],
        [{ a: { $nin: [] } }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]],
      ],
      rejected: [[{ a: { $nin: 1 } }, 2]],
    },
  ],
  $exists: [
    {
      values: TYPES,
      cases: [
        [{ a: { $exists: true } }, [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
        [{ a: { $exists: false } }, [2]],
        [{ a: { $exists: 0 } }, [2]],
        [{ a: { $exists: decimal('0') } }, [2]],
        [{ a: { $exists: null } }, [2]],
        [{ a: { $exists: 'no' } }, [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
      ],
    },
    {
      values: ARRAYS,
      cases: [
        [{ 'a.b': { $exists: true } }, [4, 5]],
        [{ 'a.b': { $exists: false } }, [0, 1, 2, 3, 6, 7, 8, 9]],
        [{ 'a.0': { $exists: true } }, [1, 2, 3, 4, 7, 8]],
      ],
    },
  ],
  $mod: [
    {
      values: [
        5,
        long(9),
        double(5.9),
        decimal('-5.5'),
        4,
        -5,
        'x',
        NAN,
        double(1e300),
        [4, 5],
        null,
        undefined,
      ],
      cases: [
        [{ a: { $mod: [4, 1] } }, [0, 1, 2, 9]],
        [{ a: { $mod: [4, -1] } }, [3, 5]],
        [{ a: { $mod: [double(4.9), decimal('1.1')] } }, [0, 1, 2, 9]],
        [{ a: { $mod: [-4, 0] } }, [4, 9]],
      ],
      rejected: [
        [{ a: { $mod: [0, 1] } }, 2],
        [{ a: { $mod: [double(0.5), 1] } }, 2],
        [{ a: { $mod: [1] } }, 2],
        [{ a: { $mod: [1, 2, 3] } }, 2],
        [{ a: { $mod: 1 } }, 2],
        [{ a: { $mod: ['x', 1] } }, 2],
        [{ a: { $mod: [2, NAN] } }, 2],
      ],
    },
  ],
  $size: [
    {
      values: ARRAYS,
      cases: [
        [{ a: { $size: 1 } }, [1, 3, 7]],
        [{ a: { $size: 0 } }, [0]],
        [{ a: { $size: double(2) } }, [2, 4, 8]],
        [{ 'a.0': { $size: 2 } }, [3]],
      ],
      rejected: [
        [{ a: { $size: -1 } }, 2],
        [{ a: { $size: 1.5 } }, 2],
        [{ a: { $size: 'x' } }, 2],
        [{ a: { $size: long(2147483648) } }, 2],
      ],
    },
  ],
  $regex: [
    {
      values: TEXTS,
      cases: [
        [{ a: /an/ }, [1, 6]],
        [{ a: /^b/i }, [1]],
        [{ a: { $regex: 'ap' } }, [0]],
        [{ a: { $regex: /fig/ } }, [3]],
        [{ a: new BSONRegExp('an', '') }, [1, 6]],
        [{ a: { $regex: 'cherry.pie' } }, []],
        [{ a: { $regex: 'p', $ne: 'apple' } }, [2, 3]],
      ],
      rejected: [[{ a: { $regex: 1 } }, 2]],
    },
  ],
  $options: [
    {
      values: TEXTS,
      cases: [
        [{ a: { $regex: '^A', $options: 'i' } }, [0]],
        [{ a: { $options: 'i', $regex: /^A/ } }, [0]],
      ],
      rejected: [
        [{ a: { $options: 'i' } }, 2],
        [{ a: { $regex: 'x', $options: 1 } }, 2],
        [{ a: { $regex: 'x', $options: 'g' } }, 51108],
      ],
    },
  ],
  $not: [
    {
      values: NUMBERS,
      cases: [
        [{ a: { $not: { $gt: 1 } } }, [0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 13, 14]],
        [{ a: { $not: { $in: [1, null] } } }, [4, 5, 6, 7, 8, 11, 13, 14]],
        [{ a: { $not: { $exists: true } } }, [10]],
        [{ a: { $not: { $gte: 1, $lt: 2 } } }, [4, 6, 7, 8, 9, 10, 11, 13, 14]],
        [{ a: { $not: { $not: { $eq: 2 } } } }, [4, 12]],
      ],
      rejected: [
        [{ a: { $not: 1 } }, 2],
        [{ a: { $not: {} } }, 2],
        [{ a: { $not: { b: 1 } } }, 2],
        [{ $not: { a: 1 } }, 2],
      ],
    },
    {
      values: TEXTS,
      cases: [
        [{ a: { $not: /p/ } }, [1, 4, 5, 6]],
        [{ a: { $not: { $regex: 'AN', $options: 'i' } } }, [0, 2, 3, 4, 5, 6]],
      ],
    },
    { values: ARRAYS, cases: [[{ a: { $not: { $size: 1 } } }, [0, 2, 4, 5, 6, 8, 9]]] },
  ],
  $elemMatch: [
    {
      values: ARRAYS,
      cases: [
        [{ a: { $elemMatch: { $gte: 2, $lt: 4 } } }, [2, 8]],
        [{ a: { $elemMatch: { $not: { $gt: 1 } } } }, [1, 2, 3, 4, 7, 8]],
        [{ a: { $elemMatch: { $elemMatch: { $eq: 2 } } } }, [3]],
        [{ a: { $elemMatch: { $size: 2 } } }, [3]],
        [{ a: { $elemMatch: { b: 1, c: 1 } } }, [4]],
        [{ a: { $elemMatch: { $or: [{ b: 2 }, { c: 9 }] } } }, [4]],
        [{ a: { $elemMatch: { $nor: [{ b: 1 }], c: { $exists: true } } } }, [4]],
        [{ a: { $elemMatch: { 0: 1 } } }, [3]],
        [{ a: { $elemMatch: {} } }, [3, 4]],
        [{ a: { $not: { $elemMatch: { b: 1 } } } }, [0, 1, 2, 3, 5, 6, 7, 8, 9]],
      ],
      rejected: [
        [{ a: { $elemMatch: 1 } }, 2],
        [{ a: { $elemMatch: { $gt: 1, b: 2 } } }, 2],
      ],
    },
    {
      values: [[{ $ref: 'c', $id: 1 }], [{ $ref: 'c', $id: 2, x: 1 }], [{ b: [2] }, { b: 3 }]],
      cases: [
        [{ a: { $elemMatch: { $ref: 'c', $id: 2, x: 1 } } }, [1]],
        [{ 'a.b': { $elemMatch: { $gt: 1 } } }, [2]],
      ],
    },
  ],
  $and: [
    {
      values: [1, 2, 3, 4, undefined, [1, 4]],
      cases: [
        [{ $and: [{ a: { $gt: 1 } }, { a: { $lt: 4 } }] }, [1, 2, 5]],
        [{ $and: [{ $or: [{ a: 1 }, { a: 2 }] }, { $nor: [{ a: 1 }] }] }, [1]],
        [{ $and: [{ a: 1 }, { a: 4 }] }, [5]],
        [{ $and: [{}] }, [0, 1, 2, 3, 4, 5]],
      ],
      rejected: [
        [{ $and: [] }, 2],
        [{ $and: {} }, 2],
        [{ $and: [1] }, 2],
      ],
    },
  ],
  $or: [
    {
      values: [1, 2, 3, 4, undefined],
      cases: [
        [{ $or: [{ a: 1 }, { a: 4 }] }, [0, 3]],
        [{ $or: [{ a: 1 }], a: 2 }, []],
        [{ $or: [{ a: null }, { a: { $gt: 3 } }] }, [3, 4]],
      ],
      rejected: [
        [{ $or: {} }, 2],
        [{ $or: [] }, 2],
      ],
    },
  ],
  $nor: [
    {
      values: [1, 2, 3, 4, undefined],
      cases: [
        [{ $nor: [{ a: 1 }, { a: 4 }] }, [1, 2, 4]],
        [{ $nor: [{ a: { $exists: true } }] }, [4]],
      ],
      rejected: [[{ $nor: [1] }, 2]],
    },
  ],
};

const OTHER_TABLES: Readonly<Record<string, readonly Table[]>> = {
  'implicit equality': [
    {
      values: NUMBERS,
      cases: [
        [{ a: 1 }, [0, 1, 2, 3, 12]],
        [{}, NUMBERS.map((_, id) => id)],
      ],
    },
    {
      values: TYPES,
      cases: [
        [{ a: null }, [1, 2]],
        [{ a: { b: 1 } }, [5]],
        [{ a: new MinKey() }, [0]],
        [{ a: day('2024-01-01') }, [10]],
      ],
    },
    {
      values: DOCUMENTS,
      cases: [
        [{ a: { x: 1, y: 2 } }, [0]],
        [{ a: { y: 2, x: 1 } }, [1]],
        [{ a: { x: 1 } }, [2, 4, 6]],
        [{ a: {} }, [5]],
      ],
    },
    {
      values: ARRAYS,
      cases: [
        [{ a: 1 }, [1, 2, 6]],
        [{ a: [1, 2] }, [2, 3]],
        [{ a: [] }, [0]],
        [{ a: null }, [7, 9]],
      ],
      rejected: [
        [{ a: { $foo: 1 } }, 2],
        [{ a: { $gt: 1, b: 2 } }, 2],
        [{ $foo: 1 }, 2],
        [{ a: { $where: 'true' } }, 2],
      ],
    },
  ],
  'dotted paths': [
    {
      values: DOCUMENTS,
      cases: [
        [{ 'a.x': 1 }, [0, 1, 2, 4, 6]],
        [{ 'a.x.z': 1 }, [3]],
        [{ 'a.x.z': { $exists: true } }, [3]],
        [{ 'a.x': { $exists: false } }, [5]],
        [{ 'a.x.z': null }, [0, 1, 2, 4, 5, 6]],
      ],
    },
    {
      values: ARRAYS,
      cases: [
        [{ 'a.b': 1, 'a.c': 2 }, [4, 5]],
        [{ 'a.b': { $gt: 1 } }, [4]],
        [{ 'a.b': null }, [6, 9]],
        [{ 'a.0': 1 }, [1, 2]],
        [{ 'a.1.b': 2 }, [4]],
        [{ 'a.0.0': 1 }, [3]],
        [{ 'a.0': [1, 2] }, [3]],
        [{ 'a.0': null }, [4, 5, 6, 7, 9]],
        [{ 'a.01': 1 }, []],
      ],
    },
    {
      values: [
        [{ b: null }, {}],
        [[{ b: 1 }]],
        [{ 0: 7 }, 5],
        { 0: 7 },
        [4, [7]],
        [[4, 7]],
        [{ b: [{ c: 1 }, { c: [2, 3] }] }],
      ],
      cases: [
        [{ 'a.b': 1 }, []],
        [{ 'a.0.b': 1 }, [1]],
        [{ 'a.0': 7 }, [2, 3]],
        [{ 'a.1': 7 }, []],
        [{ 'a.1.0': 7 }, [4]],
        [{ 'a.b.c': 3 }, [6]],
        [{ 'a.b.1.c.0': 2 }, [6]],
        [{ 'a.b.c': { $size: 2 } }, [6]],
      ],
    },
  ],
};

describe.each(Object.entries({ ...OPERATOR_TABLES, ...OTHER_TABLES }))('%s', (_, tables) => {
  const cases = tables.flatMap(({ values, cases: all }) =>
    all.map(([filter, ids]) => [BSON.EJSON.stringify(filter), filter, ids, values] as const),
  );
  test.each(cases)('%s', async (_text, filter, ids, values) => {
    const documents = values.map((a, _id) => (a === undefined ? { _id } : { _id, a })) as Document[];
    await ground.things.insertMany(documents);
    const found = await ground.things.find(filter, { sort: { _id: 1 } }).toArray();
    expect(found.map(({ _id }) => Number(_id))).toEqual(ids);
  });

  const rejected = tables.flatMap((table) =>
    (table.rejected ?? []).map(([filter, code]) => [BSON.EJSON.stringify(filter), filter, code] as const),
  );
  if (rejected.length === 0) return;
  test.each(rejected)('the server rejects %s', async (_text, filter, code) => {
    await ground.things.insertOne({ a: 1 });
    expect(await codeOf(ground.things.find(filter).toArray())).toBe(code);
  });
});

test('the suite has a table for each filter operator in scope', () => {
  expect(Object.keys(OPERATOR_TABLES).sort()).toEqual([...FILTER_OPERATORS].sort());
});

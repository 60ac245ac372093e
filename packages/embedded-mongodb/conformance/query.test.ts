import { BSON, type Document, Timestamp } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, day, decimal, double, long } from './support/values.ts';

const { Binary, BSONRegExp, MaxKey, MinKey, ObjectId } = BSON;
const ground = prepareGround('query');

/** The values of `a` in documents with the `_id`s 0, 1, 2, …; undefined: the field is missing. */
type Values = readonly unknown[];

async function store(values: Values): Promise<void> {
  await ground.things.insertMany(
    values.map((a, _id) => (a === undefined ? { _id } : { _id, a })) as Document[],
  );
}

async function found(filter: Document): Promise<number[]> {
  const documents = await ground.things.find(filter, { sort: { _id: 1 } }).toArray();
  return documents.map(({ _id }) => Number(_id));
}

const NUMBERS: Values = [1, long(1), double(1), decimal('1.0'), 2, double(1.5), decimal('NaN'), '1', null];
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
];

describe.each<[string, Values, [Document, number[]][]]>([
  [
    'equality and comparison of numbers across types',
    NUMBERS,
    [
      [{ a: 1 }, [0, 1, 2, 3]],
      [{ a: long(1) }, [0, 1, 2, 3]],
      [{ a: decimal('1') }, [0, 1, 2, 3]],
      [{ a: { $eq: 1.5 } }, [5]],
      [{ a: { $gt: 1 } }, [4, 5]],
      [{ a: { $gte: double(1) } }, [0, 1, 2, 3, 4, 5]],
      [{ a: { $lt: 1.5 } }, [0, 1, 2, 3]],
      [{ a: { $lte: decimal('1.5') } }, [0, 1, 2, 3, 5]],
      [{ a: { $ne: 1 } }, [4, 5, 6, 7, 8]],
      [{ a: { $in: [2, '1'] } }, [4, 7]],
      [{ a: { $nin: [1, null] } }, [4, 5, 6, 7]],
      [{ a: Number.NaN }, [6]],
      [{ a: { $lt: Number.NaN } }, []],
      [{ a: { $gt: 1, $lt: 2 } }, [5]],
      [{ a: { $not: { $gt: 1 } } }, [0, 1, 2, 3, 6, 7, 8]],
      [{ a: { $type: 'number' } }, [0, 1, 2, 3, 4, 5, 6]],
      [{ a: { $type: 'int' } }, [0, 4]],
      [{ a: { $type: 'long' } }, [1]],
      [{ a: { $type: ['double', 'decimal'] } }, [2, 3, 5, 6]],
      [{ a: { $type: 1 } }, [2, 5]],
      [{ a: { $mod: [2, 1] } }, [0, 1, 2, 3, 5]],
      [{ a: { $mod: [2, 0] } }, [4]],
    ],
  ],
  [
    'types and existence',
    TYPES,
    [
      [{ a: null }, [1, 2]],
      [{ a: { $ne: null } }, [0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
      [{ a: { $exists: true } }, [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
      [{ a: { $exists: false } }, [2]],
      [{ a: { $exists: 0 } }, [2]],
      [{ a: { $type: 'null' } }, [1]],
      [{ a: { $type: 'string' } }, [4]],
      [{ a: { $type: 'object' } }, [5]],
      [{ a: { $type: 'array' } }, [6]],
      [{ a: { $type: 'binData' } }, [7]],
      [{ a: { $type: 'objectId' } }, [8]],
      [{ a: { $type: 'bool' } }, [9]],
      [{ a: { $type: 'date' } }, [10]],
      [{ a: { $type: 'timestamp' } }, [11]],
      [{ a: { $type: 'regex' } }, [12]],
      [{ a: { $type: 'minKey' } }, [0]],
      [{ a: { $type: -1 } }, [0]],
      [{ a: { $type: 'maxKey' } }, [13]],
      [{ a: { $type: 127 } }, [13]],
      [{ a: { $gt: 'a' } }, [4]],
      [{ a: { $gt: day('2023-01-01') } }, [10]],
      [{ a: { $gte: false } }, [9]],
      [{ a: { $gte: null } }, [1, 2]],
      [{ a: { $lt: new ObjectId('6f0000000000000000000000') } }, [8]],
      [{ a: { $gt: new MinKey() } }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
      [{ a: { $in: [null, 5] } }, [1, 2, 3]],
      [{ a: { b: 1 } }, [5]],
      [{ 'a.b': 1 }, [5]],
      [{ a: new BSONRegExp('x', 'i') }, [4, 12]],
    ],
  ],
  [
    'arrays',
    ARRAYS,
    [
      [{ a: 1 }, [1, 2, 6]],
      [{ a: [1, 2] }, [2, 3]],
      [{ a: [] }, [0]],
      [{ a: { $size: 1 } }, [1, 3, 7]],
      [{ a: { $size: 0 } }, [0]],
      [{ a: { $all: [1, 2] } }, [2]],
      [{ a: { $all: [[1, 2]] } }, [2, 3]],
      [{ a: { $all: [] } }, []],
      [{ a: { $elemMatch: { $gte: 2, $lt: 4 } } }, [2, 8]],
      [{ a: { $elemMatch: { b: 1, c: 1 } } }, [4]],
      [{ a: { $elemMatch: { b: 1, c: 2 } } }, []],
      [{ 'a.b': 1, 'a.c': 2 }, [4, 5]],
      [{ 'a.b': { $gt: 1 } }, [4]],
      [{ 'a.0': 1 }, [1, 2]],
      [{ 'a.1.b': 2 }, [4]],
      [{ a: null }, [7]],
      [{ 'a.b': null }, [6]],
      [{ a: { $in: [[1], 'x'] } }, [1, 8]],
      [{ a: { $ne: 1 } }, [0, 3, 4, 5, 7, 8]],
      [{ a: { $not: { $size: 1 } } }, [0, 2, 4, 5, 6, 8]],
      [{ a: { $type: 'array' } }, [0, 1, 2, 3, 4, 7, 8]],
      [{ a: { $type: 'int' } }, [1, 2, 6, 8]],
      [{ a: { $gt: 2 } }, [8]],
      [{ a: { $gt: 1, $lt: 2 } }, [2]],
      [{ a: { $all: [{ $elemMatch: { b: 1 } }, { $elemMatch: { c: 2 } }] } }, [4]],
    ],
  ],
  [
    'logical operators',
    [1, 2, 3, 4, undefined],
    [
      [{ $and: [{ a: { $gt: 1 } }, { a: { $lt: 4 } }] }, [1, 2]],
      [{ $or: [{ a: 1 }, { a: 4 }] }, [0, 3]],
      [{ $nor: [{ a: 1 }, { a: 4 }] }, [1, 2, 4]],
      [{ $or: [{ a: 1 }], a: 2 }, []],
      [{ a: { $not: { $gte: 2 } } }, [0, 4]],
      [{ a: { $not: { $in: [1, 2] } } }, [2, 3, 4]],
      [{ $and: [{ $or: [{ a: 1 }, { a: 2 }] }, { $nor: [{ a: 1 }] }] }, [1]],
      [{ $comment: 'said', a: 1 }, [0]],
      [{ $expr: { $gt: ['$a', 2] } }, [2, 3]],
      [{ $expr: { $eq: [{ $mod: ['$a', 2] }, 0] } }, [1, 3]],
      [{ $expr: { $lt: ['$a', 2] } }, [0, 4]],
      [{ $jsonSchema: { required: ['a'], properties: { a: { minimum: 3 } } } }, [2, 3]],
      [{ $jsonSchema: { properties: { a: { bsonType: 'int' } } } }, [0, 1, 2, 3, 4]],
      [{}, [0, 1, 2, 3, 4]],
    ],
  ],
  [
    'regular expressions',
    ['apple', 'Banana', 'cherry\npie', ['plum', 'fig'], 5, null],
    [
      [{ a: /an/ }, [1]],
      [{ a: /^b/i }, [1]],
      [{ a: { $regex: '^A', $options: 'i' } }, [0]],
      [{ a: { $regex: 'ap' } }, [0]],
      [{ a: { $regex: '^pie', $options: 'm' } }, [2]],
      [{ a: { $regex: 'cherry.pie', $options: 's' } }, [2]],
      [{ a: { $regex: 'cherry.pie' } }, []],
      [{ a: { $regex: 'a p p l e', $options: 'x' } }, [0]],
      [{ a: /fig/ }, [3]],
      [{ a: { $not: /p/ } }, [1, 4, 5]],
      [{ a: { $in: [/^app/, /^fig/] } }, [0, 3]],
      [{ a: { $nin: [/p/] } }, [1, 4, 5]],
    ],
  ],
  [
    'bits',
    [0, 1, 6, 7, new Binary(Buffer.from([0x06])), '6', double(6.5), long(54)],
    [
      [{ a: { $bitsAllSet: 6 } }, [2, 3, 4, 7]],
      [{ a: { $bitsAllSet: [1, 2] } }, [2, 3, 4, 7]],
      [{ a: { $bitsAnySet: 1 } }, [1, 3]],
      [{ a: { $bitsAllClear: 6 } }, [0, 1]],
      [{ a: { $bitsAnyClear: 1 } }, [0, 2, 4, 7]],
      [{ a: { $bitsAllSet: new Binary(Buffer.from([0x06])) } }, [2, 3, 4, 7]],
    ],
  ],
  [
    'documents',
    [{ x: 1, y: 2 }, { y: 2, x: 1 }, { x: 1 }, { x: { z: 1 } }, [{ x: 1 }, { x: 2 }], {}],
    [
      [{ a: { x: 1, y: 2 } }, [0]],
      [{ a: { y: 2, x: 1 } }, [1]],
      [{ a: { x: 1 } }, [2, 4]],
      [{ 'a.x': 1 }, [0, 1, 2, 4]],
      [{ 'a.x.z': 1 }, [3]],
      [{ 'a.x.z': { $exists: true } }, [3]],
      [{ 'a.x': { $exists: false } }, [5]],
      [{ a: {} }, [5]],
      [{ a: { $gt: {} } }, [0, 1, 2, 3, 4]],
      [{ a: { $lt: { x: 1, y: 0 } } }, [2, 4, 5]],
    ],
  ],
])('%s', (_, values, cases) => {
  test.each(cases.map(([filter, ids]) => [BSON.EJSON.stringify(filter), filter, ids] as const))(
    '%s',
    async (_text, filter, ids) => {
      await store(values);
      expect(await found(filter)).toEqual(ids);
    },
  );
});

test.each<[Document, number]>([
  [{ a: { $foo: 1 } }, 2],
  [{ $foo: 1 }, 2],
  [{ $and: [] }, 2],
  [{ $or: {} }, 2],
  [{ $nor: [1] }, 2],
  [{ a: { $in: 1 } }, 2],
  [{ a: { $in: [{ $gt: 1 }] } }, 2],
  [{ a: { $all: 1 } }, 2],
  [{ a: { $not: 1 } }, 2],
  [{ a: { $not: {} } }, 2],
  [{ a: { $size: -1 } }, 2],
  [{ a: { $size: 1.5 } }, 2],
  [{ a: { $elemMatch: 1 } }, 2],
  [{ a: { $mod: [0, 1] } }, 2],
  [{ a: { $mod: [1] } }, 2],
  [{ a: { $type: 'nothing' } }, 2],
  [{ a: { $type: 99 } }, 2],
  [{ a: { $options: 'i' } }, 2],
  [{ a: { $regex: '(' } }, 51091],
  [{ a: { $gt: /x/ } }, 2],
  [{ a: { $bitsAllSet: -1 } }, 9],
  [{ $expr: { $foo: 1 } }, 168],
  [{ $expr: '$$nothing' }, 17276],
  [{ $jsonSchema: { foo: 1 } }, 9],
  [{ $jsonSchema: { bsonType: 'nothing' } }, 2],
  [{ $text: { $search: 'x' } }, 27],
])('refuses %j with %i', async (filter, code) => {
  await store([1]);
  expect(await codeOf(ground.things.find(filter).toArray())).toBe(code);
});

import { BSON, type Document, Timestamp } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { MODIFIERS } from '../src/semantics/update/parse-modifiers.ts';
import { prepareGround } from './support/ground.ts';
import { codeOf, day, decimal, double, expectSame, long } from './support/values.ts';

const { Binary, BSONRegExp, MaxKey, MinKey, ObjectId } = BSON;
const ground = prepareGround('update');

type Update = Document | Document[];
/** An update and its result, both documents without their `_id`. The operation counts the document as modified. */
type Case = readonly [before: Document, update: Update, after: Document];
/** An update that neither changes the document nor counts it as modified. */
type NoChange = readonly [document: Document, update: Update];
/** An update that is rejected with a code. */
type Rejected = readonly [document: Document, update: Update, code: number];
interface Table {
  cases: readonly Case[];
  unchanged?: readonly NoChange[];
  rejected?: readonly Rejected[];
}

const MAX_INT = 2147483647;
const MAX_LONG = long('9223372036854775807');
const MIN_LONG = long('-9223372036854775808');
const NAN = double(Number.NaN);

/** A table for each update modifier in scope. */
const MODIFIER_TABLES: Readonly<Record<string, Table>> = {
  $set: {
    cases: [
      [{ a: 1 }, { $set: { a: 'x' } }, { a: 'x' }],
      [{ a: 1 }, { $set: { c: 1, b: 2 } }, { a: 1, b: 2, c: 1 }],
      [{}, { $set: { 10: 1, 9: 2 } }, { 9: 2, 10: 1 }],
      [{}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
      [{ a: { b: 1, c: 2 } }, { $set: { 'a.b': 3 } }, { a: { b: 3, c: 2 } }],
      [{ a: { x: 1 } }, { $set: { a: { y: 1 } } }, { a: { y: 1 } }],
      [{ a: [1, 2] }, { $set: { 'a.1': 9 } }, { a: [1, 9] }],
      [{ a: [1] }, { $set: { 'a.3': 9 } }, { a: [1, null, null, 9] }],
      [{ a: [1] }, { $set: { 'a.2.b': 9 } }, { a: [1, null, { b: 9 }] }],
      [{ a: [{ b: 1 }] }, { $set: { 'a.0.b': 2, 'a.0.c': 3 } }, { a: [{ b: 2, c: 3 }] }],
      [{ a: [[1]] }, { $set: { 'a.0.1': 2 } }, { a: [[1, 2]] }],
      [{ a: {} }, { $set: { 'a.0': 1 } }, { a: { 0: 1 } }],
      [{ a: 1 }, { $set: { a: long(1) } }, { a: long(1) }],
      [{ a: 0 }, { $set: { a: double(-0) } }, { a: double(-0) }],
      [{ a: decimal('1.0') }, { $set: { a: decimal('1.00') } }, { a: decimal('1.00') }],
      [{ a: { x: 1, y: 2 } }, { $set: { a: { y: 2, x: 1 } } }, { a: { y: 2, x: 1 } }],
      [{}, { $set: { $dollar: 1 } }, { $dollar: 1 }],
      [{}, { $set: { 'a.$dollar': 1 } }, { a: { $dollar: 1 } }],
      [{}, { $set: { a: { $each: [1] } } }, { a: { $each: [1] } }],
      [{ b: 0 }, { $set: { a: null } }, { b: 0, a: null }],
    ],
    unchanged: [
      [{ a: 1 }, { $set: { a: 1 } }],
      [{ a: { x: [1, NAN] } }, { $set: { a: { x: [1, NAN] } } }],
      [{ a: 1 }, { $set: {} }],
      [{ a: 1 }, { $set: { _id: 1 } }],
    ],
    rejected: [
      [{}, { $set: 5 }, 9],
      [{}, { $set: { _id: 2 } }, 66],
      [{}, { $set: { _id: double(1) } }, 66],
      [{ _id: { a: 1 } }, { $set: { '_id.a': 2 } }, 66],
      [{ _id: { a: 1 } }, { $set: { '_id.b': 2 } }, 66],
      [{ a: 1 }, { $set: { 'a.b': 1 } }, 28],
      [{ a: null }, { $set: { 'a.b': 1 } }, 28],
      [{ a: [1] }, { $set: { 'a.x': 1 } }, 28],
      [{ a: [1] }, { $set: { 'a.0.x': 1 } }, 28],
      [{ a: [1] }, { $set: { 'a.x.y.z': 1 } }, 28],
      [{ a: [] }, { $set: { 'a.1500001': 1 } }, 34],
      [{}, { $set: { '': 1 } }, 56],
      [{}, { $set: { 'a..b': 1 } }, 56],
      [{}, { $set: { 'a.': 1 } }, 56],
    ],
  },
  $setOnInsert: {
    cases: [[{ a: 1 }, { $setOnInsert: { a: 2 }, $set: { b: 1 } }, { a: 1, b: 1 }]],
    unchanged: [
      [{ a: 1 }, { $setOnInsert: { a: 2 } }],
      [{ a: 1 }, { $setOnInsert: { 'a.b': 2, 'c.d': 1 } }],
    ],
    rejected: [[{}, { $setOnInsert: { a: 1 }, $set: { a: 1 } }, 40]],
  },
  $unset: {
    cases: [
      [{ a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
      [{ a: { b: 1, c: 2 } }, { $unset: { 'a.b': true } }, { a: { c: 2 } }],
      [{ a: { b: 1 } }, { $unset: { 'a.b': 1 } }, { a: {} }],
      [{ a: [1, 2, 3] }, { $unset: { 'a.1': 1 } }, { a: [1, null, 3] }],
      [{ a: [null] }, { $unset: { 'a.0': 1 } }, { a: [null] }],
      [{ a: [{ b: 1, c: 1 }] }, { $unset: { 'a.0.b': 1 } }, { a: [{ c: 1 }] }],
    ],
    unchanged: [
      [{ a: 1 }, { $unset: { x: 1, 'x.y': 1, 'a.b': 1 } }],
      [{ a: [1] }, { $unset: { 'a.b': 1, 'a.5': 1 } }],
    ],
    rejected: [[{}, { $unset: { _id: 1 } }, 66]],
  },
  $inc: {
    cases: [
      [{ a: 1 }, { $inc: { a: 2 } }, { a: 3 }],
      [{ a: 5 }, { $inc: { a: -7 } }, { a: -2 }],
      [{}, { $inc: { a: 2, 'b.c': long(1) } }, { a: 2, b: { c: long(1) } }],
      [{ a: [1, 2] }, { $inc: { 'a.1': 5, 'a.2': 7 } }, { a: [1, 7, 7] }],
      [{ a: MAX_INT }, { $inc: { a: 1 } }, { a: long(2147483648) }],
      [{ a: long(2147483648) }, { $inc: { a: -1 } }, { a: long(MAX_INT) }],
      [{ a: 1 }, { $inc: { a: long(1) } }, { a: long(2) }],
      [{ a: long(1) }, { $inc: { a: 1 } }, { a: long(2) }],
      [{ a: 1 }, { $inc: { a: long(0) } }, { a: long(1) }],
      [{ a: long('9007199254740992') }, { $inc: { a: 1 } }, { a: long('9007199254740993') }],
      [{ a: 1 }, { $inc: { a: double(0.5) } }, { a: double(1.5) }],
      [{ a: MAX_LONG }, { $inc: { a: double(1) } }, { a: double(2 ** 63) }],
      [{ a: double(1) }, { $inc: { a: NAN } }, { a: NAN }],
      [{}, { $inc: { a: double(-0) } }, { a: double(-0) }],
    ],
    unchanged: [
      [{ a: 1 }, { $inc: { a: 0 } }],
      [{ a: double(0) }, { $inc: { a: double(-0) } }],
      [{ a: double(-0) }, { $inc: { a: long(0) } }],
    ],
    rejected: [
      [{ a: 'x' }, { $inc: { a: 1 } }, 14],
      [{ a: null }, { $inc: { a: 1 } }, 14],
      [{ a: [1] }, { $inc: { a: 1 } }, 14],
      [{ a: 1 }, { $inc: { a: 'x' } }, 14],
      [{ a: 1 }, { $inc: { a: null } }, 14],
      [{ a: MAX_LONG }, { $inc: { a: 1 } }, 2],
      [{ a: MIN_LONG }, { $inc: { a: long(-1) } }, 2],
      [{ a: 5 }, { $inc: { 'a.b': 1 } }, 28],
    ],
  },
  $min: {
    cases: [
      [{ a: 5 }, { $min: { a: 3 } }, { a: 3 }],
      [{ a: 5 }, { $min: { a: double(4.5) } }, { a: double(4.5) }],
      [{ a: 5 }, { $min: { a: NAN } }, { a: NAN }],
      [{ a: 5 }, { $min: { a: null } }, { a: null }],
      [{ a: { x: 2 } }, { $min: { a: { x: 1 } } }, { a: { x: 1 } }],
      [{ a: new MaxKey() }, { $min: { a: true } }, { a: true }],
      [{}, { $min: { a: 7, 'b.c': 'x' } }, { a: 7, b: { c: 'x' } }],
    ],
    unchanged: [
      [{ a: 5 }, { $min: { a: 7 } }],
      [{ a: 5 }, { $min: { a: double(5) } }],
      [{ a: null }, { $min: { a: 7 } }],
      [{ a: NAN }, { $min: { a: double(Number.NEGATIVE_INFINITY) } }],
    ],
    rejected: [[{ a: 1 }, { $min: { 'a.b': 1 } }, 28]],
  },
  $max: {
    cases: [
      [{ a: 5 }, { $max: { a: 7 } }, { a: 7 }],
      [{ a: null }, { $max: { a: -1 } }, { a: -1 }],
      [{ a: [1, 2] }, { $max: { a: [1, 3] } }, { a: [1, 3] }],
      [{ a: 9 }, { $max: { a: [] } }, { a: [] }],
      [{ a: day('2024-01-01') }, { $max: { a: day('2025-01-01') } }, { a: day('2025-01-01') }],
      [
        { a: new ObjectId('7fffffff0000000000000000') },
        { $max: { a: new ObjectId('800000000000000000000000') } },
        { a: new ObjectId('800000000000000000000000') },
      ],
      [{}, { $max: { a: new MinKey() } }, { a: new MinKey() }],
    ],
    unchanged: [
      [{ a: 5 }, { $max: { a: 0 } }],
      [{ a: long(5) }, { $max: { a: decimal('5.0') } }],
      [{ a: [1] }, { $max: { a: 'text' } }],
    ],
  },
  $bit: {
    cases: [
      [{ a: 5 }, { $bit: { a: { or: 2 } } }, { a: 7 }],
      [{ a: long(5) }, { $bit: { a: { or: 2 } } }, { a: long(7) }],
      [{ a: 5 }, { $bit: { a: { or: long(2) } } }, { a: long(7) }],
    ],
    unchanged: [[{ a: 5 }, { $bit: { a: { and: 7 } } }]],
    rejected: [
      [{ a: null }, { $bit: { a: { or: 1 } } }, 2],
      [{ a: double(1) }, { $bit: { a: { or: 1 } } }, 2],
      [{ a: 1 }, { $bit: { a: { or: double(1) } } }, 2],
      [{ a: 1 }, { $bit: { a: {} } }, 2],
      [{ a: 1 }, { $bit: { a: 1 } }, 2],
    ],
  },
  $push: {
    cases: [
      [{ a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
      [{}, { $push: { a: 1, 'b.c': 1 } }, { a: [1], b: { c: [1] } }],
      [{ a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
      [{ a: [1] }, { $push: { a: null } }, { a: [1, null] }],
      [{ a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
      [{}, { $push: { a: { $each: [] } } }, { a: [] }],
      [{ a: [{ b: [1] }] }, { $push: { 'a.0.b': 2 } }, { a: [{ b: [1, 2] }] }],
      [{ a: [1, 2] }, { $push: { a: { $each: [3, 4], $slice: -3 } } }, { a: [2, 3, 4] }],
      [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }],
      [{ a: [1, 2] }, { $push: { a: { $each: [], $slice: 0 } } }, { a: [] }],
      [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: double(-1) } } }, { a: [3] }],
    ],
    unchanged: [[{ a: [1] }, { $push: { a: { $each: [] } } }]],
    rejected: [
      [{ a: 1 }, { $push: { a: 1 } }, 2],
      [{ a: null }, { $push: { a: 1 } }, 2],
      [{ a: [1] }, { $push: { a: { $each: 1 } } }, 2],
      [{ a: [1] }, { $push: { a: { $each: [1], $slice: 'x' } } }, 2],
      [{ a: [1] }, { $push: { a: { $each: [1], $slice: 1.5 } } }, 2],
      [{ a: [1] }, { $push: { a: { $each: [1], $foo: 1 } } }, 2],
    ],
  },
  $pull: {
    cases: [
      [{ a: [1, double(1), 2, [1]] }, { $pull: { a: 1 } }, { a: [2, [1]] }],
      [{ a: [1, null, 'x'] }, { $pull: { a: null } }, { a: [1, 'x'] }],
      [{ a: [[1, 2], [2, 1], 1] }, { $pull: { a: [1, 2] } }, { a: [[2, 1], 1] }],
      [{ a: [1, 5, 8, 'x'] }, { $pull: { a: { $gte: 5 } } }, { a: [1, 'x'] }],
      [{ a: [1, 5, 8] }, { $pull: { a: { $gt: 1, $lt: 8 } } }, { a: [1, 8] }],
      [{ a: [1, 2, 3] }, { $pull: { a: { $in: [1, 3] } } }, { a: [2] }],
      [{ a: [1, 2, 3] }, { $pull: { a: { $ne: 2 } } }, { a: [2] }],
      [{ a: [[1, 9], [2], 9] }, { $pull: { a: { $gt: 8 } } }, { a: [[2]] }],
      [{ a: ['ab', 'b', 5] }, { $pull: { a: /^a/ } }, { a: ['b', 5] }],
      [{ a: ['ab', 'b'] }, { $pull: { a: { $regex: '^A', $options: 'i' } } }, { a: ['b'] }],
      [{ a: [{ b: 1, c: 1 }, { b: 2 }, 1] }, { $pull: { a: { b: 1 } } }, { a: [{ b: 2 }, 1] }],
      [
        { a: [{ b: 1, c: 1 }, { b: 1 }] },
        { $pull: { a: { b: 1, c: { $exists: false } } } },
        { a: [{ b: 1, c: 1 }] },
      ],
      [
        { a: [{ x: 1 }, { y: 1 }, { z: 1 }] },
        { $pull: { a: { $or: [{ x: 1 }, { y: 1 }] } } },
        { a: [{ z: 1 }] },
      ],
      [{ a: [{ x: 1 }, 5] }, { $pull: { a: {} } }, { a: [5] }],
    ],
    unchanged: [
      [{ a: [1, 2] }, { $pull: { a: 3 } }],
      [{ b: 1 }, { $pull: { a: 3 } }],
    ],
    rejected: [
      [{ a: 1 }, { $pull: { a: 1 } }, 2],
      [{ a: 5 }, { $pull: { 'a.b': 1 } }, 28],
      [{ a: [1] }, { $pull: { a: { $foo: 1 } } }, 2],
      [{ a: [1] }, { $pull: { a: { $not: { $gt: 1 } } } }, 2],
    ],
  },
};

const OTHER_TABLES: Readonly<Record<string, Table>> = {
  'modifiers together': {
    cases: [
      [
        { a: 1, b: 1 },
        { $set: { c: 1 }, $inc: { a: 1 }, $unset: { b: 1 } },
        { a: 2, c: 1 },
      ],
      [{ a: [1, 2] }, { $set: { 'a.0': 5 }, $inc: { 'a.1': 1 } }, { a: [5, 3] }],
      [
        { a: [] },
        { $set: { 'a.10': 1, 'a.2': 2 } },
        { a: [null, null, 2, null, null, null, null, null, null, null, 1] },
      ],
    ],
    rejected: [
      [{}, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
      [{}, { $set: { 'b.c': 1, b: 1 } }, 40],
      [{}, { $set: { b: 1 }, $push: { 'b.c.d': 1 } }, 40],
      [{}, { $foo: { a: 1 } }, 9],
      [{}, { $set: { a: 1 }, b: 1 }, 9],
    ],
  },
  pipelines: {
    cases: [
      [{ a: 1, b: 2 }, [{ $set: { c: { $subtract: ['$a', '$b'] } } }], { a: 1, b: 2, c: -1 }],
      [{ a: 1, b: { c: 1 } }, [{ $replaceWith: '$b' }], { c: 1 }],
      [{ a: 1, b: 2 }, [{ $project: { a: 1 } }], { a: 1 }],
      [{ a: 1 }, [{ $set: { b: 5 } }, { $set: { a: '$b' } }], { a: 5, b: 5 }],
      [{ a: 1 }, [{ $set: { a: '$$REMOVE' } }], {}],
      [{ a: 1 }, [{ $addFields: { a: { $cond: [{ $gt: ['$a', 0] }, 'pos', 'neg'] } } }], { a: 'pos' }],
    ],
    unchanged: [
      [{ a: 1 }, []],
      [{ a: 1 }, [{ $set: { a: 1 } }]],
    ],
    rejected: [
      [{}, [{ $group: { _id: 1 } }], 72],
      [{}, [{ $foo: 1 }], 40324],
      [{}, [5], 14],
      [{}, [{ $set: { _id: 5 } }], 66],
      [{}, [{ $replaceWith: 5 }], 40228],
    ],
  },
  replacement: {
    cases: [
      [{ a: 1, b: 2 }, { c: 3 }, { c: 3 }],
      [{ a: 1 }, {}, {}],
      [{ a: 1 }, { b: 2, _id: 1 }, { b: 2 }],
      [{ a: 1 }, { a: { $x: 1 } }, { a: { $x: 1 } }],
      [{ a: 1 }, { a: 1 }, { a: 1 }],
    ],
    unchanged: [[{ a: 1 }, { _id: 1, a: 1 }]],
    rejected: [
      [{}, { _id: 2, a: 1 }, 66],
      [{}, { _id: [1] }, 53],
      [{}, { a: 1, $set: { b: 1 } }, 52],
    ],
  },
};

/** Runs one update and returns the reply, which contains the code if the update is rejected. */
async function run(u: Update, q: Document = {}, options: Document = {}): Promise<Document> {
  return await ground.command({ update: 'things', updates: [{ q, u, ...options }] });
}

const titleOf = ([before, update]: readonly [Document, Update, ...unknown[]]): string =>
  `${BSON.EJSON.stringify(before)} ${BSON.EJSON.stringify(update)}`;

describe.each(Object.entries({ ...MODIFIER_TABLES, ...OTHER_TABLES }))('%s', (_, table) => {
  const { cases, unchanged = [], rejected = [] } = table;
  const applied = [
    ...cases.map((one) => ({ one, modified: 1 })),
    ...unchanged.map(([before, update]) => ({ one: [before, update, before] as const, modified: 0 })),
  ];
  test.each(applied.map((each) => [titleOf(each.one), each] as const))(
    '%s',
    async (_text, { one, modified }) => {
      const [before, update, after] = one;
      await ground.things.insertOne({ _id: 1 as never, ...before });
      const { nModified } = await run(update);
      expectSame(await ground.stored(), [{ _id: 1, ...after }]);
      expect(Number(nModified)).toBe(modified);
    },
  );

  if (rejected.length === 0) return;
  test.each(rejected.map((one) => [titleOf(one), one] as const))(
    'the server rejects %s',
    async (_text, [before, update, code]) => {
      await ground.things.insertOne({ _id: 1 as never, ...before });
      const { writeErrors = [] } = await run(update);
      expect(Number(writeErrors[0]?.code)).toBe(code);
      expectSame(await ground.stored(), [{ _id: 1, ...before }]);
    },
  );
});

test('the server has a table for each update modifier in scope', () => {
  expect(Object.keys(MODIFIER_TABLES)).toEqual(Object.keys(MODIFIERS));
});

test('the server rejects a replacement of many documents', async () => {
  const { writeErrors } = await run({ a: 1 }, {}, { multi: true });
  expect(Number(writeErrors[0].code)).toBe(9);
});

test('a replacement sets empty timestamps at the top level to the current time, except in the _id', async () => {
  const empty = new Timestamp({ t: 0, i: 0 });
  await ground.things.insertOne({ _id: empty as never });
  await run({ a: empty, b: { c: empty } });
  const [stored] = await ground.stored();
  expectSame([stored?._id, stored?.b], [empty, { c: empty }]);
  expect(stored?.a.t).toBeGreaterThan(1_700_000_000);
});

test('the server rejects an update that nests a document deeper than 180 levels', async () => {
  const nested = (levels: number) => BSON.EJSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  await ground.things.insertOne({ _id: 1 as never });
  const { writeErrors } = await run({ $set: { 'a.b': nested(179) } });
  expect(Number(writeErrors[0].code)).toBe(15);
  const { nModified } = await run({ $set: { 'a.b': nested(178) } });
  expect(Number(nModified)).toBe(1);
});

test.each<[filter: Document, Update, stored: Document]>([
  [{ _id: 5, a: 1 }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
  [{ b: 1, a: 2, _id: 5 }, { $set: { c: 2 } }, { _id: 5, a: 2, b: 1, c: 2 }],
  [{ _id: 5, a: { $eq: 1 } }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
  [{ _id: 5, a: { $gt: 1 } }, { $set: { b: 2 } }, { _id: 5, b: 2 }],
  [{ _id: 5, a: { $eq: /x/ } }, { $set: { b: 2 } }, { _id: 5, a: new BSONRegExp('x', ''), b: 2 }],
  [{ _id: 5, a: /x/ }, { $set: { b: 2 } }, { _id: 5, b: 2 }],
  [{ _id: 5, 'a.b': 1 }, { $set: { c: 2 } }, { _id: 5, a: { b: 1 }, c: 2 }],
  [{ _id: 5, 'a.b': 1, 'a.c.d': 2 }, { $inc: { 'a.b': 1 } }, { _id: 5, a: { b: 2, c: { d: 2 } } }],
  [{ _id: 5, 'a.0': 1 }, { $set: { c: 2 } }, { _id: 5, a: { 0: 1 }, c: 2 }],
  [{ _id: 5, a: [1, 2] }, { $push: { a: 3 } }, { _id: 5, a: [1, 2, 3] }],
  [{ '_id.x': 5 }, { $set: { a: 1 } }, { _id: { x: 5 }, a: 1 }],
  [{ $and: [{ _id: 5 }, { a: 1 }] }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
  [{ _id: 5, $or: [{ a: 1 }] }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
  [{ _id: 5, $or: [{ a: 1 }, { a: 2 }] }, { $set: { b: 2 } }, { _id: 5, b: 2 }],
  [{ _id: 5, $nor: [{ a: 1 }] }, { $set: { b: 2 } }, { _id: 5, b: 2 }],
  [{ _id: 5, a: { $in: [1] } }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
  [{ _id: 5, a: { $in: [1, double(1)] } }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
  [{ _id: 5, a: { $in: [1, 2] } }, { $set: { b: 2 } }, { _id: 5, b: 2 }],
  [{ _id: 5, a: null }, { $set: { b: 2 } }, { _id: 5, a: null, b: 2 }],
  [{ _id: null }, { $set: { b: 2 } }, { _id: null, b: 2 }],
  [{ _id: 5, a: 1 }, { $set: { a: 2 } }, { _id: 5, a: 2 }],
  [{ a: 1 }, { $set: { _id: 9 } }, { _id: 9, a: 1 }],
  [{ _id: 5 }, { $setOnInsert: { a: 1 }, $inc: { n: 1 } }, { _id: 5, a: 1, n: 1 }],
  [{ _id: 5 }, { $unset: { a: 1 } }, { _id: 5 }],
  [{ _id: 5, a: 1 }, [{ $set: { b: '$a' } }], { _id: 5, a: 1, b: 1 }],
  [{ _id: 5, a: 1 }, { b: 2 }, { _id: 5, b: 2 }],
  [{ a: 1 }, { b: 2, _id: 6 }, { _id: 6, b: 2 }],
])('upsert of %j by %j', async (filter, update, stored) => {
  const { n, upserted } = await run(update, filter, { upsert: true });
  expectSame([n, upserted], [1, [{ index: 0, _id: stored._id }]]);
  expectSame(await ground.stored(), [stored]);
});

test('upsert inserts an ObjectId if neither the filter nor the update specifies an _id', async () => {
  await run({ $set: { b: 1 } }, { a: 1 }, { upsert: true });
  const [stored] = await ground.stored();
  expect(Object.keys(stored ?? {})).toEqual(['_id', 'a', 'b']);
  expect(stored?._id).toBeInstanceOf(ObjectId);
});

test.each<[filter: Document, Document, code: number]>([
  [{ a: 1 }, { $set: { 'a.b': 1 } }, 28],
  [{ _id: 1 }, { $set: { _id: 2 } }, 66],
  [{ _id: 1 }, { _id: 2 }, 66],
  [{ $and: [{ a: 1 }, { a: 2 }] }, { $set: { b: 1 } }, 54],
  [{ a: { b: 1 }, 'a.b': 1 }, { $set: { b: 1 } }, 54],
  [{ '_id.x': 1 }, { a: 1 }, 111],
  [{ _id: { $in: [[1]] } }, { $set: { a: 1 } }, 53],
  [{ a: 1 }, { $set: { _id: { $a: 1 } } }, 52],
  [{ a: 1 }, { $set: { _id: { a: [{ $b: 1 }] } } }, 52],
])('upsert rejects %j with %j', async (filter, update, code) => {
  const { writeErrors } = await run(update, filter, { upsert: true });
  expect(Number(writeErrors[0].code)).toBe(code);
  expectSame(await ground.stored(), []);
});

test('the server updates many documents and counts those that changed', async () => {
  await ground.things.insertMany([{ a: 1 }, { a: 2 }, { a: 2 }]);
  const { n, nModified } = await run({ $set: { a: 2 } }, {}, { multi: true });
  expectSame([n, nModified], [3, 1]);
});

test('the server preserves the type of every value that it does not change', async () => {
  const values = {
    double: double(1),
    long: long(1),
    decimal: decimal('1.00'),
    binary: new Binary(Buffer.from('ab'), 4),
    id: new ObjectId('800000000000000000000000'),
    date: day('1969-01-01'),
    regex: new BSONRegExp('x', 'i'),
    stamp: new Timestamp({ t: 4_294_967_295, i: 1 }),
    min: new MinKey(),
    max: new MaxKey(),
  };
  await ground.things.insertOne({ _id: 1 as never, ...values });
  await run({ $set: { a: 1 } });
  expectSame(await ground.stored(), [{ _id: 1, ...values, a: 1 }]);
});

test('the server rejects a hint that names an index that does not exist', async () => {
  await ground.things.insertOne({ a: 1 });
  expect(await codeOf(ground.things.updateOne({}, { $set: { a: 2 } }, { hint: 'none' }))).toBe(2);
});

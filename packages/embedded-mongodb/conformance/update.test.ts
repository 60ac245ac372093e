import { BSON, type Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, day, decimal, double, expectSame, long } from './support/values.ts';

const ground = prepareGround('update');

type Update = Document | Document[];
interface Options {
  filter?: Document;
  arrayFilters?: Document[];
  let?: Document;
}

/** What an update of the one document makes of it; both without their `_id`. */
type Case = [before: Document, update: Update, after: Document, options?: Options];

describe.each<[string, Case[]]>([
  [
    '$set',
    [
      [{ a: 1 }, { $set: { a: 'x' } }, { a: 'x' }],
      [{ a: 1 }, { $set: { b: 2 } }, { a: 1, b: 2 }],
      [{ a: 1 }, { $set: { c: 1, b: 2 } }, { a: 1, b: 2, c: 1 }],
      [{}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
      [{ a: { b: 1, c: 2 } }, { $set: { 'a.b': 3 } }, { a: { b: 3, c: 2 } }],
      [{ a: [1, 2] }, { $set: { 'a.1': 9 } }, { a: [1, 9] }],
      [{ a: [1] }, { $set: { 'a.3': 9 } }, { a: [1, null, null, 9] }],
      [{ a: [{ b: 1 }] }, { $set: { 'a.0.b': 2 } }, { a: [{ b: 2 }] }],
      [{ a: {} }, { $set: { 'a.0': 1 } }, { a: { 0: 1 } }],
      [{ a: 1 }, { $set: { a: long(1) } }, { a: long(1) }],
      [{ a: { x: 1 } }, { $set: { a: { y: 1 } } }, { a: { y: 1 } }],
      [{ a: 1 }, { $set: {} }, { a: 1 }],
      [{}, { $set: { $dollar: 1 } }, { $dollar: 1 }],
      [{}, { $set: { 'a.$dollar': 1 } }, { a: { $dollar: 1 } }],
      [{ a: 1 }, { $setOnInsert: { a: 2 } }, { a: 1 }],
    ],
  ],
  [
    '$unset and $rename',
    [
      [{ a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
      [{ a: 1 }, { $unset: { x: 1 } }, { a: 1 }],
      [{ a: { b: 1, c: 2 } }, { $unset: { 'a.b': true } }, { a: { c: 2 } }],
      [{ a: [1, 2, 3] }, { $unset: { 'a.1': 1 } }, { a: [1, null, 3] }],
      [{ a: 1 }, { $rename: { a: 'b' } }, { b: 1 }],
      [{ a: 1, b: 2 }, { $rename: { a: 'b' } }, { b: 1 }],
      [{ a: { b: 1 } }, { $rename: { 'a.b': 'c.d' } }, { a: {}, c: { d: 1 } }],
      [{ a: 1 }, { $rename: { x: 'y' } }, { a: 1 }],
    ],
  ],
  [
    'numbers',
    [
      [{ a: 1 }, { $inc: { a: 2 } }, { a: 3 }],
      [{}, { $inc: { a: 2 } }, { a: 2 }],
      [{ a: 1 }, { $inc: { a: double(0.5) } }, { a: double(1.5) }],
      [{ a: 2147483647 }, { $inc: { a: 1 } }, { a: long(2147483648) }],
      [{ a: 1 }, { $inc: { a: long(1) } }, { a: long(2) }],
      [{ a: decimal('0.1') }, { $inc: { a: decimal('0.2') } }, { a: decimal('0.3') }],
      [{ a: 5 }, { $inc: { a: -7 } }, { a: -2 }],
      [{ a: 3 }, { $mul: { a: 4 } }, { a: 12 }],
      [{}, { $mul: { a: 4 } }, { a: 0 }],
      [{ a: 2 }, { $mul: { a: double(1.5) } }, { a: double(3) }],
      [{ a: 5 }, { $min: { a: 3 } }, { a: 3 }],
      [{ a: 5 }, { $min: { a: 7 } }, { a: 5 }],
      [{}, { $min: { a: 7 } }, { a: 7 }],
      [{ a: 5 }, { $max: { a: 7 } }, { a: 7 }],
      [{ a: 5 }, { $max: { a: 'text' } }, { a: 'text' }],
      [{ a: day('2024-01-01') }, { $max: { a: day('2025-01-01') } }, { a: day('2025-01-01') }],
      [{ a: 5 }, { $bit: { a: { and: 6 } } }, { a: 4 }],
      [{ a: 5 }, { $bit: { a: { or: 2 } } }, { a: 7 }],
      [{ a: 5 }, { $bit: { a: { xor: 1 } } }, { a: 4 }],
      [{ a: long(5) }, { $bit: { a: { or: 2 } } }, { a: long(7) }],
    ],
  ],
  [
    '$push and $addToSet',
    [
      [{ a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
      [{}, { $push: { a: 1 } }, { a: [1] }],
      [{ a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
      [{ a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
      [{ a: [1, 2] }, { $push: { a: { $each: [9], $position: 0 } } }, { a: [9, 1, 2] }],
      [{ a: [1, 2] }, { $push: { a: { $each: [9], $position: -1 } } }, { a: [1, 9, 2] }],
      [{ a: [1, 2] }, { $push: { a: { $each: [3, 4], $slice: -3 } } }, { a: [2, 3, 4] }],
      [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }],
      [{ a: [1, 2] }, { $push: { a: { $each: [], $slice: 0 } } }, { a: [] }],
      [{ a: [3, 1] }, { $push: { a: { $each: [2], $sort: 1 } } }, { a: [1, 2, 3] }],
      [{ a: [3, 1] }, { $push: { a: { $each: [2], $sort: -1, $slice: 2 } } }, { a: [3, 2] }],
      [
        { a: [{ n: 2 }, { n: 1 }] },
        { $push: { a: { $each: [{ n: 0 }], $sort: { n: 1 } } } },
        { a: [{ n: 0 }, { n: 1 }, { n: 2 }] },
      ],
      [{ a: [1] }, { $addToSet: { a: 1 } }, { a: [1] }],
      [{ a: [1] }, { $addToSet: { a: 2 } }, { a: [1, 2] }],
      [{ a: [1] }, { $addToSet: { a: double(1) } }, { a: [1] }],
      [{ a: [1] }, { $addToSet: { a: { $each: [1, 2, 2, 3] } } }, { a: [1, 2, 3] }],
      [
        { a: [{ x: 1, y: 2 }] },
        { $addToSet: { a: { y: 2, x: 1 } } },
        {
          a: [
            { x: 1, y: 2 },
            { y: 2, x: 1 },
          ],
        },
      ],
      [{}, { $addToSet: { a: { $each: [1, 1] } } }, { a: [1] }],
    ],
  ],
  [
    '$pop, $pull and $pullAll',
    [
      [{ a: [1, 2, 3] }, { $pop: { a: 1 } }, { a: [1, 2] }],
      [{ a: [1, 2, 3] }, { $pop: { a: -1 } }, { a: [2, 3] }],
      [{ a: [] }, { $pop: { a: 1 } }, { a: [] }],
      [{}, { $pop: { a: 1 } }, {}],
      [{ a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
      [{ a: [1, 5, 8] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
      [{ a: [{ b: 1, c: 1 }, { b: 2 }] }, { $pull: { a: { b: 1 } } }, { a: [{ b: 2 }] }],
      [
        { a: [{ b: [1, 2] }, { b: [3] }] },
        { $pull: { a: { b: { $elemMatch: { $gt: 2 } } } } },
        { a: [{ b: [1, 2] }] },
      ],
      [{ a: ['x', 'y'] }, { $pull: { a: /x/ } }, { a: ['y'] }],
      [{ a: [1, 2, 3] }, { $pull: { a: { $in: [1, 3] } } }, { a: [2] }],
      [{ a: [1, 2, 3, 1] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
    ],
  ],
  [
    'positional operators',
    [
      [{ a: [1, 5] }, { $set: { 'a.$': 9 } }, { a: [1, 9] }, { filter: { a: 5 } }],
      [
        {
          a: [
            { b: 1, c: 1 },
            { b: 2, c: 1 },
          ],
        },
        { $inc: { 'a.$.c': 5 } },
        {
          a: [
            { b: 1, c: 1 },
            { b: 2, c: 6 },
          ],
        },
        { filter: { 'a.b': 2 } },
      ],
      [
        { a: [{ b: 1 }, { b: 2 }] },
        { $set: { 'a.$.c': 1 } },
        { a: [{ b: 1 }, { b: 2, c: 1 }] },
        { filter: { a: { $elemMatch: { b: { $gt: 1 } } } } },
      ],
      [{ a: [1, 2] }, { $inc: { 'a.$[]': 10 } }, { a: [11, 12] }],
      [{ a: [{ b: [1] }, { b: [2] }] }, { $inc: { 'a.$[].b.$[]': 1 } }, { a: [{ b: [2] }, { b: [3] }] }],
      [
        { a: [1, 5, 8] },
        { $set: { 'a.$[big]': 0 } },
        { a: [1, 0, 0] },
        { arrayFilters: [{ big: { $gte: 5 } }] },
      ],
      [
        { a: [{ n: 1 }, { n: 2 }] },
        { $unset: { 'a.$[x].n': 1 } },
        { a: [{ n: 1 }, {}] },
        { arrayFilters: [{ 'x.n': 2 }] },
      ],
      [{ a: [1, 2] }, { $unset: { 'a.$[]': 1 } }, { a: [null, null] }],
    ],
  ],
  [
    'pipelines',
    [
      [{ a: 1, b: 2 }, [{ $set: { c: { $add: ['$a', '$b'] } } }], { a: 1, b: 2, c: 3 }],
      [{ a: 1, b: 2 }, [{ $unset: 'a' }], { b: 2 }],
      [{ a: 1, b: 2 }, [{ $unset: ['a', 'b'] }], {}],
      [{ a: 1, b: { c: 1 } }, [{ $replaceWith: '$b' }], { c: 1 }],
      [{ a: 1 }, [{ $replaceRoot: { newRoot: { z: '$a' } } }], { z: 1 }],
      [{ a: 1, b: 2 }, [{ $project: { a: 1 } }], { a: 1 }],
      [{ a: 1 }, [{ $set: { b: 5 } }, { $set: { a: '$b' } }], { a: 5, b: 5 }],
      [{ a: [1, 2] }, [{ $set: { a: { $concatArrays: ['$a', [3]] } } }], { a: [1, 2, 3] }],
      [{ a: 1 }, [{ $set: { a: '$$REMOVE' } }], {}],
      [{ a: 1 }, [{ $addFields: { a: { $cond: [{ $gt: ['$a', 0] }, 'pos', 'neg'] } } }], { a: 'pos' }],
      [{ a: 1 }, [{ $set: { a: '$$v' } }], { a: 7 }, { let: { v: 7 } }],
      [{ a: { b: 1 } }, [{ $set: { a: { c: 2 } } }], { a: { b: 1, c: 2 } }],
    ],
  ],
])('%s', (_, cases) => {
  test.each(
    cases.map((one) => [`${BSON.EJSON.stringify(one[0])} ${BSON.EJSON.stringify(one[1])}`, one] as const),
  )('%s', async (_text, [before, update, after, { filter = {}, ...options } = {}]) => {
    await ground.things.insertOne({ _id: 1 as never, ...before });
    await ground.things.updateOne(filter, update, options);
    expectSame(await ground.stored(), [{ _id: 1, ...after }]);
  });
});

describe('what is refused leaves the document as it was', () => {
  const before = { _id: 1, a: 1, text: 'x', list: [1, 'x'], nothing: null };

  test.each<[Update, number, Options?]>([
    [{ $foo: { a: 1 } }, 9],
    [{ $set: 5 }, 9],
    [{ $set: { a: 1 }, $inc: { a: 1 } }, 40],
    [{ $set: { 'b.c': 1, b: 1 } }, 40],
    [{ $set: { _id: 2 } }, 66],
    [{ $unset: { _id: 1 } }, 66],
    [{ $inc: { text: 1 } }, 14],
    [{ $inc: { a: 'x' } }, 14],
    [{ $inc: { nothing: 1 } }, 14],
    [{ $mul: { text: 2 } }, 14],
    [{ $push: { a: 1 } }, 2],
    [{ $push: { list: { $each: 1 } } }, 2],
    [{ $push: { list: { $each: [1], $slice: 'x' } } }, 2],
    [{ $push: { list: { $each: [1], $foo: 1 } } }, 2],
    [{ $addToSet: { a: 1 } }, 2],
    [{ $pull: { a: 1 } }, 2],
    [{ $pullAll: { list: 1 } }, 2],
    [{ $pop: { list: 2 } }, 9],
    [{ $pop: { a: 1 } }, 14],
    [{ $set: { 'a.b': 1 } }, 28],
    [{ $set: { 'list.x': 1 } }, 28],
    [{ $set: { '': 1 } }, 56],
    [{ $set: { 'a..b': 1 } }, 56],
    [{ $rename: { a: 'a' } }, 2],
    [{ $rename: { a: 'a.b' } }, 2],
    [{ $rename: { a: 1 } }, 2],
    [{ $rename: { 'list.0': 'b' } }, 2],
    [{ $bit: { a: { nand: 1 } } }, 2],
    [{ $bit: { text: { or: 1 } } }, 2],
    [{ $currentDate: { a: 'date' } }, 2],
    [{ $set: { 'list.$': 1 } }, 2],
    [{ $set: { 'list.$[x]': 1 } }, 2],
    [{ $set: { a: 2 } }, 9, { arrayFilters: [{ x: 1 }] }],
    [{ $set: { 'list.$[x]': 1 } }, 9, { arrayFilters: [{ x: 1 }, { x: 2 }] }],
    [{ $set: { 'a.$[]': 1 } }, 2],
    [{ $set: { 'none.$[]': 1 } }, 2],
    [[{ $group: { _id: 1 } }], 72],
    [[{ $foo: 1 }], 40324],
    [[{ $set: { _id: 5 } }], 66],
    [[{ $replaceWith: 5 }], 40228],
  ])('%j with %i', async (update, code, options = {}) => {
    await ground.things.insertOne(before as Document);
    const operation = { q: {}, u: update, ...options };
    const { writeErrors = [] } = await ground.command({ update: 'things', updates: [operation] });
    expect(Number(writeErrors[0]?.code)).toBe(code);
    expectSame(await ground.stored(), [before]);
  });
});

describe('replacement', () => {
  test('keeps the _id and nothing else', async () => {
    await ground.things.insertOne({ _id: 1 as never, a: 1, b: 2 });
    await ground.things.replaceOne({ a: 1 }, { c: 3 });
    expectSame(await ground.stored(), [{ _id: 1, c: 3 }]);
  });

  test.each<[Document, number]>([
    [{ _id: 2, a: 1 }, 66],
    [{ a: 1, $set: { b: 1 } }, 52],
  ])('%j is refused with %i', async (u, code) => {
    await ground.things.insertOne({ _id: 1 as never });
    const { writeErrors } = await ground.command({ update: 'things', updates: [{ q: {}, u }] });
    expect(Number(writeErrors[0].code)).toBe(code);
  });

  test('cannot be of many', async () => {
    const reply = await ground.command({ update: 'things', updates: [{ q: {}, u: { a: 1 }, multi: true }] });
    expect(Number(reply.writeErrors[0].code)).toBe(9);
  });
});

describe('upsert', () => {
  test.each<[Document, Update, Document]>([
    [{ _id: 5, a: 1 }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
    [{ _id: 5, a: { $eq: 1 } }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
    [{ _id: 5, a: { $gt: 1 } }, { $set: { b: 2 } }, { _id: 5, b: 2 }],
    [{ _id: 5, 'a.b': 1 }, { $set: { c: 2 } }, { _id: 5, a: { b: 1 }, c: 2 }],
    [{ $and: [{ _id: 5 }, { a: 1 }] }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
    [{ _id: 5, $or: [{ a: 1 }] }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
    [{ _id: 5, $or: [{ a: 1 }, { a: 2 }] }, { $set: { b: 2 } }, { _id: 5, b: 2 }],
    [{ _id: 5, a: { $in: [1] } }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
    [{ _id: 5, a: { $all: [1] } }, { $set: { b: 2 } }, { _id: 5, a: 1, b: 2 }],
    [{ _id: 5 }, { $setOnInsert: { a: 1 }, $inc: { n: 1 } }, { _id: 5, a: 1, n: 1 }],
    [{ _id: 5 }, { $push: { a: 1 } }, { _id: 5, a: [1] }],
    [{ _id: 5, a: 1 }, [{ $set: { b: '$a' } }], { _id: 5, a: 1, b: 1 }],
    [{ _id: 5 }, { $unset: { a: 1 } }, { _id: 5 }],
  ])('of %j by %j', async (filter, update, stored) => {
    const result = await ground.things.updateOne(filter, update, { upsert: true });
    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1 });
    expectSame(await ground.stored(), [stored]);
  });

  test('of a replacement takes the _id of the filter', async () => {
    await ground.things.replaceOne({ _id: 5 as never, a: 1 }, { b: 2 }, { upsert: true });
    expectSame(await ground.stored(), [{ _id: 5, b: 2 }]);
  });

  test('makes an ObjectId where nothing says the _id', async () => {
    const { upsertedId } = await ground.things.updateOne({ a: 1 }, { $set: { b: 1 } }, { upsert: true });
    expect(upsertedId).toBeInstanceOf(BSON.ObjectId);
  });

  test.each<[Document, Document, number]>([
    [{ a: 1 }, { $set: { 'a.b': 1 } }, 28],
    [{ _id: 1 }, { $set: { _id: 2 } }, 66],
    [{ $and: [{ a: 1 }, { a: 2 }] }, { $set: { b: 1 } }, 54],
  ])('of %j by %j is refused with %i', async (q, u, code) => {
    const reply = await ground.command({ update: 'things', updates: [{ q, u, upsert: true }] });
    expect(Number(reply.writeErrors[0].code)).toBe(code);
    expectSame(await ground.stored(), []);
  });
});

test('$currentDate sets a date and a timestamp', async () => {
  await ground.things.insertOne({ _id: 1 as never });
  const u = { $currentDate: { at: true, stamp: { $type: 'timestamp' } } };
  await ground.command({ update: 'things', updates: [{ q: {}, u }] });
  const [stored] = await ground.stored();
  expect(stored?.at).toBeInstanceOf(Date);
  expect(stored?.stamp).toBeInstanceOf(BSON.Timestamp);
});

test('updateMany changes all and counts those that became other', async () => {
  await ground.things.insertMany([{ a: 1 }, { a: 2 }, { a: 2 }]);
  const { matchedCount, modifiedCount } = await ground.things.updateMany({}, { $set: { a: 2 } });
  expectSame([matchedCount, modifiedCount], [3, 1]);
});

test('update with a hint at an index that is not there is refused', async () => {
  await ground.things.insertOne({ a: 1 });
  expect(await codeOf(ground.things.updateOne({}, { $set: { a: 2 } }, { hint: 'none' }))).toBe(2);
});

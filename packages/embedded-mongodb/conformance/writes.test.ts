import { BSON, type Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, expectFields, expectSame, long } from './support/values.ts';

const ground = prepareGround('writes');

const errorsOf = ({ writeErrors = [] }: Document) =>
  writeErrors.map(({ index, code }: Document) => [Number(index), Number(code)]);

describe('insert', () => {
  test('insert stores _id first and generates a missing one', async () => {
    await ground.command({ insert: 'things', documents: [{ b: 1, _id: 7, a: 2 }, { c: 1 }] });
    const [first, second] = await ground.stored();
    expectSame(first, { _id: 7, b: 1, a: 2 });
    expect(second?._id).toBeInstanceOf(BSON.ObjectId);
  });

  test.each<[boolean, Document[], number, [number, number][], number[]]>([
    [true, [{ _id: 1 }, { _id: 1 }, { _id: 2 }], 1, [[1, 11000]], [1]],
    [
      false,
      [{ _id: 1 }, { _id: 1 }, { _id: 2 }, { _id: 2 }],
      2,
      [
        [1, 11000],
        [3, 11000],
      ],
      [1, 2],
    ],
    [true, [{ _id: 1 }, { _id: [1] }, { _id: 2 }], 1, [[1, 53]], [1]],
    [false, [{ _id: /x/ }, { _id: 2 }], 1, [[0, 53]], [2]],
    [false, [{ _id: { $a: 1 } }, { _id: 2 }], 1, [[0, 52]], [2]],
  ])('ordered %s: %j', async (ordered, documents, count, errors, ids) => {
    const reply = await ground.command({ insert: 'things', documents, ordered });
    expectSame(reply.n, count);
    expect(errorsOf(reply)).toEqual(errors);
    expect((await ground.stored()).map(({ _id }) => Number(_id))).toEqual(ids);
  });

  test('insert accepts every type of _id except arrays and regular expressions', async () => {
    const ids = [null, 1, long(2), 'x', true, { a: 1 }, new Date(0), new BSON.ObjectId(), new BSON.MinKey()];
    await ground.command({ insert: 'things', documents: ids.map((_id) => ({ _id })) });
    expectSame(
      await ground.stored(),
      ids.map((_id) => ({ _id })),
    );
  });

  test('insert accepts names with dots and with $', async () => {
    await ground.command({
      insert: 'things',
      documents: [{ _id: 1, 'a.b': 1, $c: 2, d: { 'e.f': 1, $g: 1 } }],
    });
    expectSame(await ground.stored(), [{ _id: 1, 'a.b': 1, $c: 2, d: { 'e.f': 1, $g: 1 } }]);
  });

  test('insert returns the index and the values of a duplicate key', async () => {
    await ground.things.createIndex({ a: 1 }, { unique: true });
    await ground.things.insertOne({ _id: 1 as never, a: 'x' });
    const { writeErrors } = await ground.command({ insert: 'things', documents: [{ a: 'x' }] });
    expectFields(writeErrors[0], { index: 0, code: 11000, keyPattern: { a: 1 }, keyValue: { a: 'x' } });
    expect(writeErrors[0].errmsg).toContain(
      'E11000 duplicate key error collection: conformance_writes.things index: a_1 dup key: { a: "x" }',
    );
  });

  test.each<[Document, number]>([
    [{ insert: 'things', documents: [] }, 16],
    [{ update: 'things', updates: [] }, 16],
    [{ delete: 'things', deletes: [] }, 16],
    [{ insert: '', documents: [{}] }, 73],
    [{ insert: 'a$b', documents: [{}] }, 73],
    [{ insert: '.a', documents: [{}] }, 73],
    [{ insert: 1, documents: [{}] }, 73],
  ])('%j is rejected with %i', async (command, code) => {
    expect(await codeOf(ground.command(command))).toBe(code);
  });
});

describe('update', () => {
  test.each<[Document, Document, Document[]]>([
    [
      { updates: [{ q: { a: 1 }, u: { $set: { b: 1 } } }] },
      { n: 1, nModified: 1 },
      [
        { _id: 1, a: 1, b: 1 },
        { _id: 2, a: 1 },
      ],
    ],
    [
      { updates: [{ q: { a: 1 }, u: { $set: { b: 1 } }, multi: true }] },
      { n: 2, nModified: 2 },
      [
        { _id: 1, a: 1, b: 1 },
        { _id: 2, a: 1, b: 1 },
      ],
    ],
    [
      { updates: [{ q: { a: 9 }, u: { $set: { b: 1 } } }] },
      { n: 0, nModified: 0 },
      [
        { _id: 1, a: 1 },
        { _id: 2, a: 1 },
      ],
    ],
    [
      {
        updates: [
          { q: { _id: 3 }, u: { $set: { b: 1 } }, upsert: true },
          { q: { _id: 1 }, u: { $inc: { a: 1 } } },
        ],
      },
      { n: 2, nModified: 1, upserted: [{ index: 0, _id: 3 }] },
      [
        { _id: 1, a: 2 },
        { _id: 2, a: 1 },
        { _id: 3, b: 1 },
      ],
    ],
    [
      { updates: [{ q: { _id: 1 }, u: { z: 1 } }] },
      { n: 1, nModified: 1 },
      [
        { _id: 1, z: 1 },
        { _id: 2, a: 1 },
      ],
    ],
  ])('%j', async (command, reply, stored) => {
    await ground.things.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 1 },
    ] as Document[]);
    expectFields(await ground.command({ update: 'things', ...command }), reply);
    expectSame(await ground.stored(), stored);
  });

  test.each<[boolean, number, [number, number][]]>([
    [true, 1, [[1, 9]]],
    [false, 2, [[1, 9]]],
  ])('ordered %s: continues or stops after an error', async (ordered, n, errors) => {
    await ground.things.insertOne({ a: 1 });
    const updates = [{ $inc: { a: 1 } }, { $foo: { a: 1 } }, { $inc: { a: 1 } }].map((u) => ({ q: {}, u }));
    const reply = await ground.command({ update: 'things', updates, ordered });
    expectSame(reply.n, n);
    expect(errorsOf(reply)).toEqual(errors);
  });
});

describe('delete', () => {
  test.each<[Document[], number, number[]]>([
    [[{ q: { a: 1 }, limit: 1 }], 1, [2, 3]],
    [[{ q: { a: 1 }, limit: 0 }], 2, [3]],
    [[{ q: {}, limit: 0 }], 3, []],
    [[{ q: { a: 9 }, limit: 0 }], 0, [1, 2, 3]],
    [
      [
        { q: { _id: 1 }, limit: 1 },
        { q: { _id: 3 }, limit: 1 },
      ],
      2,
      [2],
    ],
    [[{ q: { a: 1 }, limit: 1, hint: { _id: 1 } }], 1, [2, 3]],
  ])('%j', async (deletes, n, left) => {
    await ground.things.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 1 },
      { _id: 3, a: 2 },
    ] as Document[]);
    expectFields(await ground.command({ delete: 'things', deletes }), { n });
    expect((await ground.stored()).map(({ _id }) => Number(_id))).toEqual(left);
  });
});

describe('findAndModify', () => {
  const documents = [
    { _id: 1, n: 1, list: [1, 2] },
    { _id: 2, n: 2, list: [3] },
  ];

  test.each<[Document, Document, Document | null]>([
    [
      { query: { _id: 1 }, update: { $inc: { n: 5 } } },
      { n: 1, updatedExisting: true },
      { _id: 1, n: 1, list: [1, 2] },
    ],
    [
      { query: { _id: 1 }, update: { $inc: { n: 5 } }, new: true },
      { n: 1, updatedExisting: true },
      { _id: 1, n: 6, list: [1, 2] },
    ],
    [
      { query: {}, sort: { n: -1 }, update: { $set: { x: 1 } }, fields: { n: 1 } },
      { n: 1, updatedExisting: true },
      { _id: 2, n: 2 },
    ],
    [{ query: { _id: 9 }, update: { $set: { x: 1 } } }, { n: 0, updatedExisting: false }, null],
    [
      { query: { _id: 9 }, update: { $set: { x: 1 } }, upsert: true },
      { n: 1, updatedExisting: false, upserted: 9 },
      null,
    ],
    [
      { query: { _id: 9 }, update: { $set: { x: 1 } }, upsert: true, new: true },
      { n: 1, updatedExisting: false, upserted: 9 },
      { _id: 9, x: 1 },
    ],
    [{ query: { _id: 1 }, remove: true }, { n: 1 }, { _id: 1, n: 1, list: [1, 2] }],
    [{ query: { _id: 9 }, remove: true }, { n: 0 }, null],
    [{ query: {}, sort: { _id: -1 }, remove: true, fields: { list: 0 } }, { n: 1 }, { _id: 2, n: 2 }],
    [
      { query: { _id: 1 }, update: { z: 1 }, new: true },
      { n: 1, updatedExisting: true },
      { _id: 1, z: 1 },
    ],
    [
      { query: { _id: 1 }, update: [{ $set: { m: '$n' } }], new: true, fields: { m: 1 } },
      { n: 1, updatedExisting: true },
      { _id: 1, m: 1 },
    ],
    [
      { query: { n: 2 }, hint: '_id_', update: { $set: { n: 0 } } },
      { n: 1, updatedExisting: true },
      { _id: 2, n: 2, list: [3] },
    ],
  ])('%j', async (command, lastErrorObject, value) => {
    await ground.things.insertMany(documents.map((one) => ({ ...one })) as never);
    const reply = await ground.command({ findAndModify: 'things', ...command });
    expectFields(reply, { lastErrorObject, value });
  });

  test.each<[Document, number]>([
    [{ query: {} }, 9],
    [{ query: {}, remove: true, update: {} }, 9],
    [{ query: {}, remove: true, upsert: true }, 9],
    [{ query: {}, remove: true, new: true }, 9],
    [{ query: {}, update: { $foo: 1 } }, 9],
    [{ query: {}, update: { $set: { _id: 9 } } }, 66],
    [{ query: { $foo: 1 }, update: { $set: { a: 1 } } }, 2],
    [{ query: {}, update: { $set: { a: 1 } }, hint: 'none' }, 2],
  ])('%j is rejected with %i', async (command, code) => {
    await ground.things.insertOne({ _id: 1 as never });
    expect(await codeOf(ground.command({ findAndModify: 'things', ...command }))).toBe(code);
  });
});

describe('bulkWrite of the driver', () => {
  const operations = [
    { insertOne: { document: { _id: 1 as never, n: 1 } } },
    { updateOne: { filter: { _id: 1 as never }, update: { $inc: { n: 1 } } } },
    { insertOne: { document: { _id: 1 as never } } },
    { replaceOne: { filter: { _id: 2 as never }, replacement: { n: 5 }, upsert: true } },
    { updateMany: { filter: {}, update: { $inc: { n: 10 } } } },
    { deleteOne: { filter: { _id: 2 as never } } },
  ];

  test.each<[ordered: boolean, n: number]>([
    [true, 2],
    [false, 12],
  ])('bulkWrite of the driver stops at the first error only when ordered: %s', async (ordered, n) => {
    expect(await codeOf(ground.things.bulkWrite(operations, { ordered }))).toBe(11000);
    expectSame(await ground.stored(), [{ _id: 1, n }]);
  });
});

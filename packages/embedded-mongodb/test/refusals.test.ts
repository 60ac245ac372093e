import { type Collection, type Document, Long } from 'mongodb';
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

describe('what cannot be done is refused with the code of MongoDB', () => {
  test.each<[string, Document, number]>([
    ['an unknown command', { frobnicate: 1 }, 59],
    ['an unknown field of a command', { find: 'things', filtre: {} }, 40415],
    [
      'an unknown field of an update',
      { update: 'things', updates: [{ q: {}, u: { $set: { a: 1 } }, x: 1 }] },
      40415,
    ],
    ['a missing field', { insert: 'things' }, 40414],
    ['a field of the wrong type', { find: 'things', filter: 'x' }, 14],
    ['a negative limit', { find: 'things', limit: -1 }, 51024],
    ['an empty batch', { insert: 'things', documents: [] }, 16],
    ['an empty collection name', { find: '' }, 73],
    ['a collection name with $', { insert: 'a$b', documents: [{}] }, 73],
    ['a cursor that is not there', { getMore: Long.fromNumber(12345), collection: 'things' }, 43],
    [
      'a transaction',
      { insert: 'things', documents: [{}], lsid: {}, txnNumber: Long.ONE, autocommit: false },
      20,
    ],
    [
      'a write concern of more than one node',
      { insert: 'things', documents: [{}], writeConcern: { w: 2 } },
      2,
    ],
    ['read concern snapshot', { find: 'things', readConcern: { level: 'snapshot' } }, 123],
    ['a capped collection', { create: 'things', capped: true, size: 1000 }, 238],
    ['a view', { create: 'things', viewOn: 'others', pipeline: [] }, 238],
    ['a validator that asks for $text', { create: 'things', validator: { $text: { $search: 'a' } } }, 224],
    ['a text index', { createIndexes: 'things', indexes: [{ key: { a: 'text' }, name: 'a' }] }, 238],
    ['an index without a name', { createIndexes: 'things', indexes: [{ key: { a: 1 } }] }, 9],
    [
      'an index option that does not exist',
      { createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a', uniq: true }] },
      197,
    ],
    ['a change stream', { aggregate: 'things', pipeline: [{ $changeStream: {} }], cursor: {} }, 40573],
    ['an unknown stage', { aggregate: 'things', pipeline: [{ $frobnicate: {} }], cursor: {} }, 40324],
    ['indexes of a collection that is not there', { listIndexes: 'nothing' }, 26],
    ['a replica set command', { replSetGetStatus: 1 }, 76],
    ['the end of a transaction', { commitTransaction: 1 }, 20],
    ['map-reduce', { mapReduce: 'things' }, 16149],
    ['a command that only mongod has', { compact: 'things' }, 238],
    ['a repair', { validate: 'things', repair: true }, 238],
    ['a find by keys only', { find: 'things', returnKey: true }, 238],
    ['a findAndModify without anything to do', { findAndModify: 'things', query: {} }, 9],
  ])('%s', async (_, command, code) => {
    expect(await rejection(under.command(command))).toMatchObject({ code });
  });

  test('$where and $text, never answered wrongly', async () => {
    for (const filter of [{ $where: 'true' }, { $text: { $search: 'x' } }]) {
      expect((await rejection(things.find(filter).toArray())).code).toBeTypeOf('number');
    }
  });

  test('a transaction through the session of the driver', async () => {
    const session = under.client.startSession();
    session.startTransaction();
    const error = await rejection(things.insertOne({}, { session }));
    // The driver puts words of its own around the answer.
    expect(error.originalError).toMatchObject({ code: 20, codeName: 'IllegalOperation' });
    await session.abortTransaction().catch(() => {});
    await session.endSession();
    expect(await things.countDocuments()).toBe(0);
  });
});

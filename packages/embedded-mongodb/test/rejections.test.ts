import { type Collection, type Document, Long } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';
import { exchange, opMsg } from './support/wire-client.ts';

let under: ServerUnderTest;
let things: Collection<Document>;

beforeAll(async () => {
  under = await startForTest();
});

beforeEach(async () => {
  await under.client.db('test').dropDatabase();
  things = under.client.db('test').collection('things');
});

describe('an invalid command is rejected with the same code as by MongoDB', () => {
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
    ['a cursor that does not exist', { getMore: Long.fromNumber(12345), collection: 'things' }, 43],
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
    ['an index without a name', { createIndexes: 'things', indexes: [{ key: { a: 1 } }] }, 9],
    [
      'an index option that does not exist',
      { createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a', uniq: true }] },
      197,
    ],
    ['an unknown stage', { aggregate: 'things', pipeline: [{ $frobnicate: {} }], cursor: {} }, 40324],
    ['indexes of a collection that does not exist', { listIndexes: 'nothing' }, 26],
    ['a findAndModify without update or remove', { findAndModify: 'things', query: {} }, 9],
  ])('%s', async (_, command, code) => {
    expect(await rejection(under.command(command))).toMatchObject({ code });
  });

  test('a transaction of the driver', async () => {
    const session = under.client.startSession();
    session.startTransaction();
    const error = await rejection(things.insertOne({}, { session }));
    // The driver replaces the message.
    expect(error.originalError).toMatchObject({ code: 20, codeName: 'IllegalOperation' });
    await session.abortTransaction().catch(() => {});
    await session.endSession();
    expect(await things.countDocuments()).toBe(0);
  });

  test.each<[string, Document, number]>([
    ['a command without a name', {}, 59],
    ['a database name with a space', { ping: 1, $db: 'a b' }, 73],
    ['a command without a database', { ping: 1 }, 40571],
    ['the end of a transaction that has not started', { commitTransaction: 1, $db: 'admin' }, 125],
  ])('%s that no driver sends', async (_, body, code) => {
    expect(await exchange(under.server.port, opMsg(body))).toMatchObject({ ok: 0, code });
  });

  test('a database name that differs from an existing one only in case', async () => {
    await things.insertOne({});
    expect(await rejection(under.client.db('TEST').createCollection('things'))).toMatchObject({
      code: 13297,
    });
  });
});

import type { Collection, Document } from 'mongodb';
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

import { MongoClient } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedMongodb } from '../src/index.ts';
import { rejection, startForTest } from './support/server-under-test.ts';

const USER = 'tolle=gate,user';
const PASSWORD = 'pässword/ with:odd@parts';

describe('with a user configured', () => {
  let server: EmbeddedMongodb;

  beforeAll(async () => {
    ({ server } = await startForTest({ user: USER, password: PASSWORD }));
  });

  /** What a client with this connection string gets for a find. */
  async function findWith(url: string): Promise<unknown> {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 3000 });
    try {
      return await client.db('test').collection('things').find().toArray();
    } finally {
      await client.close();
    }
  }

  const urlWith = (user: string, password: string, rest = '?authSource=admin') =>
    `mongodb://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/${rest}`;

  test('the right password is let in', async () => {
    expect(await findWith(server.url)).toEqual([]);
    expect(await findWith(urlWith(USER, PASSWORD, '?authSource=admin&authMechanism=SCRAM-SHA-256'))).toEqual(
      [],
    );
  });

  test('a password is compared after SASLprep', async () => {
    expect(await findWith(urlWith(USER, PASSWORD.normalize('NFD')))).toEqual([]);
  });

  test.each([
    ['a wrong password', USER, 'wrong', '?authSource=admin'],
    ['an unknown user', 'somebody', PASSWORD, '?authSource=admin'],
    ['the right user of another database', USER, PASSWORD, '?authSource=other'],
  ])('%s is refused with AuthenticationFailed (18)', async (_, user, password, rest) => {
    expect(await rejection(findWith(urlWith(user, password, rest)))).toMatchObject({ code: 18 });
  });

  test('a mechanism other than SCRAM-SHA-256 is refused', async () => {
    const url = urlWith(USER, PASSWORD, '?authSource=admin&authMechanism=SCRAM-SHA-1');
    expect(await rejection(findWith(url))).toMatchObject({ code: 334 });
  });

  test('a client that has not authenticated is refused with Unauthorized (13), but may say hello', async () => {
    const client = await new MongoClient(`mongodb://127.0.0.1:${server.port}`).connect();
    const database = client.db('test');
    expect(await database.command({ hello: 1 })).toMatchObject({
      isWritablePrimary: true,
      maxWireVersion: 21,
    });
    for (const command of [
      { find: 'things' },
      { insert: 'things', documents: [{}] },
      { listDatabases: 1 },
      { explain: { find: 'things' } },
    ]) {
      expect(await rejection(database.command(command))).toMatchObject({
        code: 13,
        codeName: 'Unauthorized',
      });
    }
    await client.close();
  });
});

test('without a user configured, credentials are refused rather than ignored', async () => {
  const { server } = await startForTest();
  const client = new MongoClient(`mongodb://a:b@127.0.0.1:${server.port}/`, {
    serverSelectionTimeoutMS: 3000,
  });
  expect(await rejection(client.connect())).toMatchObject({ code: 18 });
  await client.close();
});

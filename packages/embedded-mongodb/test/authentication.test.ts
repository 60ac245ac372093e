import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { Binary, type Document, Long, MongoClient } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedMongodb } from '../src/index.ts';
import { openRawConnection, type RawConnection } from './support/raw-connection.ts';
import { rejection, startForTest } from './support/server-under-test.ts';
import { opMsg } from './support/wire-client.ts';

const USER = 'tolle=gate,user';
const PASSWORD = 'pässword/ with:odd@parts';

describe('with a user configured', () => {
  let server: EmbeddedMongodb;

  beforeAll(async () => {
    ({ server } = await startForTest({ user: USER, password: PASSWORD }));
  });

  /** The result of a find by a client with this connection string. */
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

  test('the correct password is accepted', async () => {
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
  ])('%s is rejected with AuthenticationFailed (18)', async (_, user, password, rest) => {
    expect(await rejection(findWith(urlWith(user, password, rest)))).toMatchObject({ code: 18 });
  });

  test('a mechanism other than SCRAM-SHA-256 is rejected', async () => {
    const url = urlWith(USER, PASSWORD, '?authSource=admin&authMechanism=SCRAM-SHA-1');
    expect(await rejection(findWith(url))).toMatchObject({ code: 334 });
  });

  test('a client that has not authenticated can send hello; other commands are rejected with Unauthorized (13)', async () => {
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
      { getMore: Long.ONE, collection: 'things' },
    ]) {
      expect(await rejection(database.command(command))).toMatchObject({
        code: 13,
        codeName: 'Unauthorized',
      });
    }
    await client.close();
  });
});

test('without a user configured, credentials are rejected', async () => {
  const { server } = await startForTest();
  const client = new MongoClient(`mongodb://a:b@127.0.0.1:${server.port}/`, {
    serverSelectionTimeoutMS: 3000,
  });
  expect(await rejection(client.connect())).toMatchObject({ code: 18 });
  await client.close();
});

describe('SCRAM-SHA-256 without a driver', () => {
  const CLIENT_FIRST = 'n=user,r=nonce';
  let connection: RawConnection;

  beforeAll(async () => {
    const { server } = await startForTest({ user: 'user', password: 'pencil' });
    connection = await openRawConnection(server.port);
    return () => connection.close();
  });

  const run = (command: Document) => {
    connection.send(opMsg({ ...command, $db: 'admin' }));
    return connection.reply();
  };
  const proceed = (payload: unknown, conversationId = 1) => run({ saslContinue: 1, conversationId, payload });

  async function start(): Promise<string> {
    const payload = new Binary(Buffer.from(`n,,${CLIENT_FIRST}`));
    const reply = await run({ saslStart: 1, mechanism: 'SCRAM-SHA-256', payload });
    expect(reply).toMatchObject({ ok: 1, done: false, conversationId: 1 });
    return Buffer.from(reply?.payload.buffer).toString();
  }

  /** The last message of the client: RFC 5802, section 3. */
  function clientFinal(serverFirst: string, password: string): string {
    const [, nonce = '', salt = '', iterations] = /^r=(.+),s=(.+),i=(\d+)$/.exec(serverFirst) ?? [];
    const salted = pbkdf2Sync(password, Buffer.from(salt, 'base64'), Number(iterations), 32, 'sha256');
    const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
    const clientKey = hmac(salted, 'Client Key');
    const withoutProof = `c=biws,r=${nonce}`;
    const storedKey = createHash('sha256').update(clientKey).digest();
    const signature = hmac(storedKey, `${CLIENT_FIRST},${serverFirst},${withoutProof}`);
    const proof = clientKey.map((byte, at) => byte ^ (signature[at] ?? 0));
    return `${withoutProof},p=${Buffer.from(proof).toString('base64')}`;
  }

  test('a client that does not skip the empty exchange is authenticated after it', async () => {
    expect(await proceed(clientFinal(await start(), 'pencil'))).toMatchObject({ ok: 1, done: false });
    expect(await run({ listDatabases: 1 })).toMatchObject({ ok: 0, code: 13 });
    expect(await proceed(new Binary(Buffer.alloc(0)))).toMatchObject({ ok: 1, done: true });
    expect(await run({ listDatabases: 1 })).toMatchObject({ ok: 1 });
  });

  test('a client can send one proof per conversation', async () => {
    const serverFirst = await start();
    expect(await proceed(clientFinal(serverFirst, 'wrong'))).toMatchObject({ ok: 0, code: 18 });
    expect(await proceed(clientFinal(serverFirst, 'pencil'))).toMatchObject({ ok: 0, code: 17 });
  });

  test('a second saslStart replaces the conversation of the first', async () => {
    const first = await start();
    await start();
    expect(await proceed(clientFinal(first, 'pencil'))).toMatchObject({ ok: 0, code: 18 });
  });

  test('a message of another conversation or of the wrong type is rejected', async () => {
    expect(await proceed('', 2)).toMatchObject({ ok: 0, code: 17 });
    await start();
    expect(await proceed('', 2)).toMatchObject({ ok: 0, code: 17 });
    expect(await proceed(5)).toMatchObject({ ok: 0, code: 14 });
  });
});

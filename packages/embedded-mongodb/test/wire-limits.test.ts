import { Binary, type Document, serialize } from 'bson';
import { MongoClient } from 'mongodb';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  MAX_BSON_OBJECT_BYTES,
  MAX_COMMAND_BYTES,
  MAX_CONNECTIONS,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGE_BYTES_BEFORE_AUTHENTICATION,
  UNAUTHENTICATED_IDLE_MS,
} from '../src/wire/limits.ts';
import { heldBytes } from './support/held-bytes.ts';
import { openRawConnection, type RawConnection } from './support/raw-connection.ts';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';
import { opMsg } from './support/wire-client.ts';

/** More than the server needs for what the system buffers. */
const READING_TURNS = 20;
const MORE_TO_COME = 1 << 1;
const CREDENTIALS = { user: 'user', password: 'password' };

const opened: RawConnection[] = [];

async function connectTo({ server }: ServerUnderTest): Promise<RawConnection> {
  const connection = await openRawConnection(server.port);
  opened.push(connection);
  return connection;
}

afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

const ping = () => opMsg({ ping: 1, $db: 'admin' });

/** A command with the given number of bytes of BSON. */
function commandOf(bytes: number, command: Document = { ping: 1 }, flags = 0): Buffer {
  const empty = opMsg({ ...command, $db: 'test', comment: new Binary(Buffer.alloc(0)) }).length - 21;
  const comment = new Binary(Buffer.alloc(bytes - empty));
  return opMsg({ ...command, $db: 'test', comment }, flags);
}

/** An insert with its documents in a kind-1 section. */
function insertOf(documents: Document[]): Buffer {
  const body = opMsg({ insert: 'sequence', $db: 'test' });
  const name = Buffer.from('documents\0');
  const sequence = documents.map((document) => serialize(document));
  const size = 4 + name.length + sequence.reduce((sum, { length }) => sum + length, 0);
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeInt32LE(size, 1);
  const message = Buffer.concat([body, head, name, ...sequence]);
  message.writeInt32LE(message.length, 0);
  return message;
}

/** Sends a message of the given length in chunks, without its last `withheld` bytes. */
function sendMessageOf(length: number, connection: RawConnection, { flags = 0, withheld = 0 } = {}): void {
  const head = opMsg({ ping: 1, $db: 'admin' }, flags);
  head.writeInt32LE(length, 0);
  connection.send(head);
  const chunk = Buffer.alloc(1_000_000);
  for (let left = length - withheld - head.length; left > 0; left -= chunk.length)
    connection.send(chunk.subarray(0, Math.min(left, chunk.length)));
}

/**
 * Sends a message of the given length. Returns how many more bytes the process holds before its last byte than before its first: all of
 * them if the server keeps it.
 */
async function bytesHeldFor(
  length: number,
  connection: RawConnection,
  under: ServerUnderTest,
): Promise<number> {
  const before = heldBytes();
  sendMessageOf(length, connection, { withheld: 1 });
  await connection.flushed();
  // The server shares the event loop: it reads what the system buffers in the turns of these.
  const other = await connectTo(under);
  for (let turn = 0; turn < READING_TURNS; turn++) {
    other.send(opMsg({ hello: 1, $db: 'admin' }));
    await other.reply();
  }
  const held = heldBytes() - before;
  connection.send(Buffer.alloc(1));
  return held;
}

describe('message size', () => {
  let under: ServerUnderTest;

  beforeAll(async () => {
    under = await startForTest();
  });

  test('message size accepts a command of 16 MiB and 16 KiB', async () => {
    const connection = await connectTo(under);
    connection.send(commandOf(MAX_COMMAND_BYTES));
    expect(await connection.reply()).toMatchObject({ ok: 1 });
  });

  test('message size rejects a larger command with BSONObjectTooLarge (10334) and keeps the connection open', async () => {
    const connection = await connectTo(under);
    connection.send(commandOf(MAX_COMMAND_BYTES + 1));
    expect(await connection.reply()).toMatchObject({ ok: 0, code: 10334, codeName: 'BSONObjectTooLarge' });
    connection.send(ping());
    expect(await connection.reply()).toMatchObject({ ok: 1 });
  });

  test('message size sends no reply to a larger command that expects none', async () => {
    const connection = await connectTo(under);
    connection.send(commandOf(MAX_COMMAND_BYTES + 1, { ping: 1 }, MORE_TO_COME));
    connection.send(opMsg({ buildInfo: 1, $db: 'admin' }));
    expect(await connection.reply()).toMatchObject({ ok: 1, versionArray: expect.anything() });
  });

  test.each([
    ['above 48 MB', MAX_MESSAGE_BYTES + 1],
    ['of 100 MB', 100_000_000],
  ])(
    'message size reads past a message %s, rejects it with 10334 and keeps the connection open',
    async (_, length) => {
      const connection = await connectTo(under);
      expect(await bytesHeldFor(length, connection, under)).toBeLessThan(length / 4);
      connection.send(ping());
      expect(await connection.reply()).toMatchObject({ ok: 0, code: 10334 });
      expect(await connection.reply()).toMatchObject({ ok: 1 });
    },
  );

  test('message size sends no reply to a message above 48 MB that expects none', async () => {
    const connection = await connectTo(under);
    sendMessageOf(MAX_MESSAGE_BYTES + 1, connection, { flags: MORE_TO_COME });
    connection.send(ping());
    expect(await connection.reply()).toMatchObject({ ok: 1 });
  });

  test('message size accepts a document sequence above 16 MiB, and rejects one with a document above 16 MiB and 16 KiB', async () => {
    const connection = await connectTo(under);
    const half = { text: 'x'.repeat(9 * 1024 * 1024) };
    connection.send(insertOf([half, half]));
    expect(await connection.reply()).toMatchObject({ ok: 1, n: 2 });
    connection.send(insertOf([{}, { text: 'x'.repeat(MAX_COMMAND_BYTES) }]));
    expect(await connection.reply()).toMatchObject({ ok: 0, code: 10334 });
    connection.send(ping());
    expect(await connection.reply()).toMatchObject({ ok: 1 });
    expect(await under.client.db('test').collection('sequence').countDocuments()).toBe(2);
  });

  test('message size rejects documents that exceed 16 MiB when they are inserted, updated, or upserted', async () => {
    const things = under.client.db('test').collection('things');
    const text = 'x'.repeat(MAX_BSON_OBJECT_BYTES - 1000);
    const insertTooLarge = under.command({
      insert: 'things',
      documents: [{ text: `${text}${'x'.repeat(1000)}` }],
    });
    expect(await insertTooLarge).toMatchObject({ n: 0, writeErrors: [{ code: 2 }] });
    await things.insertOne({ _id: 1 as never, text });
    const grow = { $set: { more: 'x'.repeat(1000) } };
    expect(await rejection(things.updateOne({ _id: 1 as never }, grow))).toMatchObject({ code: 17419 });
    const upsert = things.updateOne({ _id: 2 as never, text }, grow, { upsert: true });
    expect(await rejection(upsert)).toMatchObject({ code: 17420 });
    expect(await things.countDocuments()).toBe(1);
  });
});

describe('before authentication', () => {
  let under: ServerUnderTest;

  beforeAll(async () => {
    under = await startForTest(CREDENTIALS);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('the server, before authentication, accepts a message of 64 KiB', async () => {
    const connection = await connectTo(under);
    const limit = MAX_MESSAGE_BYTES_BEFORE_AUTHENTICATION;
    connection.send(commandOf(limit - 21, { hello: 1 }));
    expect(await connection.reply()).toMatchObject({ ok: 1 });
  });

  test('the server, before authentication, rejects a larger message with Unauthorized (13) without keeping it in memory', async () => {
    const connection = await connectTo(under);
    expect(await bytesHeldFor(MAX_MESSAGE_BYTES, connection, under)).toBeLessThan(MAX_MESSAGE_BYTES / 4);
    connection.send(opMsg({ hello: 1, $db: 'admin' }));
    expect(await connection.reply()).toMatchObject({ ok: 0, code: 13, codeName: 'Unauthorized' });
    expect(await connection.reply()).toMatchObject({ ok: 1 });
  });

  test('the server, before authentication, accepts a message of maximum size after authentication', async () => {
    const things = under.client.db('test').collection('things');
    await things.insertMany(Array.from({ length: 4 }, () => ({ text: 'x'.repeat(10 * 1024 * 1024) })));
    expect(await things.countDocuments()).toBe(4);
  });

  test('the server, before authentication, closes a connection that sends no request for two minutes and has not authenticated', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const connection = await connectTo(under);
    connection.send(opMsg({ hello: 1, $db: 'admin' }));
    expect(await connection.reply()).toMatchObject({ ok: 1 });
    vi.advanceTimersByTime(UNAUTHENTICATED_IDLE_MS);
    await connection.closed;
  });

  test('the server, before authentication, keeps an unauthenticated connection open while it sends requests, as driver monitors do', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const connection = await connectTo(under);
    for (let n = 0; n < 3; n++) {
      connection.send(opMsg({ hello: 1, $db: 'admin' }));
      expect(await connection.reply()).toMatchObject({ ok: 1 });
      vi.advanceTimersByTime(UNAUTHENTICATED_IDLE_MS - 1);
    }
    connection.send(opMsg({ hello: 1, $db: 'admin' }));
    expect(await connection.reply()).toMatchObject({ ok: 1 });
  });

  test('the server, before authentication, keeps an idle authenticated connection open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const client = await new MongoClient(under.server.url, { maxPoolSize: 1 }).connect();
    const connection = async () => (await client.db('admin').command({ hello: 1 })).connectionId;
    const before = await connection();
    vi.advanceTimersByTime(UNAUTHENTICATED_IDLE_MS);
    expect(await connection()).toBe(before);
    await client.close();
  });
});

test('the number of connections is limited: the server closes further connections immediately, and accepts new ones after others end', async () => {
  const under = await startForTest();
  const connections = async () => (await under.client.db('admin').command({ serverStatus: 1 })).connections;
  const { current } = await connections();
  while ((await connections()).available > 0) {
    await Promise.all(Array.from({ length: 50 }, () => connectTo(under)));
  }
  expect(await connections()).toMatchObject({ current: MAX_CONNECTIONS, available: 0 });
  const further = await connectTo(under);
  await further.closed;
  for (const connection of opened.splice(0)) {
    connection.close();
    await connection.closed;
  }
  await vi.waitFor(async () => expect((await connections()).current).toBe(current));
  const again = await connectTo(under);
  again.send(ping());
  expect(await again.reply()).toMatchObject({ ok: 1 });
});

import { type Collection, type Document, MongoClient } from 'mongodb';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type ServerUnderTest, startForTest } from './support/server-under-test.ts';

let under: ServerUnderTest;
let _things: Collection<Document>;

beforeAll(async () => {
  under = await startForTest();
});

beforeEach(async () => {
  await under.client.db('test').dropDatabase();
  _things = under.client.db('test').collection('things');
});

test('the server introduces itself as a standalone mongod 7 with wire version 21', async () => {
  const hello = await under.command({ hello: 1 });
  expect(hello).toMatchObject({
    isWritablePrimary: true,
    maxWireVersion: 21,
    maxBsonObjectSize: 16777216,
    maxMessageSizeBytes: 48000000,
    logicalSessionTimeoutMinutes: 30,
    ok: 1,
  });
  expect(hello).not.toHaveProperty('setName');
  expect((await under.command({ buildInfo: 1 })).version).toMatch(/^7\.0\./);
});

test('the server introduces itself in the replies to the commands that clients send first', async () => {
  for (const command of [
    { ping: 1 },
    { connectionStatus: 1 },
    { hostInfo: 1 },
    { endSessions: [] },
    { serverStatus: 1 },
  ]) {
    expect(await under.command(command)).toMatchObject({ ok: 1 });
  }
});

test('a client connects with and without directConnection', async () => {
  for (const option of ['', '?directConnection=true']) {
    const client = await new MongoClient(`${under.server.url}/${option}`).connect();
    expect(await client.db('test').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
  }
});

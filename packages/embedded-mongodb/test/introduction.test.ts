import { type Collection, type Document, MongoClient } from 'mongodb';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type ServerUnderTest, startForTest } from './support/server-under-test.ts';

let under: ServerUnderTest;
let things: Collection<Document>;

beforeAll(async () => {
  under = await startForTest();
});

beforeEach(async () => {
  await under.client.db('test').dropDatabase();
  things = under.client.db('test').collection('things');
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

test('databases and collections exist from the first document until they are dropped', async () => {
  await things.insertOne({});
  const database = under.client.db('test');
  expect((await database.listCollections().toArray()).map(({ name }) => name)).toEqual(['things']);
  await database.createCollection('things');
  expect(await things.drop()).toBe(true);
  const { databases } = await under.client.db('admin').command({ listDatabases: 1 });
  expect(databases.map(({ name }: Document) => name)).not.toContain('test');
});

test('databases and collections report their size', async () => {
  await things.insertMany([{ a: 1 }, { a: 2 }]);
  expect(await under.client.db('test').stats()).toMatchObject({ collections: 1, objects: 2, indexes: 1 });
});

test('databases and collections are listed by filter and by name only', async () => {
  const database = under.client.db('test');
  for (const name of ['a', 'b']) await database.createCollection(name);
  const found = await database.listCollections({ name: 'a' }, { nameOnly: true }).toArray();
  expect(found).toEqual([{ name: 'a', type: 'collection' }]);
});

test('a client connects with and without directConnection', async () => {
  for (const option of ['', '?directConnection=true']) {
    const client = await new MongoClient(`${under.server.url}/${option}`).connect();
    expect(await client.db('test').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
  }
});

import { type Binary, MongoClient } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { rejection, startForTest } from './support/server-under-test.ts';

const under = await startForTest();

const listed = () =>
  under.client
    .db('admin')
    .aggregate([{ $listLocalSessions: {} }])
    .toArray();

describe('$listLocalSessions', () => {
  test('lists a session from its first command to its end', async () => {
    const other = await new MongoClient(under.server.url).connect();
    const session = other.startSession();
    await other.db('test').command({ ping: 1 }, { session });
    const id = session.id?.id as Binary;
    const bytes = Buffer.from(id.buffer);
    const isListed = async () => (await listed()).some(({ _id }) => bytes.equals(_id.id.buffer));
    expect(await isListed()).toBe(true);
    await session.endSession();
    await other.close(); // ends the sessions of the client
    expect(await isListed()).toBe(false);
  });

  test('has no place on a collection, nor behind other stages', async () => {
    const onCollection = under.client
      .db('test')
      .collection('a')
      .aggregate([{ $listLocalSessions: {} }]);
    expect(await rejection(onCollection.toArray())).toMatchObject({ code: 73 });
    const late = under.client.db('test').aggregate([{ $documents: [] }, { $listLocalSessions: {} }]);
    expect(await rejection(late.toArray())).toMatchObject({ code: 40602 });
  });
});

describe('the stable API', () => {
  test('a client that declares it strictly is refused what is not in it', async () => {
    const strict = await new MongoClient(under.server.url, {
      serverApi: { version: '1', strict: true },
    }).connect();
    const collection = strict.db('test').collection('things');
    await collection.insertOne({ a: 1 });
    expect(await collection.countDocuments()).toBe(1);
    expect(await rejection(collection.distinct('a'))).toMatchObject({ code: 323 });
    const sessions = strict.db('admin').aggregate([{ $listLocalSessions: {} }]);
    expect(await rejection(sessions.toArray())).toMatchObject({ code: 323 });
    await strict.close();
  });

  test.each([
    [{ ping: 1, apiVersion: '2' }, 322],
    [{ ping: 1, apiStrict: true }, 72],
  ])('%j is refused with %i', async (command, code) => {
    expect(await rejection(under.command(command))).toMatchObject({ code });
  });
});

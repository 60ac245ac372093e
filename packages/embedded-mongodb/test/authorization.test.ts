import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../src/commands/registry.ts';
import type { EmbeddedMongodb } from '../src/index.ts';
import { rejection, startForTest } from './support/server-under-test.ts';

const OWN = 'tollgate_usage';
const OTHER = 'tollgate_accounts';
/** The rejection must not depend on the other fields. */
const minimal = (name: string) => ({ [name]: 'things' });
/** Larger than what the server decodes on its main thread. */
const LARGE_LIST = Array.from({ length: 40_000 }, (_, value) => value);

describe('a user of one database', () => {
  let server: EmbeddedMongodb;
  let root: MongoClient;
  let client: MongoClient;

  beforeAll(async () => {
    ({ server, client: root } = await startForTest({
      user: 'root',
      password: 'root-password',
      databaseUsers: [
        { user: 'usage', password: 'usage-password', database: OWN },
        { user: 'accounts', password: 'accounts-password', database: OTHER },
      ],
    }));
    await root.db(OTHER).collection('things').insertOne({ secret: 1 });
    client = await new MongoClient(
      `mongodb://usage:usage-password@127.0.0.1:${server.port}/?authSource=admin`,
    ).connect();
  });
  afterAll(() => client.close());

  test('a user of one database reads, writes, and indexes its own database', async () => {
    const things = client.db(OWN).collection('things');
    await things.createIndex({ name: 1 }, { unique: true });
    await things.insertMany([{ name: 'a' }, { name: 'b' }]);
    await things.updateOne({ name: 'a' }, { $set: { size: 1 } });
    expect(await things.find({ size: { $in: LARGE_LIST } }).toArray()).toHaveLength(1);
    expect(await things.find().batchSize(1).toArray()).toHaveLength(2);
    expect(
      await things.aggregate([{ $group: { _id: null, sum: { $sum: '$size' } } }]).toArray(),
    ).toMatchObject([{ sum: 1 }]);
    expect(await things.deleteMany({})).toMatchObject({ deletedCount: 2 });
    expect(await client.db(OWN).command({ connectionStatus: 1 })).toMatchObject({
      authInfo: { authenticatedUserRoles: [{ role: 'readWrite', db: OWN }] },
    });
  });

  test.each(COMMANDS.filter((command) => !command.beforeAuthentication).map(({ name }) => name))(
    'a user of one database is rejected when it runs %s on another database',
    async (name) => {
      for (const database of [OTHER, 'admin', 'local', OWN.toUpperCase()]) {
        expect(await rejection(client.db(database).command(minimal(name)))).toMatchObject({ code: 13 });
      }
    },
  );

  test('a user of one database is rejected when a large read names another database', async () => {
    const large = { find: 'things', filter: { secret: { $in: LARGE_LIST } } };
    expect(await rejection(client.db(OTHER).command(large))).toMatchObject({ code: 13 });
  });

  test('a user of one database is rejected when it runs a command about the server, or about its whole database, on its own', async () => {
    for (const name of ['listDatabases', 'getLog', 'serverStatus', 'hostInfo', 'dropDatabase']) {
      expect(await rejection(client.db(OWN).command(minimal(name)))).toMatchObject({ code: 13 });
    }
  });

  test('a user of one database cannot read on with a cursor of another database', async () => {
    const opened = await root.db(OTHER).command({ find: 'things', batchSize: 0 });
    const cursor = opened['cursor'].id;
    for (const [database, collection] of [
      [OWN, 'things'],
      [OTHER, 'things'],
    ] as const) {
      expect(await rejection(client.db(database).command({ getMore: cursor, collection }))).toMatchObject({
        codeName: expect.stringMatching(/Unauthorized|CursorNotFound/),
      });
    }
  });
});

test('users of single databases require a user that may do everything', async () => {
  const databaseUsers = [{ user: 'usage', password: 'p', database: OWN }];
  await expect(startForTest({ databaseUsers })).rejects.toThrow(/require a user and a password/);
});

test('two users with one name are rejected', async () => {
  const databaseUsers = [{ user: 'root', password: 'p', database: OWN }];
  await expect(startForTest({ user: 'root', password: 'p', databaseUsers })).rejects.toThrow(
    'configured twice',
  );
});

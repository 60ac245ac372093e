import { DATABASE_OWNERS, DATABASES, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { generateSecrets } from '@tollgate/launcher/secrets';
import { mongodbUsers } from '@tollgate/launcher/server-users';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverUrls } from '../../support/platform/platform-infra.ts';

const SECRET = { _id: 'known', value: 'secret' };

let infra: Infra;
let administrator: MongoClient;
const attackers = {} as Record<DatabaseOwner, MongoClient>;

beforeAll(async () => {
  const secrets = generateSecrets();
  infra = await startInfra({ mongodb: true }, { mongodb: mongodbUsers(secrets) });
  administrator = await new MongoClient(infra.mongodbUrl).connect();
  for (const owner of DATABASE_OWNERS) {
    attackers[owner] = await new MongoClient(serverUrls(infra, secrets).mongodbUrlOf(owner)).connect();
    await documents(administrator.db(DATABASES[owner])).insertOne(SECRET);
  }
});
afterAll(async () => {
  await Promise.all([administrator, ...Object.values(attackers)].map((client) => client?.close()));
  await infra?.stop();
});

/** What an attacker tries on a database. */
const ATTEMPTS: Record<string, (database: Db) => Promise<unknown>> = {
  'read documents': (database) => documents(database).find().toArray(),
  'aggregate documents': (database) =>
    documents(database)
      .aggregate([{ $match: {} }])
      .toArray(),
  'count documents': (database) => documents(database).countDocuments(),
  'insert a document': (database) => documents(database).insertOne({ _id: 'planted', value: 'x' }),
  'change a document': (database) =>
    documents(database).updateOne({ _id: 'known' }, { $set: { value: 'x' } }),
  'delete a document': (database) => documents(database).deleteOne({ _id: 'known' }),
  'create an index': (database) => documents(database).createIndex({ value: 1 }),
  'drop the collection': (database) => documents(database).drop(),
  'drop the database': (database) => database.dropDatabase(),
  'list collections': (database) => database.listCollections().toArray(),
};

describe.each(DATABASE_OWNERS)('an attacker with the MongoDB password of %s', (owner) => {
  it.each(Object.entries(ATTEMPTS))(
    'an attacker with the MongoDB password of one service cannot %s of another service',
    async (_, attempt) => {
      for (const other of DATABASE_OWNERS.filter((name) => name !== owner)) {
        const denied = attempt(attackers[owner].db(DATABASES[other]));
        await expect(denied).rejects.toMatchObject({ codeName: 'Unauthorized' });
      }
    },
  );

  it('an attacker with the MongoDB password of one service cannot copy documents of another service into its own database, or out of it', async () => {
    const own = documents(attackers[owner].db(DATABASES[owner]));
    const other = owner === 'audit' ? DATABASES.accounts : DATABASES.audit;
    for (const stage of [
      { $lookup: { from: { db: other, coll: 'documents' }, pipeline: [], as: 'stolen' } },
      { $unionWith: { db: other, coll: 'documents' } },
      { $out: { db: other, coll: 'documents' } },
      { $merge: { into: { db: other, coll: 'documents' } } },
    ]) {
      await expect(own.aggregate([stage]).toArray()).rejects.toThrow();
    }
  });

  it('an attacker with the MongoDB password of one service cannot create users or read what other connections do', async () => {
    const admin = attackers[owner].db('admin');
    for (const command of [
      { createUser: 'attacker', pwd: 'x', roles: ['root'] },
      { grantRolesToUser: owner, roles: ['root'] },
      { usersInfo: 1 },
      { currentOp: 1 },
      { getLog: 'global' },
    ]) {
      await expect(admin.command(command)).rejects.toMatchObject({ codeName: 'Unauthorized' });
    }
  });

  it('an attacker with the MongoDB password of one service leaves the documents of every other service as they were', async () => {
    for (const other of DATABASE_OWNERS.filter((name) => name !== owner)) {
      expect(await documents(administrator.db(DATABASES[other])).find().toArray()).toEqual([SECRET]);
    }
  });

  it('an attacker with the MongoDB password of one service can read and write only the database of this service', async () => {
    const own = documents(attackers[owner].db(DATABASES[owner]));
    expect(await own.findOne({ _id: 'known' })).toEqual(SECRET);
    await own.insertOne({ _id: 'own', value: 'x' });
    expect(await own.deleteOne({ _id: 'own' })).toMatchObject({ deletedCount: 1 });
  });
});

function documents(database: Db) {
  return database.collection<{ _id: string; value: string }>('documents');
}

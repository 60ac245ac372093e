import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Infra, startInfra } from './infra.ts';

const START_TIMEOUT_MS = 120_000;
let infra: Infra;
let client: MongoClient;

beforeAll(async () => {
  infra = await startInfra({ mongodb: true });
  client = new MongoClient(infra.mongodbUrl);
}, START_TIMEOUT_MS);

afterAll(async () => {
  await client.close();
  await infra.stop();
});

const collection = () => client.db('test').collection<{ _id: string }>('things');

test('an acknowledged write survives SIGKILL and a restart at the same address', async () => {
  await collection().insertOne({ _id: 'kept' }, { writeConcern: { w: 'majority', j: true } });

  await infra.mongodb.kill();
  await infra.mongodb.start();

  expect(await collection().findOne({ _id: 'kept' })).toEqual({ _id: 'kept' });
});

test('a deleted store is empty after a restart', async () => {
  await collection().insertOne({ _id: 'lost' });

  await infra.mongodb.deleteStore();
  await infra.mongodb.start();

  expect(await collection().countDocuments()).toBe(0);
});

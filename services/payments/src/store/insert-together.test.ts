import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import type { TestServer } from '@tollgate/test-kit/test-server';
import mongoose, { type Collection, type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aNewPayment } from '../../test/a-new-payment.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { type Inserts, insertTogether } from './insert-together.ts';

let server: TestServer;
let connection: Connection;
let collection: Collection<PaymentDocument>;
/** The number of payments in each command. */
let commands: number[];
let inserts: Inserts;

beforeAll(async () => {
  server = await startMongoDB();
  connection = await mongoose.createConnection(server.url, { dbName: 'payments' }).asPromise();
  collection = connection.collection<PaymentDocument>('payments');
  const key = { application_id: 1, 'create_key.key': 1 } as const;
  await collection.createIndex(key, { unique: true });
}, 60_000);
afterAll(async () => {
  await connection.close();
  await server.dispose();
});
beforeEach(async () => {
  await collection.deleteMany({});
  commands = [];
  inserts = {
    insertOne(payment) {
      commands.push(1);
      return collection.insertOne(payment);
    },
    insertMany(payments, options) {
      commands.push(payments.length);
      return collection.insertMany(payments, options);
    },
  };
});

test('`insertTogether` inserts payments that arrive together in one command', async () => {
  const insert = insertTogether(inserts);
  await Promise.all(Array.from({ length: 20 }, () => insert(aNewPayment())));
  expect(commands).toEqual([20]);
  expect(await collection.countDocuments()).toBe(20);
});

test('`insertTogether` inserts a payment that arrives alone without waiting for another', async () => {
  await insertTogether(inserts)(aNewPayment());
  expect(commands).toEqual([1]);
});

test('`insertTogether` rejects only the payment whose key is bound, and names the index', async () => {
  const insert = insertTogether(inserts);
  const bound = aNewPayment();
  await insert(bound);
  const repeated = withKeyOf(bound);
  const outcomes = await Promise.allSettled([aNewPayment(), repeated, aNewPayment()].map(insert));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { code: 11000, keyPattern: { 'create_key.key': 1 } } });
  expect(await collection.countDocuments()).toBe(3);
});

test('`insertTogether` inserts one of two payments with the same key that arrive together', async () => {
  const insert = insertTogether(inserts);
  const first = aNewPayment();
  const second = withKeyOf(first);
  const outcomes = await Promise.allSettled([first, second].map(insert));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await collection.countDocuments()).toBe(1);
});

test('`insertTogether` does not repeat a batch whose outcome is unknown, and fails with the reason', async () => {
  const insert = insertTogether(inserts);
  await server.kill();
  const outcomes = await Promise.allSettled([aNewPayment(), aNewPayment()].map(insert));
  await server.start();
  for (const outcome of outcomes) {
    const { reason } = outcome as PromiseRejectedResult;
    expect(reason).not.toBeInstanceOf(mongoose.mongo.MongoBulkWriteError);
    expect(isStoreUnavailable(reason)).toBe(true);
  }
  expect(commands).toEqual([2]);
});

test('`insertTogether` reports payments that no majority has confirmed as a store that is unavailable', async () => {
  const { MongoBulkWriteError } = mongoose.mongo;
  const insert = insertTogether({
    ...inserts,
    async insertMany(payments, options) {
      const result = await collection.insertMany(payments, options);
      const unconfirmed = { ...result, getWriteConcernError: () => ({ code: 64, errmsg: 'timed out' }) };
      throw new MongoBulkWriteError(
        { code: 64, message: 'timed out', writeErrors: [] },
        unconfirmed as never,
      );
    },
  });
  const outcomes = await Promise.allSettled([aNewPayment(), aNewPayment()].map(insert));
  for (const outcome of outcomes) {
    expect(outcome.status).toBe('rejected');
    expect(isStoreUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true);
  }
});

function withKeyOf({ application_id, create_key }: PaymentDocument): PaymentDocument {
  return { ...aNewPayment(), application_id, ...(create_key && { create_key }) };
}

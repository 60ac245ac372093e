import { startMongoDB } from '@tollgate/test-kit/mongodb';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { isStoreUnavailable } from './store-unavailable.ts';

test('a query that waits too long for a connection counts as MongoDB being unavailable', async () => {
  const server = await startMongoDB();
  const connection = mongoose.createConnection(server.url, { maxPoolSize: 1, waitQueueTimeoutMS: 50 });
  try {
    const collection = (await connection.asPromise()).collection('things');
    const results = await Promise.allSettled(
      Array.from({ length: 5_000 }, (_, index) => collection.insertOne({ index })),
    );
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(isStoreUnavailable(reason), String(reason)).toBe(true);
  } finally {
    await connection.close();
    await server.dispose();
  }
}, 60_000);

test.each([91, 189, 11600, 11602, 10107, 13435])(
  'a read during a failover (code %i) counts as MongoDB being unavailable',
  (code) => {
    expect(isStoreUnavailable(new mongoose.mongo.MongoServerError({ message: 'failover', code }))).toBe(true);
  },
);

test('an invalid query does not count as an outage', () => {
  expect(isStoreUnavailable(new mongoose.mongo.MongoServerError({ message: 'duplicate', code: 11000 }))).toBe(
    false,
  );
});

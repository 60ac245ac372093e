import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { isStoreUnavailable } from './store-unavailable.ts';

test('a query that waits too long for a connection counts as MongoDB being unavailable', async () => {
  const server = await startMongoDB();
  const relay = await startRelay(server.url);
  const connection = mongoose.createConnection(relay.url, { maxPoolSize: 1, waitQueueTimeoutMS: 2_000 });
  try {
    const collection = (await connection.asPromise()).collection('things');
    await collection.insertOne({});
    relay.holdReplies();
    const withConnection = collection.insertOne({}).catch(() => undefined);
    await expect(collection.insertOne({})).rejects.toSatisfy(isStoreUnavailable);
    relay.close();
    await withConnection;
  } finally {
    await connection.close();
    relay.close();
    await server.dispose();
  }
}, 60_000);

/** A server between the driver and MongoDB that can hold replies back, so that a connection stays busy. */
async function startRelay(serverUrl: string) {
  const url = new URL(serverUrl);
  const server = { host: url.hostname, port: Number(url.port) };
  const sockets: Socket[] = [];
  const relay = createServer((toDriver) => {
    const toServer = connect(server);
    for (const socket of [toDriver, toServer]) socket.on('error', () => undefined);
    toDriver.pipe(toServer).pipe(toDriver);
    sockets.push(toServer, toDriver);
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  url.searchParams.set('directConnection', 'true');
  return {
    url: url.href,
    holdReplies() {
      for (const socket of sockets) socket.unpipe();
    },
    close() {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test.each([91, 189, 11600, 11602, 10107, 13435])(
  'a read during a failover (code %i) counts as MongoDB being unavailable',
  (code) => {
    expect(isStoreUnavailable(new mongoose.mongo.MongoServerError({ message: 'failover', code }))).toBe(true);
  },
);

test('a full disk counts as MongoDB being unavailable', () => {
  const error = new mongoose.mongo.MongoServerError({ message: 'the disk is full', code: 14031 });
  expect(isStoreUnavailable(error)).toBe(true);
});

test('a batch that loses its connection counts as MongoDB being unavailable, and one with a rejected write does not', async () => {
  const server = await startMongoDB();
  const connection = await mongoose
    .createConnection(server.url, { serverSelectionTimeoutMS: 1_000 })
    .asPromise();
  try {
    const collection = connection.collection<{ _id: string }>('things');
    const insert = (...ids: string[]) => collection.insertMany(ids.map((_id) => ({ _id })));
    await insert('a');
    const duplicate = await insert('a', 'b').catch((error: Error) => error);
    expect(duplicate).toBeInstanceOf(mongoose.mongo.MongoBulkWriteError);
    expect(isStoreUnavailable(duplicate as Error)).toBe(false);
    await server.kill();
    await expect(insert('c', 'd')).rejects.toSatisfy(isStoreUnavailable);
  } finally {
    await connection.close();
    await server.dispose();
  }
}, 60_000);

test('an invalid query does not count as an outage', () => {
  expect(isStoreUnavailable(new mongoose.mongo.MongoServerError({ message: 'duplicate', code: 11000 }))).toBe(
    false,
  );
});

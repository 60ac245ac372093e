import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { createLogger } from '@tollgate/runtime/logger';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import type { TestServer } from '@tollgate/test-kit/test-server';
import type { Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { connectMongoDB, isConnected, waitForMongoDB } from './mongodb.ts';

let server: TestServer;
let connection: Connection | undefined;
beforeAll(async () => {
  server = await startMongoDB();
});
afterEach(() => connection?.close());
afterAll(() => server.dispose());

const optionsFor = (url: string) => ({
  url,
  database: 'kit_test',
  appName: 'test',
  logger: createLogger({ service: 'test', level: 'silent' }),
});
const connect = (url: string) => connectMongoDB(optionsFor(url));

function withOptions(url: string, options: string): string {
  if (url.includes('?')) return `${url}&${options}`;
  return `${url.replace(/\/$/, '')}/?${options}`;
}

it('the connection to MongoDB reads from the primary with majority read concern, and writes to a majority, whatever the URL sets', async () => {
  const options = 'readPreference=secondaryPreferred&readConcernLevel=local&w=1&journal=false';
  connection = await connect(withOptions(server.url, options));
  const { readPreference, readConcern, writeConcern } = connection.getClient().options;
  expect(readPreference.mode).toBe('primary');
  expect(readConcern.level).toBe('majority');
  expect(writeConcern).toMatchObject({ w: 'majority', journal: true });
});

it('the connection to MongoDB uses the configured database', async () => {
  connection = await connect(server.url);
  await connection.collection('things').insertOne({ a: 1 });
  expect(connection.db?.databaseName).toBe('kit_test');
  expect(await connection.collection('things').countDocuments({ a: 1 })).toBe(1);
});

it('the connection to MongoDB does not wait when the server rejects the password', async () => {
  const url = new URL(server.url);
  url.username = 'another';
  url.password = 'wrong';
  url.searchParams.set('authSource', 'admin');
  await expect(waitForMongoDB(optionsFor(url.href))).rejects.toThrow('MongoDB rejected the user or password');
});

it('the connection to MongoDB waits for a server that is found and does not reply yet', async () => {
  const { hostname, port } = new URL(server.url);
  let accepted = 0;
  const proxy = createServer((client) => {
    accepted += 1;
    // The first connection looks for the server, the second one is for commands.
    if (accepted === 2) return;
    client.pipe(createConnection(Number(port), hostname)).pipe(client);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const url = new URL(server.url);
  url.port = String((proxy.address() as AddressInfo).port);
  connection = await waitForMongoDB(optionsFor(url.href));
  expect(accepted).toBeGreaterThan(2);
  expect(isConnected(connection)).toBe(true);
});

it('the connection to MongoDB reports when MongoDB is unreachable and reconnects, or waits for longer than one attempt lasts, until it is available again', async () => {
  const connected = await connect(withOptions(server.url, 'heartbeatFrequencyMS=500'));
  connection = connected;
  expect(isConnected(connected)).toBe(true);
  await server.kill();
  await expect.poll(() => isConnected(connected)).toBe(false);
  const attempt = { ...optionsFor(server.url), serverSelectionTimeoutMs: 300 };
  const connecting = waitForMongoDB(attempt);
  await expect(connectMongoDB(attempt)).rejects.toThrow('ECONNREFUSED');
  await server.start();
  const late = await connecting;
  expect(isConnected(late)).toBe(true);
  await late.close();
  await expect.poll(() => isConnected(connected)).toBe(true);
  expect(await connected.collection('nothing').countDocuments({})).toBe(0);
});

it('the connection to MongoDB repeats a command that it writes to a socket whose end it does not know yet', async () => {
  const sockets = collectSockets();
  connection = await connect(server.url);
  const things = connection.collection('repeated');
  await things.insertOne({ a: 1 });
  for (const socket of sockets) socket.destroy();
  expect(await things.countDocuments({ a: 1 })).toBe(1);
});

/** Those that this process opens from now on. */
function collectSockets(): Set<Socket> {
  const sockets = new Set<Socket>();
  const collect = (message: unknown) => void sockets.add((message as { socket: Socket }).socket);
  subscribe('net.client.socket', collect);
  onTestFinished(() => void unsubscribe('net.client.socket', collect));
  return sockets;
}

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createRecordingLogger } from '../test/recording-logger.ts';
import { type Bus, connectBus } from './connection.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startNats();
});
beforeEach(() => server.start());
afterAll(() => server.dispose());

async function connected(): Promise<Bus> {
  const bus = await connectBus({ url: server.url, name: 'test' });
  onTestFinished(() => bus.close());
  return bus;
}

it('the connection waits for a server that is not up yet', async () => {
  await server.stop();
  const logger = createRecordingLogger();
  const connecting = connectBus({ url: server.url, name: 'test', logger });
  await expect.poll(() => logger.messages).toEqual([expect.stringContaining('retrying')]);
  await server.start();
  const bus = await connecting;
  onTestFinished(() => bus.close());
  expect(bus.isConnected()).toBe(true);
});

it('the connection stops waiting for a server when its signal is aborted', async () => {
  await server.stop();
  const stopped = new AbortController();
  const connecting = connectBus({ url: server.url, name: 'test', signal: stopped.signal });
  stopped.abort();
  await expect(connecting).rejects.toThrow('aborted');
});

it('the connection does not wait when the password is rejected, and does not log it', async () => {
  const url = server.url.replace(/:[^:@]+@/, ':wrong-password@');
  const rejection = await connectBus({ url, name: 'test' }).catch((error: Error) => error.message);
  expect(rejection).toBe('NATS rejected the user or password. Check the credentials in NATS_URL.');
});

it('the connection reconnects within 2 s after a killed server is back and notifies the listeners, or closes immediately meanwhile', async () => {
  const bus = await connected();
  const closing = await connectBus({ url: server.url, name: 'test' });
  let reconnects = 0;
  bus.onReconnect(() => reconnects++);
  const unlisten = bus.onReconnect(() => expect.unreachable('this listener was removed'));
  unlisten();
  await server.kill();
  await expect.poll(() => bus.isConnected() || closing.isConnected()).toBe(false);
  const before = performance.now();
  await closing.close();
  expect(performance.now() - before).toBeLessThan(1_000);
  expect(closing.isConnected()).toBe(false);
  await server.start();
  await expect.poll(() => bus.isConnected(), { timeout: 2_000 }).toBe(true);
  expect(reconnects).toBe(1);
});

it('the connection keeps reconnecting after the server rejected its password several times', async () => {
  const bus = await connected();
  await server.kill();
  const stranger = await startRejectingServer(Number(new URL(server.url).port));
  await expect.poll(() => stranger.rejections()).toBeGreaterThan(3);
  await stranger.stop();
  await server.start();
  await expect.poll(() => bus.isConnected(), { timeout: 3_000 }).toBe(true);
});

/** Implements just enough of the protocol to reject every client, like a server whose users are being changed. */
async function startRejectingServer(port: number) {
  let rejections = 0;
  const sockets = new Set<Socket>();
  const rejectingServer = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.write(
      'INFO {"server_id":"x","version":"2.9.10","proto":1,"max_payload":1048576,"auth_required":true}\r\n',
    );
    socket.once('data', () => {
      rejections++;
      socket.end("-ERR 'Authorization Violation'\r\n");
    });
  });
  rejectingServer.listen(port, '127.0.0.1');
  await once(rejectingServer, 'listening');
  return {
    rejections: () => rejections,
    async stop() {
      for (const socket of sockets) socket.destroy();
      rejectingServer.close();
      await once(rejectingServer, 'close');
    },
  };
}

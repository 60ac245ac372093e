import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { publishText, subscribeText } from './announce.ts';
import { type Bus, connectBus } from './connection.ts';

let server: TestServer;
let speaking: Bus;
let listening: Bus;

beforeAll(async () => {
  server = await startNats();
  speaking = await connectBus({ url: server.url, name: 'speaking' });
  listening = await connectBus({ url: server.url, name: 'listening' });
});
afterAll(async () => {
  await speaking.close();
  await listening.close();
  await server.dispose();
});

async function listen() {
  const texts: string[] = [];
  const subscription = subscribeText(listening, 'announce.test', (text) => texts.push(text));
  onTestFinished(() => subscription.stop());
  await listening.nats.flush();
  return { texts, stop: () => subscription.stop() };
}

it('a text reaches every listener unchanged', async () => {
  const [first, second] = [await listen(), await listen()];
  publishText(speaking, 'announce.test', 'here I am: ß 💶');
  await expect.poll(() => [first.texts, second.texts]).toEqual([['here I am: ß 💶'], ['here I am: ß 💶']]);
});

it('a stopped listener receives nothing more', async () => {
  const [stopped, other] = [await listen(), await listen()];
  stopped.stop();
  publishText(speaking, 'announce.test', 'later');
  await expect.poll(() => other.texts).toEqual(['later']);
  expect(stopped.texts).toEqual([]);
});

it('a text is dropped while NATS is down, and listeners receive the next one after the reconnect', async () => {
  const { texts } = await listen();
  await server.kill();
  await expect.poll(() => speaking.isConnected() || listening.isConnected()).toBe(false);
  publishText(speaking, 'announce.test', 'missed');
  await server.start();
  await expect.poll(() => speaking.isConnected() && listening.isConnected()).toBe(true);
  // A client is connected before the server has its subscriptions.
  await listening.nats.flush();
  publishText(speaking, 'announce.test', 'received');
  await expect.poll(() => texts).toEqual(['received']);
});

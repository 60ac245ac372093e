import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bus, connectBus } from './connection.ts';
import { eraseMessages } from './erase-messages.ts';
import { createPublisher } from './publisher.ts';
import { ensureStreams } from './streams.ts';

const MESSAGES = 200;
let server: TestServer;
let bus: Bus;

beforeAll(async () => {
  server = await startNats();
  bus = await connectBus({ url: server.url, name: 'test' });
});
afterAll(async () => {
  await bus.close();
  await server.dispose();
});

/** In all files of the server; 0 in a container, whose files are not at hand. */
function occurrencesOnDisk(text: string): number {
  const { storeDir } = server;
  if (storeDir === null) return 0;
  const files = readdirSync(storeDir, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const contents = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  return contents.reduce((sum, content) => sum + content.split(text).length - 1, 0);
}

it('deletes only matching messages, also on the disk', async () => {
  await ensureStreams(bus);
  const publisher = createPublisher(bus);
  for (let n = 0; n < MESSAGES; n += 1) {
    const name = n % 5 === 0 ? 'Ada Lovelace' : 'Charles Babbage';
    await publisher.publish('events.payment.created', { n, name }, { messageId: `${n}` });
  }
  expect(await eraseMessages(bus, 'EVENTS', (body) => body.includes('Ada Lovelace'))).toBe(MESSAGES / 5);

  const { state } = await (await jetstreamManager(bus.nats)).streams.info('EVENTS');
  expect(state.messages).toBe((MESSAGES * 4) / 5);
  expect(occurrencesOnDisk('Ada Lovelace')).toBe(0);
  if (server.storeDir !== null) expect(occurrencesOnDisk('Charles Babbage')).toBe((MESSAGES * 4) / 5);
  expect(await eraseMessages(bus, 'EVENTS', (body) => body.includes('Ada Lovelace'))).toBe(0);
});

it('deletes nothing of a stream that does not exist', async () => {
  await (await jetstreamManager(bus.nats)).streams.delete('DEAD_LETTERS');
  expect(await eraseMessages(bus, 'DEAD_LETTERS', () => true)).toBe(0);
});

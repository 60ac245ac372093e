import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { newId } from '@tollgate/contracts/platform/ids';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bus, connectBus } from './connection.ts';
import { eraseMessages } from './erase-messages.ts';
import { isMessageNotFound } from './jetstream-errors.ts';
import { createPublisher } from './publisher.ts';
import { ensureStreams } from './streams.ts';

const MESSAGES = 200;
const NEVER = new AbortController().signal;
const isOfAda = (body: string) => body.includes('Ada Lovelace');
let server: TestServer;
let bus: Bus;

beforeAll(async () => {
  server = await startNats();
  bus = await connectBus({ url: server.url, name: 'test' });
  await ensureStreams(bus);
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

async function publish(nameOf: (n: number) => string): Promise<void> {
  const publisher = createPublisher(bus);
  for (let n = 0; n < MESSAGES; n += 1) {
    await publisher.publish('events.payment.created', { n, name: nameOf(n) }, { messageId: newId('event') });
  }
}

async function storedMessages(): Promise<number> {
  const { state } = await (await jetstreamManager(bus.nats)).streams.info('EVENTS');
  return state.messages;
}

it('`eraseMessages` deletes only matching messages, also on the disk', async () => {
  await publish((n) => (n % 5 === 0 ? 'Ada Lovelace' : 'Charles Babbage'));
  expect(await eraseMessages(bus, 'EVENTS', isOfAda, NEVER)).toBe(MESSAGES / 5);

  expect(await storedMessages()).toBe((MESSAGES * 4) / 5);
  expect(occurrencesOnDisk('Ada Lovelace')).toBe(0);
  if (server.storeDir !== null) expect(occurrencesOnDisk('Charles Babbage')).toBe((MESSAGES * 4) / 5);
  expect(await eraseMessages(bus, 'EVENTS', isOfAda, NEVER)).toBe(0);
});

it('`eraseMessages` deletes each message once when two instances do it at the same time', async () => {
  await publish(() => 'Ada Lovelace');
  const other = await connectBus({ url: server.url, name: 'test' });
  const erased = await Promise.all([bus, other].map((each) => eraseMessages(each, 'EVENTS', isOfAda, NEVER)));
  await other.close();
  expect(erased.reduce((sum, count) => sum + count)).toBe(MESSAGES);
});

it('`eraseMessages` reads no further batch once it must stop', async () => {
  await publish(() => 'Ada Lovelace');
  const before = await storedMessages();
  const stop = new AbortController();
  const erased = await eraseMessages(
    bus,
    'EVENTS',
    (body) => {
      stop.abort();
      return isOfAda(body);
    },
    stop.signal,
  );
  expect(erased).toBeLessThan(MESSAGES);
  expect(await storedMessages()).toBe(before - erased);
});

it.each(['deleted', 'purged'])(
  '`eraseMessages` ignores that a message that it read is %s meanwhile',
  async (change) => {
    await publish(() => 'Ada Lovelace');
    const { streams } = await jetstreamManager(bus.nats);
    const { state } = await streams.info('EVENTS');
    if (change === 'deleted') await streams.deleteMessage('EVENTS', state.last_seq);
    else await streams.purge('EVENTS');
    const error: unknown = await streams.deleteMessage('EVENTS', state.last_seq).catch((reason) => reason);
    expect(isMessageNotFound(error)).toBe(true);
  },
);

it('`eraseMessages` deletes nothing of a stream that does not exist', async () => {
  await (await jetstreamManager(bus.nats)).streams.delete('DEAD_LETTERS');
  expect(await eraseMessages(bus, 'DEAD_LETTERS', () => true, NEVER)).toBe(0);
});

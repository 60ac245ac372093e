import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { createPublisher } from '@tollgate/bus/publisher';
import { ensureStreams } from '@tollgate/bus/streams';
import { eventually } from '@tollgate/test-kit/eventually';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import Type from 'typebox';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../src/run-command.ts';
import { testTerminal } from './support/test-terminal.ts';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

let server: TestServer;
let bus: Bus;
let dead = 0;

beforeAll(async () => {
  server = await startNats();
  bus = await connectBus({
    url: server.url,
    name: 'test',
    onDeadLetter() {
      dead += 1;
    },
  });
  await ensureStreams(bus);
});
afterAll(async () => {
  await bus.close();
  await server.dispose();
});

async function run(...args: string[]) {
  const terminal = testTerminal({ env: { NATS_URL: server.url } });
  const exitCode = await runCommand(['dead-letters', ...args], terminal);
  const { printed, errors } = terminal;
  return { exitCode, printed, errors };
}

async function list(env: NodeJS.ProcessEnv): Promise<string[]> {
  const terminal = testTerminal({ env });
  await runCommand(['dead-letters', 'list'], terminal);
  return [...terminal.printed, ...terminal.errors];
}

/** Publishes events that the consumer cannot handle, and waits until they are dead letters. */
async function bury(...bodies: unknown[]): Promise<void> {
  const wanted = dead + bodies.length;
  const consumer = consume(bus, {
    stream: 'EVENTS',
    durable: 'webhooks',
    schema: Type.Object({ id: Type.String() }),
    handle: async () => undefined,
    logger,
  });
  const publisher = createPublisher(bus);
  for (const [index, body] of bodies.entries()) {
    await publisher.publish('events.payment.created', body, { messageId: `${wanted}-${index}` });
  }
  await eventually('they are dead letters', () => dead === wanted);
  await consumer.stop();
}

it('tollgate dead-letters lists, replays, and discards what a consumer could not handle', async () => {
  expect((await run('list')).printed).toEqual(['No dead letters.']);
  await bury({ name: 'one' }, { name: 'two' });

  const { exitCode, printed } = await run('list');
  expect(exitCode).toBe(0);
  expect(printed).toEqual([
    expect.stringMatching(
      /^1 {2}\S+Z {2}webhooks {2}events\.payment\.created {2}deliveries: 1 {2}The message is/,
    ),
    expect.stringMatching(/^2 /),
  ]);
  expect(printed.join()).not.toContain('one');
  expect((await run('list', '--body', '1')).printed).toContain('  {"name":"one"}');
  expect((await run('list', '--consumer', 'audit')).printed).toEqual(['No dead letters.']);

  expect(await run('discard', '1')).toMatchObject({ exitCode: 0, printed: ['1 discarded'] });
  expect(await run('replay', '--all')).toMatchObject({ exitCode: 0, printed: ['2 replayed'] });
  expect(await run('replay', '2')).toMatchObject({ exitCode: 1, errors: ['Dead letter 2 not found.'] });
  expect((await run('list')).printed).toEqual(['No dead letters.']);

  const received: unknown[] = [];
  const consumer = consume(bus, {
    stream: 'EVENTS',
    durable: 'fixed',
    schema: Type.Unknown(),
    handle: async ({ body }) => void received.push(body),
    logger,
  });
  await eventually('the replayed message has arrived', () => received.length === 3);
  await consumer.stop();
  expect(received.at(-1)).toEqual({ name: 'two' });
});

it.each([
  [[], 'Pass list, replay, or discard.'],
  [['replay'], 'Pass the sequences of the dead letters to replay, or --all.'],
  [['discard', '1', '--all'], 'Pass the sequences of the dead letters to discard, or --all.'],
  [['replay', 'first'], '"first" is not a sequence.'],
  [['list', '--everything'], 'Unknown option'],
])('tollgate dead-letters rejects %j and says what to pass', async (args, message) => {
  const { exitCode, errors } = await run(...args);
  expect(exitCode).toBe(2);
  expect(errors.join('\n')).toContain(message);
});

it('tollgate dead-letters reads the address of NATS from a file, and says when it cannot', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'nats-url');
  writeFileSync(path, `${server.url}\n`);
  expect(await list({ NATS_URL_FILE: path })).toEqual(['No dead letters.']);
  expect(await list({ NATS_URL_FILE: folder })).toEqual([
    `NATS_URL_FILE is ${folder}, which cannot be read (EISDIR: illegal operation on a directory).`,
  ]);
});

it('tollgate dead-letters says that NATS_URL is missing', async () => {
  expect((await list({})).join()).toContain('Set NATS_URL');
});

import {
  isAtLeast,
  parseVersion,
  type ServerVersion,
} from '@tollgate/local-servers/nats-server/server-version';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import Type from 'typebox';
import { expect, it, onTestFinished } from 'vitest';
import { createRecordingLogger } from '../../test/recording-logger.ts';
import { type Bus, connectBus } from '../connection.ts';
import { consume } from '../consumer.ts';
import { serverOf } from '../inspect-streams.ts';
import { openBucket } from '../kv.ts';
import { mirrorBucket } from '../kv-mirror.ts';
import { createPublisher } from '../publisher.ts';
import { ensureStreams } from '../streams.ts';
import { natsUsers } from './nats-users.ts';
import type { ProcessName } from './process-table.ts';

const BUCKET = 'principals';
/** Enough for NATS to request confirmations from the reader of a snapshot. */
const ENTRIES = 40;
const LARGE_VALUE = 'x'.repeat(100_000);

/** Sends acknowledgments and flow control to `$JS.ACK.<domain>.<account>.…`. Servers from 2.14 on know it. */
const LONG_SUBJECTS = 'feature_flags { js_ack_fc_v2: true }\n';

const logger = createRecordingLogger();

async function startWith(settings: string): Promise<TestServer> {
  const server = await startNats(({ name, password }) => {
    const sharedUser = { name, password: JSON.stringify(password) };
    return settings + natsUsers({ password: () => 'secret', sharedUser });
  });
  onTestFinished(() => server.dispose());
  return server;
}

async function connectAs(server: TestServer, user: ProcessName | 'tests'): Promise<Bus> {
  const url = new URL(server.url);
  if (user !== 'tests') [url.username, url.password] = [user, 'secret'];
  const bus = await connectBus({ url: url.href, name: user });
  onTestFinished(() => bus.close());
  return bus;
}

it('with the permissions of the table, processes acknowledge messages and read a large bucket on every form of subject that the server knows', async () => {
  await acknowledgeOn('', /^\$JS\.(ACK|FC)\.(EVENTS\.webhooks|KV_principals)\./);
  if (await knowsLongSubjects())
    await acknowledgeOn(LONG_SUBJECTS, /^\$JS\.(ACK|FC)\._\.\w+\.(EVENTS\.webhooks|KV_principals)\./);
});

async function acknowledgeOn(settings: string, form: RegExp): Promise<void> {
  const server = await startWith(settings);
  const tests = await connectAs(server, 'tests');
  await ensureStreams(tests);
  const confirmations = { ACK: [] as string[], FC: [] as string[] };
  for (const [kind, subjects] of Object.entries(confirmations))
    tests.nats.subscribe(`$JS.${kind}.>`, { callback: (_, { subject }) => void subjects.push(subject) });
  await tests.nats.flush();

  const bodies: unknown[] = [];
  const consumer = consume(await connectAs(server, 'webhooks'), {
    stream: 'EVENTS',
    durable: 'webhooks',
    schema: Type.Unknown(),
    logger,
    handle: async ({ body }) => void bodies.push(body),
  });
  onTestFinished(() => consumer.stop());
  const payments = createPublisher(await connectAs(server, 'payments'));
  await payments.publish('events.payment.created', { amount: 1 }, { messageId: 'evt_1' });

  const bucket = await openBucket(await connectAs(server, 'applications'), BUCKET, { create: true });
  for (let entry = 0; entry < ENTRIES; entry++) await bucket.create(`key-${entry}`, LARGE_VALUE);
  let mirrored = 0;
  const mirror = mirrorBucket(await connectAs(server, 'gateway'), BUCKET, {
    logger,
    onSnapshot: (entries) => {
      mirrored = entries.size;
    },
    onEntry: () => undefined,
  });
  onTestFinished(() => mirror.stop());

  await expect.poll(() => mirrored).toBe(ENTRIES);
  await expect.poll(() => confirmations.ACK).toEqual([expect.stringMatching(form)]);
  await expect.poll(() => confirmations.FC).toContainEqual(expect.stringMatching(form));
  expect(bodies).toEqual([{ amount: 1 }]);
  expect(await server.output()).not.toContain(' Violation - ');
}

async function knowsLongSubjects(): Promise<boolean> {
  const { version } = serverOf(await connectAs(await startWith(''), 'tests'));
  return isAtLeast(parseVersion(version) as ServerVersion, { major: 2, minor: 14, patch: 0 });
}

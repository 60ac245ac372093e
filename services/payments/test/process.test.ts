import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { subscribeText } from '@tollgate/bus/announce';
import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/streams';
import { type Announcement, verifyAnnouncement } from '@tollgate/service-kit/announcement';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  signedRequest,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let payments: PaymentsUnderTest;
let child: ChildProcess;
const announcements: Announcement[] = [];

beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  subscribeText(payments.bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, (text) => {
    const announcement = verifyAnnouncement(payments.config.internalSigningKeys, text, Date.now());
    if (announcement) announcements.push(announcement);
  });
  await payments.bus.nats.flush();
  const { version, key } = payments.config.internalSigningKeys.current;
  child = spawn(process.execPath, [MAIN], {
    stdio: 'ignore',
    env: {
      ...process.env,
      MONGODB_URL: payments.infra.mongodbUrl,
      NATS_URL: payments.infra.natsUrl,
      INTERNAL_SIGNING_KEYS: `${version}:${key.toString('base64')}`,
      ACTOR_PUBLIC_KEYS: payments.config.actorPublicKeys.join('\n'),
    },
  });
  await eventually('the process announces itself', () => announcements.length > 0, { timeoutMs: 30_000 });
}, START_TIMEOUT_MS);
afterAll(async () => {
  child.kill('SIGKILL');
  await payments.stop();
});

test('a process that is told to stop loses no request, publishes every event and ends by itself', async () => {
  const principal = aPrincipal();
  const url = announcements[0]?.url ?? '';
  const statuses: number[] = [];
  const isDraining = () => announcements.at(-1)?.state === 'draining';

  /** As a gateway does: sends until it hears the goodbye. */
  async function sendUntilGoodbye() {
    while (!isDraining()) {
      const request = signedRequest(payments.config, Date.now(), principal, {
        method: 'POST',
        path: '/v1/payments',
        key: randomBytes(8).toString('hex'),
        body: { amount: 100, currency: 'EUR' },
      });
      const response = await fetch(`${url}/v1/payments`, {
        method: 'POST',
        headers: request.headers as Record<string, string>,
        body: request.payload as Buffer,
      });
      await response.text();
      statuses.push(response.status);
    }
  }
  const sending = Promise.all(Array.from({ length: 5 }, sendUntilGoodbye));
  await eventually('requests are served', () => statuses.length > 50);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await sending;
  expect(await exited).toEqual([0, null]);

  expect(new Set(statuses)).toEqual(new Set([201]));
  const stored = await payments.collection.find({ application_id: principal.application_id }).toArray();
  expect(stored).toHaveLength(statuses.length);
  for (const { history } of stored) expect(history[0].published_at).toBeInstanceOf(Date);
}, 60_000);

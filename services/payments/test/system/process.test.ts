import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { subscribeText } from '@tollgate/bus/announce';
import { consume } from '@tollgate/bus/consumer';
import { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { Payment } from '@tollgate/contracts/payments/payment';
import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/platform/streams';
import { verifyAnnouncement } from '@tollgate/security/announcement';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  signedRequest,
  startPaymentsUnderTest,
} from '../payments-under-test.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let payments: PaymentsUnderTest;
const published = new Set<string>();
let stopConsuming: () => Promise<void>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  const consumer = consume(payments.bus, {
    stream: 'EVENTS',
    durable: 'process-test',
    schema: PaymentEvent,
    async handle({ body: { type, data } }) {
      if (type === 'payment.created') published.add(data.id);
    },
    logger: payments.logger,
  });
  stopConsuming = () => consumer.stop();
}, START_TIMEOUT_MS);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await stopConsuming();
  await payments.stop();
});

/** Starts main.ts and finds it as gateways do. `isDraining` becomes true with its goodbye. */
async function startProcess() {
  let url: string | null = null;
  let state: string | null = null;
  const subscription = subscribeText(payments.bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, (text) => {
    const result = verifyAnnouncement(payments.config.internalSigningKeys, text, Date.now());
    if (!('announcement' in result)) return;
    url ??= result.announcement.url;
    if (result.announcement.url === url) state = result.announcement.state;
  });
  await payments.bus.nats.flush();
  const { version, key } = payments.config.internalSigningKeys.current;
  const child = spawn(process.execPath, [MAIN], {
    stdio: 'ignore',
    env: {
      ...process.env,
      MONGODB_URL: payments.infra.mongodbUrl,
      NATS_URL: payments.infra.natsUrl,
      INTERNAL_SIGNING_KEYS: `${version}:${key.toString('base64')}`,
      ACTOR_PUBLIC_KEYS: payments.actorPublicKey,
      SIGNING_KEYS: payments.issuerKeys.privateKeys.payments,
    },
  });
  children.push(child);
  await eventually('the process announces itself', () => url !== null, { timeoutMs: 30_000 });
  return {
    url: url ?? '',
    isDraining: () => state === 'draining',
    async end(signal: 'SIGTERM' | 'SIGKILL') {
      const exited = once(child, 'exit');
      child.kill(signal);
      const [code] = await exited;
      subscription.stop();
      return code;
    },
  };
}

/** The process of both tests after the killed one. */
let started: ReturnType<typeof startProcess> | null = null;
function nextProcess() {
  started ??= startProcess();
  return started;
}

async function create(
  url: string,
  principal: ReturnType<typeof aPrincipal>,
): Promise<{ status: number; payment: Payment }> {
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
  return { status: response.status, payment: (await response.json()) as Payment };
}

/** The statuses of the responses to requests that are sent at the same time until `isOver`. Null is no response. */
function sendUntil(isOver: () => boolean, url: string, principal: ReturnType<typeof aPrincipal>) {
  const statuses: (number | null)[] = [];
  const acknowledged: string[] = [];
  async function send() {
    while (!isOver()) {
      const response = await create(url, principal).catch(() => null);
      statuses.push(response?.status ?? null);
      if (response?.status === 201) acknowledged.push(response.payment.id);
    }
  }
  const ended = Promise.all(Array.from({ length: 10 }, send));
  return { statuses, acknowledged, ended };
}

async function storedOf({ application_id }: ReturnType<typeof aPrincipal>) {
  return payments.collection.find({ application_id }).toArray();
}

test('a killed process loses no acknowledged payment, and the next process publishes every event', async () => {
  const principal = aPrincipal();
  const killed = await startProcess();
  let isKilled = false;
  const { acknowledged, ended } = sendUntil(() => isKilled, killed.url, principal);
  await eventually('requests are served', () => acknowledged.length > 100);
  await killed.end('SIGKILL');
  isKilled = true;
  await ended;

  await nextProcess();
  const ids = (await storedOf(principal)).map(({ _id }) => String(_id));
  expect(ids).toEqual(expect.arrayContaining(acknowledged));
  await eventually('every event is published', () => ids.every((id) => published.has(id)), {
    timeoutMs: 30_000,
  });
}, 120_000);

test('a process that is asked to stop loses no request, publishes every event, and exits by itself', async () => {
  const principal = aPrincipal();
  const { url, isDraining, end } = await nextProcess();
  const { statuses, ended } = sendUntil(isDraining, url, principal);
  await eventually('requests are served', () => statuses.length > 50);
  const exited = end('SIGTERM');
  await ended;
  expect(await exited).toBe(0);

  expect(new Set(statuses)).toEqual(new Set([201]));
  const stored = await storedOf(principal);
  expect(stored).toHaveLength(statuses.length);
  for (const { history } of stored) expect(history[0].published_at).toBeInstanceOf(Date);
}, 60_000);

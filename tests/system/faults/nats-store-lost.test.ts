import { createKey, revokeKey } from '@tollgate/contracts/applications/rpc';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { Problem } from '@tollgate/contracts/platform/problem';
import { eventually } from '@tollgate/test-kit/eventually';
import { startInfra } from '@tollgate/test-kit/infra';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { storedEvents } from '../../support/platform/stored-events.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';
import { report } from '../../support/report.ts';

const PAYMENTS = 20;
const EVENTS_PER_PAYMENT = 3;
const MAX_REVOCATION_DELAY_MS = 5_000;
/** Webhooks queries payments at its start and when NATS returns. The rest is processing time on a busy machine. */
const MAX_DELAY_MS = 30_000;

let platform: Platform;
let application: TestApplication;
let api: ApiClient;
let endpoint: TestEndpoint;
let since: string;
/** Events that only the lost store held. */
let lost: PaymentEvent[];
/** A key that was revoked while NATS was down. */
let revoked: ApiClient;
let returnedAt: number;

beforeAll(async () => {
  since = new Date().toISOString();
  platform = await startPlatform();
  application = await platform.createApplication();
  api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  endpoint = await createWebhookEndpoint(platform.admin.as(platform.owner.session), application);
  const key = await platform.call(createKey, {
    application_id: application.id,
    name: 'doomed',
    environment: 'sandbox',
  });
  revoked = apiClient(platform.baseUrl.sandbox, key.secret);
  await eventually('the key is accepted', async () => (await revoked.read('x')).status === 404);

  await platform.processes.webhooks.kill();
  const published = platform.collectEvents();
  await createPayments();
  lost = await eventsOf(PAYMENTS);
  await eventually('all are published', () => lost.every(({ id }) => published.ids().has(id)));
  await published.stop();

  await platform.infra.nats.deleteStore();
  await createPayments();
  await revokeElsewhere(key.id);
  expect((await revoked.read('x')).status).toBe(404);
  expect((await api.create()).status).toBe(201);
  await platform.infra.nats.start();
  returnedAt = performance.now();
});
afterAll(async () => {
  await platform?.stop();
  await endpoint?.receiver.close();
});

/** The revocation must reach MongoDB but not the gateway's NATS, so an instance with a NATS of its own revokes the key. */
async function revokeElsewhere(key_id: string): Promise<void> {
  const elsewhere = await startInfra({ nats: true });
  const applications = await platform.startApplicationsBeside(elsewhere.natsUrl);
  await applications.call(revokeKey, { key_id });
  await applications.stop();
  await elsewhere.stop();
}

async function createPayments(): Promise<void> {
  for (let index = 0; index < PAYMENTS; index += 1)
    expect((await api.create({ amount: index + 1, currency: 'EUR' })).status).toBe(201);
}

/** All events, once this many payments have settled. */
async function eventsOf(payments: number): Promise<PaymentEvent[]> {
  let events: PaymentEvent[] = [];
  await eventually(
    `${payments} payments have settled`,
    async () => {
      events = await storedEvents(platform.call, since).catch(noneWhileUnavailable);
      return events.length === payments * EVENTS_PER_PAYMENT;
    },
    { timeoutMs: MAX_DELAY_MS, intervalMs: 200 },
  );
  return events;
}

/** RPCs fail as unavailable until every service has reconnected to NATS. */
function noneWhileUnavailable(error: unknown): PaymentEvent[] {
  if (error instanceof Problem && error.details.code === 'unavailable') return [];
  throw error;
}

const elapsedMs = (from: number) => `${(performance.now() - from).toFixed(0)} ms`;

describe('NATS killed and its store deleted', () => {
  it('a key revoked meanwhile is rejected within 5 s of the restart, and other keys keep working', async () => {
    await eventually('the revoked key is rejected', async () => (await revoked.read('x')).status === 401, {
      timeoutMs: MAX_REVOCATION_DELAY_MS - (performance.now() - returnedAt),
    });
    report(`rejected ${elapsedMs(returnedAt)} after NATS's return`);
    expect((await api.create()).status).toBe(201);
  });

  it('NATS killed and its store deleted while webhooks is down: events that only the lost store held are recovered from payments and delivered', async () => {
    await platform.processes.webhooks.start();
    const startedAt = performance.now();
    // One payment was created while NATS was down, and one after its return.
    const events = await eventsOf(2 * PAYMENTS + 2);
    const wanted = new Set(events.map(({ id }) => id));
    const { receiver } = endpoint;
    const got = () => new Set(receiver.received.map(({ id }) => id));
    const timeoutMs = MAX_DELAY_MS - (performance.now() - startedAt);
    await eventually('every event is delivered', () => wanted.isSubsetOf(got()), { timeoutMs });
    expect(got()).toEqual(wanted);
    expect(receiver.rejected).toEqual([]);
    report(
      `${events.length} events delivered ${elapsedMs(startedAt)} after webhooks was ready, ${elapsedMs(returnedAt)} after NATS's return`,
    );

    const inNewStore = platform.collectEvents();
    const later = events.filter(({ id }) => !lost.some((one) => one.id === id));
    await eventually('the new stream holds what happened since', () =>
      later.every(({ id }) => inNewStore.ids().has(id)),
    );
    await inNewStore.stop();
    expect(lost.filter(({ id }) => inNewStore.ids().has(id))).toEqual([]);
  });
});

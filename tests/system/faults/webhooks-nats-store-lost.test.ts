import type { PaymentEvent } from '@tollgate/contracts/events';
import { Problem } from '@tollgate/contracts/problem';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { storedEvents } from '../../support/platform/stored-events.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';
import { report } from '../../support/report.ts';

const PAYMENTS = 20;
const EVENTS_PER_PAYMENT = 3;
/** Webhooks queries payments at its start and when NATS returns. The rest is processing time on a busy machine. */
const MAX_DELAY_MS = 30_000;

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

async function anApplication() {
  const application = await platform.createApplication();
  const endpoint = await createWebhookEndpoint(platform.admin.as(platform.owner.session), application);
  return { application, endpoint };
}

async function createPayments({ id, keys }: TestApplication): Promise<void> {
  const api = apiClient(platform.baseUrl.sandbox, keys.sandbox);
  for (let index = 0; index < PAYMENTS; index += 1) {
    expect((await api.create({ amount: index + 1, currency: 'EUR', reference: id })).status).toBe(201);
  }
}

/** All events of the application's payments, once this many payments have settled. */
async function eventsOf(application: TestApplication, since: string, payments: number) {
  let events: PaymentEvent[] = [];
  await eventually(
    `${payments} payments have settled`,
    async () => {
      const stored = await storedEvents(platform.call, since).catch(noneWhileUnavailable);
      events = stored.filter(({ application_id }) => application_id === application.id);
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

async function expectAllDelivered(events: PaymentEvent[], { receiver }: TestEndpoint, returnedAt: number) {
  const wanted = new Set(events.map(({ id }) => id));
  const got = () => new Set(receiver.received.map(({ id }) => id));
  const timeoutMs = MAX_DELAY_MS - (performance.now() - returnedAt);
  await eventually('every event is delivered', () => wanted.isSubsetOf(got()), { timeoutMs });
  expect(got()).toEqual(wanted);
  expect(receiver.rejected).toEqual([]);
}

const since = () => new Date().toISOString();
const elapsedMs = (from: number) => `${(performance.now() - from).toFixed(0)} ms`;

describe('NATS killed and its store deleted', () => {
  it('while webhooks is down: events that only the lost store held are recovered from payments and delivered', async () => {
    const from = since();
    const { application, endpoint } = await anApplication();
    await platform.processes.webhooks.kill();
    const published = platform.collectEvents();
    await createPayments(application);
    const lost = await eventsOf(application, from, PAYMENTS);
    await eventually('all are published', () => lost.every(({ id }) => published.ids().has(id)));
    await published.stop();

    await platform.infra.nats.deleteStore();
    await createPayments(application);
    await platform.infra.nats.start();
    const returnedAt = performance.now();
    await platform.processes.webhooks.start();
    const startedAt = performance.now();
    const events = await eventsOf(application, from, 2 * PAYMENTS);
    await expectAllDelivered(events, endpoint, returnedAt);
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
    await endpoint.receiver.close();
  }, 120_000);
});

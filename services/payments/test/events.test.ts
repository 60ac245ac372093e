import { subscribeText } from '@tollgate/bus/announce';
import { consume } from '@tollgate/bus/consumer';
import { PaymentEvent } from '@tollgate/contracts/payments/events';
import { newId } from '@tollgate/contracts/platform/ids';
import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/platform/streams';
import { verifyAnnouncement } from '@tollgate/security/announcement';
import { createSignatureVerifier } from '@tollgate/security/signature';
import { parseSignerPublicKeys } from '@tollgate/security/signing-keys';
import { eventually } from '@tollgate/test-kit/eventually';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsSince } from '../src/outbox/events-since.ts';
import { SWEEP_AFTER_MS } from '../src/outbox/payment-outbox.ts';
import { aNewPayment } from './a-new-payment.ts';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { settleDue } from './settle-due.ts';

let payments: PaymentsUnderTest;
const received: { subject: string; event: PaymentEvent }[] = [];
let stopConsuming: () => Promise<void>;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  const consumer = consume(payments.bus, {
    stream: 'EVENTS',
    durable: 'test',
    schema: PaymentEvent,
    async handle({ subject, body }) {
      received.push({ subject, event: body });
    },
    logger: payments.logger,
  });
  stopConsuming = () => consumer.stop();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await stopConsuming();
  await payments.stop();
});

const eventSchema = Compile(PaymentEvent);
const eventsOf = (id: string) => received.filter(({ event }) => event.data.id === id);
const distinct = (id: string) => new Set(eventsOf(id).map(({ event }) => event.id)).size;

async function unpublishedOf(id: string): Promise<number> {
  const [payment] = await payments.collection.find({ _id: id as never }).toArray();
  return payment?.['history'].filter((entry: { published_at: Date | null }) => entry.published_at === null)
    .length;
}

async function outboxAgeS(): Promise<number> {
  const name = 'tollgate_payments_outbox_oldest_age_seconds';
  const text = await payments.registry.getSingleMetricAsString(name);
  return Number(/ ([\d.]+)$/.exec(text)?.[1]);
}

test('every change is published on its subject with the payment as it was then, and marked', async () => {
  const principal = aPrincipal();
  const payment = await payments.create(principal, { metadata: { order: '17' } });
  payments.clock.advance(5_000);
  await settleDue(payments.app);
  await eventually('three events', () => eventsOf(payment.id).length === 3);
  const inOrder = eventsOf(payment.id).sort((a, b) => a.event.data.version - b.event.data.version);
  expect(inOrder.map(({ subject, event }) => [subject, event.type, event.data.status])).toEqual([
    ['events.payment.created', 'payment.created', 'pending'],
    ['events.payment.processing', 'payment.processing', 'processing'],
    ['events.payment.succeeded', 'payment.succeeded', 'succeeded'],
  ]);
  for (const { event } of inOrder) {
    expect(eventSchema.Errors(event)).toEqual([]);
    expect(event).toMatchObject({
      team_id: principal.team_id,
      application_id: principal.application_id,
      environment: 'sandbox',
    });
  }
  expect(inOrder[0]?.event.data).toEqual(payment);
  await payments.app.outbox.drain();
  expect(await unpublishedOf(payment.id)).toBe(0);
});

test('every change that a crash left unpublished is published with all its events by the sweep of any instance', async () => {
  const payment = aNewPayment({ createdAt: new Date(payments.clock.now()) });
  await payments.app.store.insert(payment);
  expect(await payments.app.tasks.sweepOutbox()).toBe(0);
  payments.clock.advance(SWEEP_AFTER_MS + 1);
  expect(await outboxAgeS()).toBe((SWEEP_AFTER_MS + 1) / 1000);
  expect(await payments.app.tasks.sweepOutbox()).toBe(1);
  await eventually('its event', () => eventsOf(payment._id).length === 1);
  expect(await unpublishedOf(payment._id)).toBe(0);
  expect(await outboxAgeS()).toBe(0);
  expect(await payments.app.tasks.sweepOutbox()).toBe(0);
});

test('events that are published or read together share a signature, and each is valid alone', async () => {
  const created = Array.from({ length: 3 }, () => aNewPayment({ createdAt: new Date(payments.clock.now()) }));
  const since = new Date(payments.clock.now()).toISOString();
  for (const payment of created) await payments.app.store.insert(payment);
  payments.clock.advance(SWEEP_AFTER_MS + 1);
  expect(await payments.app.tasks.sweepOutbox()).toBe(3);
  const ids = created.map(({ _id }) => _id);
  await eventually('their events', () => ids.every((id) => eventsOf(id).length === 1));
  const published = ids.flatMap((id) => eventsOf(id).map(({ event }) => event));
  const { events: read } = await eventsSince(payments.app, { since });

  for (const events of [published, read]) {
    expect(events).toHaveLength(3);
    expect(new Set(events.map(({ signature }) => signature?.value)).size).toBe(1);
    for (const event of events) {
      const verifier = createSignatureVerifier(parseSignerPublicKeys(payments.issuerKeys.publicKeys));
      expect(verifier.check('payment_event', event)).toEqual({ issuer: 'payments', fault: null });
    }
  }
});

test('every change that is not published keeps its age in the metrics when its payment changes again', async () => {
  const payment = aNewPayment({ createdAt: new Date(payments.clock.now()) });
  await payments.app.store.insert(payment);
  payments.clock.advance(SWEEP_AFTER_MS + 1);
  const changed = { $set: { updated_at: new Date(payments.clock.now()) } };
  await payments.collection.updateOne({ _id: payment._id as never }, changed);
  expect(await outboxAgeS()).toBe((SWEEP_AFTER_MS + 1) / 1000);
  payments.clock.advance(SWEEP_AFTER_MS + 1);
  expect(await payments.app.tasks.sweepOutbox()).toBe(1);
  await payments.app.outbox.drain();
});

test('every change that was published but not marked is not delivered twice within minutes', async () => {
  const principal = aPrincipal();
  const { id } = await payments.create(principal);
  await eventually('its event', () => eventsOf(id).length === 1);
  await payments.app.outbox.drain();
  await payments.collection.updateOne({ _id: id as never }, { $set: { 'history.0.published_at': null } });
  payments.clock.advance(SWEEP_AFTER_MS + 1);
  expect(await payments.app.tasks.sweepOutbox()).toBeGreaterThan(0);
  const marker = await payments.create(principal);
  await eventually('a later event', () => eventsOf(marker.id).length === 1);
  expect(eventsOf(id)).toHaveLength(1);
});

describe('without NATS', () => {
  test('payments are created, canceled, and settled, and every event follows once NATS is back, even with an empty store', async () => {
    const principal = aPrincipal();
    await payments.infra.nats.kill();
    await eventually('the bus notices', () => !payments.bus.isConnected());
    const settled = await payments.create(principal);
    const canceled = await payments.create(principal, { payment_method: 'pm_hold' });
    await payments.send(principal, { method: 'POST', path: `/v1/payments/${canceled.id}/cancel` });
    payments.clock.advance(5_000);
    await settleDue(payments.app);
    await payments.app.outbox.drain();
    expect(await unpublishedOf(settled.id)).toBe(3);

    await payments.infra.nats.deleteStore();
    await payments.infra.nats.start();
    await eventually('the bus is back', () => payments.bus.isConnected());
    payments.clock.advance(SWEEP_AFTER_MS + 1);
    await eventually('the sweep gets through', () =>
      payments.app.tasks.sweepOutbox().then(
        (found) => found === 0,
        () => false,
      ),
    );
    await eventually('all events', () => distinct(settled.id) === 3 && distinct(canceled.id) === 2);
  }, 60_000);
});

test('an instance announces its address, signed, and sends a goodbye before it closes', async () => {
  const received: string[] = [];
  const subscription = subscribeText(payments.bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, (text) =>
    received.push(text),
  );
  await payments.bus.nats.flush();
  const instance = await payments.anotherInstance();
  const running = await instance.app.start();
  const announcements = () =>
    received
      .map((text) => verifyAnnouncement(payments.config.internalSigningKeys, text, payments.clock.now()))
      .flatMap((result) => ('announcement' in result ? [result.announcement] : []))
      .filter((announcement) => announcement.url === running.url);
  await eventually('it announces itself', () => announcements().length > 0);
  expect(announcements()[0]?.state).toBe('serving');
  expect((await fetch(`${running.url}/v1/payments/${newId('payment')}`)).status).toBe(401);

  await running.announceDraining();
  await eventually('it says goodbye', () => announcements().at(-1)?.state === 'draining');
  expect((await fetch(`${running.url}/v1/payments/${newId('payment')}`)).status).toBe(401);
  await running.stopServing();
  await running.stopWorking();
  await expect(fetch(running.url)).rejects.toThrow();
  subscription.stop();
  await instance.stop();
});

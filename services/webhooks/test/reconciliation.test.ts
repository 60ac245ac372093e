import { INTERVAL_MS, OVERLAP_MS } from '@tollgate/store/reconcile-events';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import type { Receiver } from './receiver.ts';

let harness: Harness;
let service: Service;
let receiver: Receiver;
let application: TestApplication;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  // A run that ends after a test has moved the clock would postpone the run of the test.
  await eventually('the run of the start has ended', async () => {
    const reconciliations = service.connection.collection('reconciliations');
    return (await reconciliations.countDocuments({ due_at: { $gt: new Date(harness.clock.now()) } })) === 1;
  });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  receiver = await harness.startReceiver();
  application = await harness.anApplication();
  await harness.anEndpoint(application, receiver.url);
});
afterEach(() => receiver.stop());

const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);
const eventNow = (offsetMs = 0) => anEvent(application, { at: new Date(harness.clock.now() + offsetMs) });

it('an event that no message delivered is read from payments by the next run, over several pages, and delivered once', async () => {
  const events = Array.from({ length: 120 }, () => eventNow());
  harness.owned.push(...events);
  harness.clock.advance(INTERVAL_MS);
  await service.app.reconcileIfDue();
  await eventually('all came', () => ids().length === events.length, { timeoutMs: 30_000 });
  harness.clock.advance(INTERVAL_MS);
  await service.app.reconcileIfDue();
  expect(new Set(ids())).toEqual(new Set(events.map(({ id }) => id)));
  expect(ids()).toHaveLength(events.length);
});

it('an event that no message delivered is found if its clock is behind by almost the overlap; a clock far ahead hides nothing', async () => {
  const ahead = eventNow(24 * 3_600_000);
  harness.owned.push(ahead);
  harness.clock.advance(INTERVAL_MS);
  await service.app.reconcileIfDue();
  const behind = eventNow(-OVERLAP_MS + 1_000);
  harness.owned.push(behind);
  harness.clock.advance(INTERVAL_MS);
  await service.app.reconcileIfDue();
  await eventually('both came', () => ids().length === 2);
  expect(new Set(ids())).toEqual(new Set([ahead.id, behind.id]));
  harness.owned.splice(harness.owned.indexOf(ahead), 1);
});

it('an event that no message delivered fails verification without the signature of payments, and hides no other', async () => {
  const { signers } = harness.issuerKeys;
  const signed = signers.payments.sign('payment_event', eventNow());
  const forged = [
    { ...signed, data: { ...signed.data, amount: 1 } },
    signers.gateway.sign('payment_event', eventNow()),
  ];
  const event = eventNow();
  harness.owned.push(...forged, event);
  harness.clock.advance(INTERVAL_MS);
  await service.app.reconcileIfDue();
  await eventually('the true one came', () => ids().includes(event.id));
  expect(ids()).toEqual([event.id]);
  for (const each of forged) harness.owned.splice(harness.owned.indexOf(each), 1);
});

it('an event that no message delivered is searched for by one instance at a time, and immediately by a new one', async () => {
  await service.app.reconcileIfDue();
  const event = eventNow();
  harness.owned.push(event);
  await service.app.reconcileIfDue();
  expect(ids()).toEqual([]);
  const another = await harness.startService();
  await eventually('it came', () => ids().includes(event.id));
  await another.stop();
});

it('NATS that is killed, with its store deleted loses no event: earlier ones and those of the outage are delivered once it is back', async () => {
  const meanwhile = Array.from({ length: 5 }, () => eventNow());
  const missed = eventNow();
  harness.owned.push(missed);
  await harness.infra.nats.deleteStore();
  harness.owned.push(...meanwhile);
  await harness.infra.nats.start();
  const wanted = new Set([missed, ...meanwhile].map(({ id }) => id));
  await eventually('all came', () => wanted.isSubsetOf(new Set(ids())), { timeoutMs: 20_000 });
  const later = eventNow();
  await eventually('the stream is made again', async () => {
    try {
      await harness.publish(later);
      return true;
    } catch {
      return false;
    }
  });
  await eventually('it came by the new stream', () => ids().includes(later.id), { timeoutMs: 20_000 });
  expect(ids()).toHaveLength(wanted.size + 1);
}, 60_000);

import { callRpc } from '@tollgate/bus/rpc';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Issuer } from '@tollgate/contracts/platform/signature';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { INTERVAL_MS } from '@tollgate/store/reconcile-events';
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
});
afterAll(() => harness.stop());
beforeEach(async () => {
  receiver = await harness.startReceiver();
  application = await harness.anApplication();
  await harness.anEndpoint(application, receiver.url);
  harness.clock.advance(1);
});
afterEach(() => receiver.stop());

/** An event of a payment that is created now. */
function eventNow(environment: 'live' | 'sandbox' = 'sandbox', of = application): PaymentEvent {
  const at = new Date(harness.clock.now());
  const event = anEvent(of, { environment, at, type: 'payment.created' });
  return { ...event, data: { ...event.data, created_at: at.toISOString(), version: 1 } };
}

/** A later event of the same payment. */
function nextEvent({ data }: PaymentEvent): PaymentEvent {
  const event = anEvent(application, { at: new Date(harness.clock.now()) });
  return { ...event, data: { ...data, version: data.version + 1, status: 'succeeded' } };
}

function order(issuer: Issuer = 'payments', teamId = application.teamId) {
  const created_before = new Date(harness.clock.now()).toISOString();
  return harness.issuerKeys.signers[issuer].sign('sandbox_reset', { team_id: teamId, created_before });
}

async function reset(wanted = order()): Promise<void> {
  for (;;) {
    const reply = await callRpc(harness.client, contract.deleteSandboxData, wanted);
    if (reply.is_complete) return;
  }
}

async function storedOf({ data }: PaymentEvent): Promise<{ events: number; deliveries: number }> {
  const count = (name: string) => service.connection.collection(name).countDocuments({ payment_id: data.id });
  return { events: await count('events'), deliveries: await count('deliveries') };
}

const deliveries = () => service.connection.collection('deliveries');
const NOTHING = { events: 0, deliveries: 0 };

it('a reset of the sandbox deletes all events of the payments from before with their deliveries, and their places in the feed', async () => {
  const created = eventNow();
  await service.app.fanOut(created);
  harness.clock.advance(1);
  const wanted = order();
  const succeeded = nextEvent(created);
  await service.app.fanOut(succeeded);
  const later = eventNow();
  await service.app.fanOut(later);
  await service.app.placeInFeed();
  await reset(wanted);
  expect(await storedOf(created)).toEqual(NOTHING);
  expect(await storedOf(later)).toEqual({ events: 1, deliveries: 1 });
  const feed = await harness.call(application.viewer, contract.listEvents, { order: 'asc' });
  expect(feed.data.map(({ id }) => id)).toEqual([later.id]);
});

it('a reset of the sandbox deletes nothing of live and nothing of another team', async () => {
  const others = await harness.anApplication();
  const [live, other] = [eventNow('live'), eventNow('sandbox', others)];
  await harness.anEndpoint(others, receiver.url);
  await service.app.fanOut(live);
  await service.app.fanOut(other);
  // No endpoint of this harness may get live events.
  const { _id, ...delivery } = (await deliveries().findOne({ payment_id: other.data.id })) ?? {};
  await deliveries().insertOne({
    ...delivery,
    _id: newId('delivery') as never,
    team_id: application.teamId,
    environment: 'live',
    event_id: live.id,
    payment_id: live.data.id,
  });
  const before = [await storedOf(live), await storedOf(other)];
  expect(before).toEqual([
    { events: 1, deliveries: 1 },
    { events: 1, deliveries: 1 },
  ]);
  harness.clock.advance(1);
  await reset();
  expect([await storedOf(live), await storedOf(other)]).toEqual(before);
  // Events of live payments from before still arrive.
  const late = nextEvent({ ...live, data: { ...live.data } });
  await service.app.fanOut({ ...late, environment: 'live' });
  expect(await storedOf(live)).toEqual({ events: 2, deliveries: 1 });
});

it('a reset of the sandbox deletes test events from before, and none from later', async () => {
  const [endpoint] = (await harness.call(application.viewer, contract.listEndpoints, {})).data;
  const send = () =>
    harness.call(application.developer, contract.sendTestEvent, {
      endpoint_id: endpoint?.id ?? '',
      event_type: 'payment.succeeded',
    });
  const before = await send();
  await eventually('its audit entry is confirmed', async () => {
    const endpoints = service.connection.collection('endpoints');
    return (
      (await endpoints.countDocuments({ team_id: application.teamId, 'outbox.id': { $exists: true } })) === 0
    );
  });
  harness.clock.advance(1);
  const wanted = order();
  const after = await send();
  await reset(wanted);
  const { data } = await harness.call(application.viewer, contract.listDeliveries, {});
  expect(data.map(({ id }) => id)).toEqual([after.id]);
  expect(data.map(({ id }) => id)).not.toContain(before.id);
});

it('a reset of the sandbox deletes many in batches', async () => {
  const events = Array.from({ length: 250 }, () => eventNow());
  await Promise.all(events.map((event) => service.app.fanOut(event)));
  harness.clock.advance(1);
  const wanted = order();
  const replies = [];
  do {
    replies.push(await callRpc(harness.client, contract.deleteSandboxData, wanted));
  } while (!replies.at(-1)?.is_complete);
  expect(replies.map(({ deleted }) => deleted)).toEqual([200, 50, 0]);
});

it('a reset of the sandbox ignores events of deleted payments that arrive late, in a message or by the reconciliation of a new instance', async () => {
  const created = eventNow();
  harness.owned.push(created);
  await service.app.fanOut(created);
  harness.clock.advance(1);
  await reset();
  await harness.publish(nextEvent(created));
  await service.app.fanOut(created);
  const restarted = await harness.startService({ isStarted: false });
  harness.clock.advance(INTERVAL_MS);
  await restarted.app.reconcileIfDue();
  expect(await storedOf(created)).toEqual(NOTHING);
  const later = eventNow();
  await harness.publish(later);
  await eventually('a later event arrives', async () => (await storedOf(later)).deliveries === 1);
  expect(await storedOf(created)).toEqual(NOTHING);
});

it('a reset of the sandbox leaves nothing of an event that is stored while the reset is noted', async () => {
  const created = eventNow();
  harness.clock.advance(1);
  const wanted = order();
  await Promise.all([service.app.fanOut(created), reset(wanted)]);
  await reset(wanted);
  expect(await storedOf(created)).toEqual(NOTHING);
});

it.each(['webhooks', 'applications'] as const)(
  'a reset of the sandbox is rejected when %s has signed it',
  async (issuer) => {
    const created = eventNow();
    await service.app.fanOut(created);
    harness.clock.advance(1);
    await expect(reset(order(issuer))).rejects.toMatchObject({
      details: expect.objectContaining({ code: 'forbidden' }),
    });
    expect(await storedOf(created)).toEqual({ events: 1, deliveries: 1 });
  },
);

it('a reset of the sandbox is rejected when the order was altered', async () => {
  const other = await harness.anApplication();
  const altered = { ...order(), team_id: other.teamId };
  await expect(reset(altered)).rejects.toMatchObject({
    details: expect.objectContaining({ code: 'forbidden' }),
  });
});

import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { changeAudited } from '@tollgate/store/audited-records';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, Delivery, StoredDelivery } from '../src/deliveries/delivery.ts';
import { createDueStore } from '../src/dispatch/store.ts';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import type { Receiver } from './receiver.ts';

let harness: Harness;
let service: Service;
let receiver: Receiver;
let application: TestApplication;

beforeAll(async () => {
  harness = await startHarness();
  // Only the first sweep, so that no test depends on one.
  service = await harness.startService({ dueSweepIntervalMs: DAY_MS });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  receiver = await harness.startReceiver();
  application = await harness.anApplication();
});
afterEach(() => receiver.stop());

const collection = () => service.connection.collection('deliveries');
const stored = (id: string) => collection().findOne({ _id: id as never });
const received = (count: number) =>
  eventually(`${count} requests came`, () => receiver.received.length === count);

it('concurrent events are each delivered once, even with a malformed message and repeats among them', async () => {
  await harness.anEndpoint(application, receiver.url);
  const events = Array.from({ length: 40 }, () => anEvent(application));
  const bad = { ...anEvent(application), data: 'nothing' } as unknown as PaymentEvent;
  const all = [...events.slice(0, 20), bad, ...events.slice(0, 5), ...events.slice(20)];
  await Promise.all(all.map((event) => harness.publish(event)));
  await Promise.all(events.slice(0, 10).map((event) => service.app.fanOut(event)));
  await received(events.length);
  await eventually(
    'all succeeded',
    async () =>
      (await collection().countDocuments({ application_id: application.id, status: 'succeeded' })) ===
      events.length,
  );
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids)).toEqual(new Set(events.map(({ id }) => id)));
  expect(ids).toHaveLength(events.length);
  // Reconciliation would find it again and again.
  harness.owned.splice(harness.owned.indexOf(bad), 1);
});

it('concurrent events of several applications go only to endpoints of their own application, environment, and type', async () => {
  const other = await harness.anApplication();
  await harness.anEndpoint(application, `${receiver.url}/own`, { event_types: ['payment.failed'] });
  await harness.anEndpoint(other, `${receiver.url}/other`);
  const [wanted, unwanted] = [anEvent(application, { type: 'payment.failed' }), anEvent(application)];
  const live = anEvent(other, { environment: 'live' });
  const others = anEvent(other);
  await Promise.all([wanted, unwanted, live, others].map((event) => service.app.fanOut(event)));
  await received(2);
  expect(receiver.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`).sort()).toEqual(
    [`/hooks/other ${others.id}`, `/hooks/own ${wanted.id}`].sort(),
  );
  expect(await collection().countDocuments({ event_id: { $in: [unwanted.id, live.id] } })).toBe(0);
});

it('deliveries of an endpoint whose slots are taken are stored unclaimed, so that any instance can send them', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  await service.app.fanOut(anEvent(application));
  await received(1);
  await eventually('no attempt is in flight', () => service.app.dispatcher.inFlight(endpoint.id) === 0);
  const release = Promise.withResolvers<void>();
  receiver.answer = async (_request, response) => {
    await release.promise;
    response.writeHead(204).end();
  };
  await Promise.all(Array.from({ length: 12 }, () => service.app.fanOut(anEvent(application))));
  await received(6);
  const isDue = { endpoint_id: endpoint.id, next_attempt_at: { $lte: new Date(harness.clock.now()) } };
  expect(await collection().countDocuments({ ...isDue, fence: 0 })).toBe(7);
  release.resolve();
  await received(13);
  expect(receiver.concurrent().most).toBe(5);
});

/** Deliveries that no instance sends, because their endpoint does not exist. */
async function dueDeliveries(count: number): Promise<Delivery[]> {
  const now = new Date(harness.clock.now() + 3_600_000);
  const deliveries = Array.from(
    { length: count },
    (): StoredDelivery => ({
      _id: newId('delivery'),
      team_id: application.teamId,
      application_id: application.id,
      environment: 'sandbox',
      endpoint_id: newId('webhookEndpoint'),
      event_id: newId('event'),
      event_type: 'payment.succeeded',
      payment_id: newId('payment'),
      status: 'pending',
      fence: 0,
      claim_id: null,
      attempt_count: 0,
      round_failures: 0,
      response_status: null,
      last_attempt_at: null,
      next_attempt_at: now,
      created_at: now,
      traceparent: null,
      attempts: [],
      outbox: [],
    }),
  );
  return service.app.context.deliveries.insertMissing(deliveries);
}

function anAttempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    id: newId('attempt'),
    number: 1,
    at: new Date(),
    duration_ms: 5,
    error: null,
    url: 'https://example.com',
    request_headers: [],
    response: { status: 204, headers: [], body: '', bytes: 0, truncated: false },
    ...changes,
  };
}

const SUCCEEDED = { status: 'succeeded', round_failures: 0, next_attempt_at: null } as const;

describe('concurrent claims', () => {
  const at = () => ({
    now: new Date(harness.clock.now() + 3_600_000),
    leaseUntil: new Date(harness.clock.now() + 3_630_000),
  });

  it('concurrent claims give a delivery to one claimant, and to none if a member decided on it meanwhile', async () => {
    const stores = [createDueStore(service.connection), createDueStore(service.connection)];
    const deliveries = await dueDeliveries(4);
    const [first, second, canceled, third] = deliveries as [Delivery, Delivery, Delivery, Delivery];
    await collection().updateOne({ _id: canceled._id as never }, { $inc: { fence: 1 } });
    const wanted = [first, second, first, canceled, third, second, first];
    const claims = await Promise.all(
      stores.flatMap((store) => wanted.map((delivery) => store.claim(delivery, at()))),
    );
    const claimed = claims.filter((claim) => claim !== null);
    expect(claimed.map(({ _id }) => _id).sort()).toEqual([first._id, second._id, third._id].sort());
    for (const { _id, fence } of claimed) expect(await stored(_id)).toMatchObject({ fence });
  });
});

describe('concurrent records', () => {
  const claimAll = async (count: number) => {
    const due = createDueStore(service.connection);
    const deliveries = await dueDeliveries(count);
    const at = {
      now: new Date(harness.clock.now() + 3_600_000),
      leaseUntil: new Date(harness.clock.now() + 3_630_000),
    };
    const claimed = await Promise.all(deliveries.map((delivery) => due.claim(delivery, at)));
    return { due, claimed: claimed as Delivery[] };
  };

  it('concurrent records are stored, except one whose claim was lost, which is reported', async () => {
    const { due, claimed } = await claimAll(3);
    const lost = claimed[1] as Delivery;
    await collection().updateOne({ _id: lost._id as never }, { $inc: { fence: 1 } });
    const recorded = await Promise.all(
      claimed.map((delivery) => due.record(delivery, anAttempt(), SUCCEEDED)),
    );
    expect(recorded).toEqual([true, false, true]);
    const after = await Promise.all(claimed.map(({ _id }) => stored(_id)));
    expect(after.map((document) => [document?.['status'], document?.['attempt_count']])).toEqual([
      ['succeeded', 1],
      ['pending', 0],
      ['succeeded', 1],
    ]);
  });

  it('concurrent records are stored one by one when the store rejects the write because of one of them', async () => {
    const { due, claimed } = await claimAll(3);
    const tooLarge = { url: 'x'.repeat(17 * 2 ** 20) };
    const recorded = await Promise.allSettled(
      claimed.map((delivery, index) =>
        due.record(delivery, anAttempt(index === 1 ? tooLarge : {}), SUCCEEDED),
      ),
    );
    expect(recorded.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const after = await Promise.all(claimed.map(({ _id }) => stored(_id)));
    expect(after.map((document) => document?.['status'])).toEqual(['succeeded', 'pending', 'succeeded']);
  });

  it('concurrent records that are repeated, as after a lost reply, are stored once and reported as stored', async () => {
    const { due, claimed } = await claimAll(1);
    const [delivery] = claimed as [Delivery];
    const attempt = anAttempt({ error: { code: 'status', detail: 'The endpoint responded with 500.' } });
    const outcome = {
      status: 'pending',
      round_failures: 1,
      next_attempt_at: new Date(harness.clock.now() + 7_200_000),
    } as const;
    expect(await due.record(delivery, attempt, outcome)).toBe(true);
    expect(await due.record(delivery, attempt, outcome)).toBe(true);
    expect((await stored(delivery._id))?.['attempts']).toHaveLength(1);
  });

  it('concurrent records make the decision of a member run again', async () => {
    const { due, claimed } = await claimAll(1);
    const [delivery] = claimed as [Delivery];
    const { context } = service.app;
    const { _id, team_id } = delivery;
    const retried = { status: 'pending', round_failures: 1, next_attempt_at: new Date() } as const;
    const cancel = async (before: StoredDelivery) => {
      await due.record(delivery, anAttempt(), retried);
      return { ...before, status: 'canceled' as const, next_attempt_at: null, fence: before.fence + 1 };
    };
    const after = await changeAudited(context, context.deliveries, { _id, team_id }, cancel, () => []);
    expect(after).toMatchObject({ status: 'canceled', attempt_count: 1 });
  });

  it('concurrent records are stored when a response has headers named like MongoDB operators', async () => {
    const endpoints = await Promise.all(
      ['/good', '/odd'].map((path) => harness.anEndpoint(application, `${receiver.url}${path}`)),
    );
    receiver.answer = ({ path }, response) => {
      if (path.endsWith('/odd')) response.setHeader('$set', '1').setHeader('a.b', '2');
      response.writeHead(204).end();
    };
    await service.app.fanOut(anEvent(application));
    await received(2);
    for (const { id } of endpoints) {
      const [delivery] = (
        await harness.call(application.viewer, contract.listDeliveries, { endpoint_id: id })
      ).data;
      await eventually(
        'it succeeded',
        async () => (await stored(delivery?.id as string))?.['status'] === 'succeeded',
      );
    }
  });
});

it('claims that are released are due again at once, except those that a member or another claim has replaced', async () => {
  const due = createDueStore(service.connection);
  const deliveries = await dueDeliveries(3);
  const now = new Date(harness.clock.now() + 3_600_000);
  const leaseUntil = new Date(now.getTime() + 30_000);
  const claimed = (await Promise.all(
    deliveries.map((delivery) => due.claim(delivery, { now, leaseUntil })),
  )) as [Delivery, Delivery, Delivery];
  const [own, canceled, claimedAgain] = claimed;
  await collection().updateOne({ _id: canceled._id as never }, { $set: { next_attempt_at: null } });
  await collection().updateOne({ _id: claimedAgain._id as never }, { $inc: { fence: 1 } });
  await due.release(claimed, now);
  const after = await Promise.all([own, canceled, claimedAgain].map(({ _id }) => stored(_id)));
  expect(after.map((document) => document?.['next_attempt_at'])).toEqual([now, null, leaseUntil]);
  expect(await due.claim({ ...own, next_attempt_at: now }, { now, leaseUntil })).not.toBeNull();
});

it('a second instance has its deliveries sent by the instance that holds the lease, without waiting for a sweep', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  await service.app.fanOut(anEvent(application));
  await received(1);
  await eventually('no attempt is in flight', () => service.app.dispatcher.inFlight(endpoint.id) === 0);
  const second = await harness.startService({ dueSweepIntervalMs: DAY_MS });
  await second.app.fanOut(anEvent(application));
  await received(2);
  await second.stop();
});

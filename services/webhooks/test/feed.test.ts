import type { PaymentEvent, PaymentEventType } from '@tollgate/contracts/payments/events';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { listEvents } from '@tollgate/contracts/webhooks/rpc';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UnplacedEvent } from '../src/feed/feed-store.ts';
import { inOrder } from '../src/feed/place-events.ts';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';

let harness: Harness;
let service: Service;
let application: TestApplication;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  application = await harness.anApplication();
});

const read = (fields: object = {}, actor = application.viewer) =>
  harness.call(actor, listEvents, { order: 'asc', ...fields });
const idsOf = ({ data }: Awaited<ReturnType<typeof read>>) => data.map(({ id }) => id);

function anEventOf(
  paymentId: string,
  version: number,
  type: PaymentEventType = 'payment.created',
): PaymentEvent {
  const event = anEvent(application, { type, at: new Date(harness.clock.now()) });
  return { ...event, data: { ...event.data, id: paymentId, version } };
}

/** Stores the events as they arrive, each before the next one, and gives them their places. */
async function arrive(...events: PaymentEvent[]): Promise<string[]> {
  for (const event of events) await service.app.fanOut(event);
  await service.app.placeInFeed();
  return events.map(({ id }) => id);
}

const someEvent = () => anEventOf(newId('payment'), 1);

it('the feed contains every event with its body, in the order of arrival', async () => {
  const [late, ...others] = [someEvent(), someEvent(), someEvent()] as [PaymentEvent, ...PaymentEvent[]];
  const first = await arrive(...others);
  const page = await read();
  expect(idsOf(page)).toEqual(first);
  expect(page.data[0]?.body).toContain(others[0]?.data.id);
  // An older id behind the cursor.
  await arrive(late);
  expect(idsOf(await read({ cursor: page.next_cursor }))).toEqual([late.id]);
});

it('the feed continues after a page, after an event, and after the newest event, also when there is none yet', async () => {
  const nothing = await read({ after: 'newest' });
  expect(nothing).toMatchObject({ data: [], previous_cursor: null });
  const ids = await arrive(someEvent(), someEvent(), someEvent());
  expect(idsOf(await read({ cursor: nothing.next_cursor }))).toEqual(ids);
  const page = await read({ limit: 2 });
  expect(idsOf(page)).toEqual(ids.slice(0, 2));
  expect(idsOf(await read({ cursor: page.next_cursor }))).toEqual(ids.slice(2));
  expect(idsOf(await read({ after: ids[0] }))).toEqual(ids.slice(1));
  expect(idsOf(await read({ after: 'newest' }))).toEqual([]);
});

it('the feed contains matching events only, and passes the others', async () => {
  const other = await harness.anApplication();
  await arrive(someEvent(), someEvent());
  const wanted = anEventOf(newId('payment'), 1, 'payment.failed');
  await arrive(wanted, someEvent());
  expect(idsOf(await read({ type: 'payment.failed' }))).toEqual([wanted.id]);
  expect(idsOf(await read({ payment_id: wanted.data.id }))).toEqual([wanted.id]);
  expect(idsOf(await read({ environment: 'live' }))).toEqual([]);
  expect(idsOf(await read({ application_id: application.id }))).toHaveLength(4);
  expect(idsOf(await read({}, other.viewer))).toEqual([]);
});

it('the feed waits for an event when there is none, and returns without one when the time is over', async () => {
  const { next_cursor: cursor } = await read({ after: 'newest' });
  const waiting = read({ cursor, wait: 4 });
  const [id] = await arrive(someEvent());
  expect(idsOf(await waiting)).toEqual([id]);
  expect(idsOf(await read({ after: 'newest', wait: 1 }))).toEqual([]);
});

it('the feed rejects an unknown event, a cursor of another list, and its parameters in a list newest first', async () => {
  const other = await harness.anApplication();
  const foreign = anEvent(other);
  await service.app.fanOut(foreign);
  for (const after of [newId('event'), foreign.id]) {
    await expect(read({ after })).rejects.toMatchObject({ details: { errors: [{ pointer: '/after' }] } });
  }
  for (const cursor of ['x', Buffer.from('next:evt_1').toString('base64url')]) {
    await expect(read({ cursor })).rejects.toMatchObject({ details: { errors: [{ pointer: '/cursor' }] } });
  }
  for (const fields of [{ wait: 1 }, { after: 'newest' }]) {
    await expect(harness.call(application.viewer, listEvents, fields)).rejects.toMatchObject({
      details: { code: 'invalid-request', errors: [{ detail: 'Only with order=asc.' }] },
    });
  }
});

it('the feed has an event after those with lower versions of its payment, unless one is minutes late', async () => {
  const paymentId = newId('payment');
  const [first, second, third] = [1, 2, 3].map((version) => anEventOf(paymentId, version));
  await arrive(third as PaymentEvent, second as PaymentEvent);
  expect(idsOf(await read())).toEqual([]);
  await arrive(first as PaymentEvent);
  expect(idsOf(await read())).toEqual([first, second, third].map((event) => event?.id));

  const lost = anEventOf(newId('payment'), 2);
  await arrive(lost);
  expect(idsOf(await read())).not.toContain(lost.id);
  harness.clock.advance(5 * MINUTE_MS);
  await service.app.placeInFeed();
  expect(idsOf(await read()).at(-1)).toBe(lost.id);
});

it('the feed gives a reader every event after the restore of a backup from before its cursor', async () => {
  const { connection } = service;
  const placing = connection.collection('feed_placing');
  const backup = await placing.findOne({});
  const lost = await arrive(someEvent(), someEvent(), someEvent());
  const { next_cursor: cursor } = await read();
  await connection.collection<{ _id: string }>('events').deleteMany({ _id: { $in: lost } });
  await placing.replaceOne({}, backup ?? {});
  harness.clock.advance(1);
  const first = await arrive(someEvent());
  expect(idsOf(await read({ cursor }))).toEqual(first);
});

it('the feed has each event once, and no reader passes one, while several instances store and place', async () => {
  const others = await Promise.all([
    harness.startService({ isStarted: false }),
    harness.startService({ isStarted: false }),
  ]);
  const instances = [service, ...others];
  const stored: string[] = [];
  const seen: string[] = [];
  let isStoring = true;
  const storing = instances.map(async ({ app }) => {
    for (let index = 0; index < 20; index += 1) {
      const event = someEvent();
      await app.fanOut(event);
      stored.push(event.id);
    }
  });
  const placing = instances.map(async ({ app }) => {
    while (isStoring) await app.placeInFeed();
  });
  let cursor: string | null = null;
  const readOn = async () => {
    const page = await read({ limit: 7, ...(cursor !== null && { cursor }) });
    seen.push(...idsOf(page));
    cursor = page.next_cursor;
    return page.data.length;
  };
  const reading = (async () => {
    while (isStoring) await readOn();
  })();
  await Promise.all(storing);
  isStoring = false;
  await Promise.all([...placing, reading]);
  // The lease of the instance that placed last.
  harness.clock.advance(MINUTE_MS);
  await service.app.placeInFeed();
  while ((await readOn()) > 0);
  expect(seen).toHaveLength(60);
  expect(seen.toSorted()).toEqual(stored.toSorted());
  for (const { stop } of others) await stop();
});

it('one instance at a time gives places, and the next one when its lease has expired', async () => {
  const { feed } = service.app.context;
  harness.clock.advance(10 * MINUTE_MS);
  const startMs = harness.clock.now();
  const at = (seconds: number) => new Date(startMs + seconds * 1_000);
  expect(await feed.lease('a', at(0), at(60))).toBe(true);
  expect(await feed.lease('b', at(59), at(119))).toBe(false);
  expect(await feed.reserve('b', 1)).toBeNull();
  const first = (await feed.reserve('a', 3)) as number;
  expect(await feed.lease('b', at(60), at(120))).toBe(true);
  expect(await feed.reserve('a', 1)).toBeNull();
  expect(await feed.reserve('b', 1)).toBeGreaterThanOrEqual(first + 3);
  harness.clock.set(startMs + 120_000);
});

describe('inOrder', () => {
  const NOW_MS = Date.UTC(2026, 0, 1);
  const payments = fc.uniqueArray(
    fc.record({ payment: fc.nat(3), version: fc.integer({ min: 1, max: 4 }) }),
    {
      selector: ({ payment, version }) => `${payment}/${version}`,
    },
  );

  it('inOrder returns what has a predecessor, each after it, and nothing else', () => {
    fc.assert(
      fc.property(payments, (list) => {
        const events = list.map(
          ({ payment, version }, index): UnplacedEvent => ({
            _id: String(index),
            team_id: 'team',
            payment_id: String(payment),
            payment_version: version,
            is_test: false,
            last_queued_at: new Date(NOW_MS),
          }),
        );
        const versions = new Map<string, number>();
        const ordered = inOrder(events, new Set(), NOW_MS);
        for (const { payment_id, payment_version } of ordered) {
          expect(payment_version).toBe((versions.get(payment_id) ?? 0) + 1);
          versions.set(payment_id, payment_version);
        }
        for (const { payment_id, payment_version } of events) {
          if (payment_version === (versions.get(payment_id) ?? 0) + 1) throw new Error('One was left out.');
        }
      }),
    );
  });
});

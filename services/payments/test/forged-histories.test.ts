import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsSince } from '../src/outbox/events-since.ts';
import { SWEEP_AFTER_MS } from '../src/outbox/payment-outbox.ts';
import { ownerOfPrincipal } from '../src/store/payment-owner.ts';
import { aNewPayment } from './a-new-payment.ts';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { settleDue } from './settle-due.ts';

/** More than any batch and any page. */
const FORGED = 450;

let payments: PaymentsUnderTest;
let since: string;
/** Changed after all the forged ones, so that every query finds it last. */
const principal = aPrincipal();
let genuine: string;

beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  const createdAt = new Date(payments.clock.now());
  since = createdAt.toISOString();
  const forged = Array.from({ length: FORGED }, () =>
    aNewPayment({ createdAt, dueAt: createdAt, expires_at: createdAt }),
  );
  const updated_at = createdAt;
  const malformed = [
    { _id: newId('payment'), updated_at },
    { _id: newId('payment'), updated_at, history: 'x', status: 'pending', expires_at: createdAt },
    { _id: newId('payment'), updated_at, history: [null], settlement: { due_at: createdAt } },
    { _id: 'x', updated_at, history: [{ published_at: null }], settlement: { due_at: createdAt } },
    { updated_at, history: [{}] },
  ];
  await payments.collection.insertMany([...forged, ...malformed] as never);
  payments.clock.advance(1_000);
  const payment = aNewPayment({
    ...ownerOfPrincipal(principal),
    createdAt: new Date(payments.clock.now()),
    dueAt: new Date(payments.clock.now()),
  });
  genuine = payment._id;
  await payments.app.store.insert(payment);
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

const forgedNow = (filter: object) =>
  payments.collection.countDocuments({ application_id: { $ne: principal.application_id }, ...filter });

test('payments that fail verification keep no event of another payment from being published', async () => {
  payments.clock.advance(SWEEP_AFTER_MS + 1);
  expect(await payments.app.tasks.sweepOutbox()).toBe(1);
  expect((await payments.stored(principal, genuine)).history[0]?.published_at).not.toBeNull();
  expect(await payments.app.tasks.sweepOutbox()).toBe(0);
});

test.each([3, 200])(
  'forged histories are left out of pages of %i events, which lead to the events of the others',
  async (limit) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof eventsSince>> = await eventsSince(payments.app, {
        since,
        limit,
        ...(cursor !== null && { cursor }),
      });
      found.push(...page.events.map(({ data }) => data.id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(found).toEqual([genuine]);
  },
);

test('forged payments are neither settled nor expired, and hold up no other payment', async () => {
  await settleDue(payments.app);
  await payments.app.tasks.expirePayments();
  expect(await forgedNow({ status: { $in: ['processing', 'succeeded', 'failed', 'canceled'] } })).toBe(0);
  expect((await payments.read(principal, genuine)).status).toBe('succeeded');
});

test('each is counted once', async () => {
  const metrics = await payments.registry.metrics();
  const counted = (reason: string) =>
    Number(
      new RegExp(`unverified_messages_total\\{kind="payment_history",reason="${reason}".*\\} (\\d+)`).exec(
        metrics,
      )?.[1],
    );
  expect(counted('unsealed')).toBe(FORGED);
  expect(counted('malformed')).toBeGreaterThan(0);
});

import { callRpc } from '@tollgate/bus/rpc';
import { PaymentEvent } from '@tollgate/contracts/payments/events';
import { eventsSince as eventsSinceContract } from '@tollgate/contracts/payments/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { MAX_REPLY_BYTES } from '@tollgate/contracts/platform/rpc-contract';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsSince } from '../src/outbox/events-since.ts';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { servePayments } from './served-payments.ts';
import { settleDue } from './settle-due.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

const eventSchema = Compile(PaymentEvent);

test('events since a time are all events of payments that changed since, over any number of pages, at any limit', async () => {
  const principal = aPrincipal();
  payments.clock.advance(60_000);
  await payments.create(principal);
  payments.clock.advance(60_000);
  const since = new Date(payments.clock.now()).toISOString();
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) ids.push((await payments.create(principal)).id);
  payments.clock.advance(5_000);
  await settleDue(payments.app);
  const late = await payments.create(principal);
  const wanted = [
    ...ids.flatMap((id) => [1, 2, 3].map((version) => `${id} ${version}`)),
    `${late.id} 1`,
  ].sort();

  for (const limit of [1, 2, 3, 5, 13, 200]) {
    const found: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof eventsSince>> = await eventsSince(payments.app, {
        since,
        limit,
        ...(cursor !== null && { cursor }),
      });
      expect(page.events.length).toBeLessThanOrEqual(limit);
      for (const event of page.events) {
        expect(eventSchema.Errors(event)).toEqual([]);
        if (event.application_id === principal.application_id)
          found.push(`${event.data.id} ${event.data.version}`);
      }
      cursor = page.next_cursor;
      pages += 1;
    } while (cursor !== null);
    expect(found.filter((one) => wanted.includes(one)).sort()).toEqual(wanted);
    expect(new Set(found).size).toBe(found.length);
    expect(pages).toBeGreaterThanOrEqual(Math.ceil(wanted.length / limit));
  }
});

test('events since a time include a payment that changes between two pages again, so that no change is missed', async () => {
  const principal = aPrincipal();
  payments.clock.advance(60_000);
  const since = new Date(payments.clock.now()).toISOString();
  const first = await payments.create(principal, { payment_method: 'pm_hold' });
  payments.clock.advance(1);
  const second = await payments.create(principal, { payment_method: 'pm_hold' });
  const page = await eventsSince(payments.app, { since, limit: 1 });
  expect(page.events.map(({ data }) => data.id)).toEqual([first.id]);
  payments.clock.advance(1);
  await payments.send(principal, { method: 'POST', path: `/v1/payments/${first.id}/cancel` });
  const rest = await eventsSince(payments.app, { since, cursor: page.next_cursor ?? '' });
  expect(rest.events.map(({ data }) => `${data.id} ${data.version}`)).toEqual([
    `${second.id} 1`,
    `${first.id} 1`,
    `${first.id} 2`,
  ]);
});

test('events since a time are returned over RPC in replies below the limit, however large the events are', async () => {
  const principal = aPrincipal();
  payments.clock.advance(60_000);
  const since = new Date(payments.clock.now()).toISOString();
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, '€'.repeat(500)]));
  const ids = new Set<string>();
  for (let index = 0; index < 12; index += 1) ids.add((await payments.create(principal, { metadata })).id);
  const served = await servePayments(payments);
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Static<typeof eventsSinceContract.reply> = await callRpc(payments.bus, eventsSinceContract, {
      since,
      ...(cursor !== null && { cursor }),
    });
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MAX_REPLY_BYTES);
    for (const event of page.events as PaymentEvent[]) ids.delete(event.data.id);
    cursor = page.next_cursor;
    pages += 1;
  } while (cursor !== null);
  expect(ids.size).toBe(0);
  expect(pages).toBeGreaterThan(1);
  await served.stop();
});

test.each([
  'x',
  '[1,2,3]',
  '{}',
  'null',
  // One more than the maximum of a date.
  `[8640000000000001,"${newId('payment')}",1]`,
  `[9007199254740991,"${newId('payment')}",1]`,
  `[1.5,"${newId('payment')}",1]`,
  `["1",["${newId('payment')}"],1]`,
])('events since a time reject the foreign cursor %s', async (content) => {
  const since = new Date(payments.clock.now()).toISOString();
  for (const cursor of [content, Buffer.from(content).toString('base64url')]) {
    await expect(eventsSince(payments.app, { since, cursor })).rejects.toThrow('invalid-request');
  }
});

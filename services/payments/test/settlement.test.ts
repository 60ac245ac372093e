import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settleDuePayments } from '../src/processing/settle-due-payments.ts';
import type { Processor } from '../src/processors/processor.ts';
import { claimPayment, finishSettlement, LEASE_MS } from '../src/settlement/settlement.ts';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

describe('a sandbox payment', () => {
  test('stays pending until its delay has passed, then goes through processing to succeeded', async () => {
    const principal = aPrincipal();
    const payment = await payments.create(principal, { payment_method: 'pm_succeed' });
    await payments.settleAfter(4_999);
    expect(await payments.read(principal, payment.id)).toEqual(payment);
    await payments.settleAfter(1);
    expect(await payments.read(principal, payment.id)).toMatchObject({
      status: 'succeeded',
      cancelable: false,
      version: 3,
      succeeded_at: new Date(payments.clock.now()).toISOString(),
    });
    const { history } = await payments.stored(principal, payment.id);
    expect(history.map(({ type, version, cause }) => [type, version, cause.type])).toEqual([
      ['payment.created', 1, 'key'],
      ['payment.processing', 2, 'processor'],
      ['payment.succeeded', 3, 'processor'],
    ]);
  });

  test.each([
    ['pm_decline', 'declined'],
    ['pm_insufficient_funds', 'insufficient_funds'],
  ])('with %s fails as %s', async (payment_method, code) => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { payment_method });
    await payments.settleAfter(5_000);
    expect(await payments.read(principal, id)).toMatchObject({
      status: 'failed',
      failure: { code, message: expect.any(String) },
      failed_at: expect.any(String),
    });
  });

  test('with pm_hold stays pending until it expires after a day', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { payment_method: 'pm_hold' });
    await payments.settleAfter(86_399_000);
    await payments.app.tasks.expirePayments();
    expect((await payments.read(principal, id)).status).toBe('pending');
    payments.clock.advance(1_000);
    await payments.app.tasks.expirePayments();
    expect(await payments.read(principal, id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
      version: 2,
    });
  });

  test('with pm_slow is processing for a minute, without a new version, then succeeds', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { payment_method: 'pm_slow' });
    await payments.settleAfter(5_000);
    expect(await payments.read(principal, id)).toMatchObject({ status: 'processing', version: 2 });
    await payments.settleAfter(59_999);
    expect(await payments.read(principal, id)).toMatchObject({ status: 'processing', version: 2 });
    await payments.settleAfter(1);
    expect(await payments.read(principal, id)).toMatchObject({ status: 'succeeded', version: 3 });
  });
});

describe('workers', () => {
  const by = { type: 'processor', id: 'sandbox' } as const;

  test('that find the same due payments settle each of them once', async () => {
    const principal = aPrincipal();
    for (let index = 0; index < 60; index += 1) await payments.create(principal);
    payments.clock.advance(5_000);
    const other = await payments.anotherInstance();
    const asked: string[] = [];
    const counting: Processor = {
      name: 'sandbox',
      firstDueAt: () => null,
      async settle(payment) {
        asked.push(payment._id);
        return { status: 'succeeded' };
      },
    };
    const worker = (app: PaymentsUnderTest['app']) =>
      settleDuePayments({
        store: app.store,
        trusted: app.trusted,
        outbox: app.outbox,
        processors: new Map([['sandbox', counting]]),
        clock: payments.clock,
        logger: payments.logger,
        stopping: new AbortController().signal,
      });
    await Promise.all([worker(payments.app), worker(other.app), worker(payments.app), worker(other.app)]);
    await other.stop();
    const mine = await payments.collection.find({ application_id: principal.application_id }).toArray();
    expect(mine).toHaveLength(60);
    for (const payment of mine) expect([payment['status'], payment['version']]).toEqual(['succeeded', 3]);
    expect(asked).toHaveLength(new Set(asked).size);
  });

  test('claim a payment when the lease of a crashed worker has expired, not before', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal);
    payments.clock.advance(5_000);
    const { store } = payments.app;
    const now = () => new Date(payments.clock.now());
    const claimed = await claimPayment(store, await payments.stored(principal, id), {
      now: now(),
      cause: by,
    });
    expect(claimed?.settlement.fence).toBe(1);

    await payments.settleAfter(LEASE_MS - 1);
    expect((await payments.read(principal, id)).status).toBe('processing');
    await payments.settleAfter(1);
    expect((await payments.read(principal, id)).status).toBe('succeeded');
  });

  test('whose lease expired cannot finish a payment that another worker has claimed', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal);
    payments.clock.advance(5_000);
    const { store } = payments.app;
    const now = () => new Date(payments.clock.now());
    const first = await claimPayment(store, await payments.stored(principal, id), { now: now(), cause: by });
    payments.clock.advance(LEASE_MS);
    const second = await claimPayment(store, await payments.stored(principal, id), { now: now(), cause: by });
    if (!first || !second) throw new Error('both claims must succeed');

    const failed = { status: 'failed', failure: { code: 'declined', message: 'No.' } } as const;
    expect(await finishSettlement(store, first, failed, { now: now(), cause: by })).toBeNull();
    const finished = await finishSettlement(
      store,
      second,
      { status: 'succeeded' },
      { now: now(), cause: by },
    );
    expect(finished).toMatchObject({ status: 'succeeded', version: 3, failure: null });
    expect(await finishSettlement(store, second, failed, { now: now(), cause: by })).toBeNull();
  });

  test('cannot claim twice from the same read of a payment', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal);
    const reading = await payments.stored(principal, id);
    const claim = () =>
      claimPayment(payments.app.store, reading, { now: new Date(payments.clock.now()), cause: by });
    const claims = await Promise.all(Array.from({ length: 20 }, claim));
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);

    reading.settlement = { ...(await payments.stored(principal, id)).settlement };
    reading.status = 'processing';
    const takeovers = await Promise.all(Array.from({ length: 20 }, claim));
    expect(takeovers.filter((claimed) => claimed !== null)).toHaveLength(1);
  });

  test('continue with other payments when a processor fails, and retry after the lease', async () => {
    const principal = aPrincipal();
    const broken = await payments.create(principal, { payment_method: 'pm_broken' });
    const fine = await payments.create(principal);
    payments.clock.advance(5_000);
    let fails = true;
    const flaky: Processor = {
      name: 'sandbox',
      firstDueAt: () => null,
      async settle(payment) {
        if (fails && payment.payment_method === 'pm_broken') throw new Error('the processor is out of reach');
        return { status: 'succeeded' };
      },
    };
    const run = () =>
      settleDuePayments({
        ...payments.app,
        processors: new Map([['sandbox', flaky]]),
        clock: payments.clock,
        logger: payments.logger,
        stopping: new AbortController().signal,
      });
    await run();
    expect((await payments.read(principal, fine.id)).status).toBe('succeeded');
    expect((await payments.read(principal, broken.id)).status).toBe('processing');
    fails = false;
    payments.clock.advance(LEASE_MS);
    await run();
    expect((await payments.read(principal, broken.id)).status).toBe('succeeded');
  });
});

import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { createMetrics } from '@tollgate/runtime/metrics';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentsApp } from '../src/app.ts';
import { applyState } from '../src/processing/apply-state.ts';
import { claimPayment, LEASE_MS } from '../src/processing/claim.ts';
import { createLane } from '../src/processing/lane.ts';
import type { Processor, ProcessorState } from '../src/processors/processor.ts';
import { createProcessorHealthLog } from '../src/processors/processor-health.ts';
import { createProcessorMetrics } from '../src/processors/processor-metrics.ts';
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

test('a sandbox payment stays pending until its delay has passed, then goes through processing to succeeded', async () => {
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
])('a sandbox payment with %s fails as %s', async (payment_method, code) => {
  const principal = aPrincipal();
  const { id } = await payments.create(principal, { payment_method });
  await payments.settleAfter(5_000);
  expect(await payments.read(principal, id)).toMatchObject({
    status: 'failed',
    failure: { code, message: expect.any(String) },
    failed_at: expect.any(String),
  });
});

test('a sandbox payment with pm_hold stays pending until it expires after a day', async () => {
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

test('a sandbox payment does not expire at an instance with a wrong clock, until the clock is right', async () => {
  const principal = aPrincipal();
  const { id } = await payments.create(principal, { payment_method: 'pm_hold' });
  const { clock, app, stop } = await payments.instanceAhead(40 * DAY_MS);
  await app.tasks.expirePayments();
  expect((await payments.read(principal, id)).status).toBe('pending');

  payments.clock.set(clock.now());
  await app.tasks.expirePayments();
  expect((await payments.read(principal, id)).status).toBe('canceled');
  await app.outbox.drain();
  await stop();
});

test('a sandbox payment with pm_slow is processing for a minute, without a new version, then succeeds', async () => {
  const principal = aPrincipal();
  const { id } = await payments.create(principal, { payment_method: 'pm_slow' });
  await payments.settleAfter(5_000);
  expect(await payments.read(principal, id)).toMatchObject({ status: 'processing', version: 2 });
  await payments.settleAfter(59_999);
  expect(await payments.read(principal, id)).toMatchObject({ status: 'processing', version: 2 });
  await payments.settleAfter(1);
  expect(await payments.read(principal, id)).toMatchObject({ status: 'succeeded', version: 3 });
});

/** A processor that replies to every call alike. */
function processorOf(reply: (paymentMethod: string | null, id: string) => ProcessorState): Processor {
  const call: Processor['start'] = async ({ _id, payment_method }) => reply(payment_method, _id);
  return {
    name: 'sandbox',
    isBuiltIn: true,
    firstDueAt: () => null,
    start: call,
    status: call,
    cancel: call,
    capacity: () => 50,
    isAvailable: () => true,
    urlOf: () => null,
  };
}

/** Settles the due payments of an instance at this processor. */
async function work(app: PaymentsApp, processor: Processor): Promise<void> {
  const { clock, logger } = payments;
  const lane = createLane(
    {
      ...app,
      processors: new Map([[processor.name, processor]]),
      metrics: createProcessorMetrics(createMetrics('payments')),
      health: createProcessorHealthLog(),
      clock,
      logger,
      stopping: new AbortController().signal,
    },
    processor,
  );
  await lane.run();
  await lane.idle();
}

const SUCCEEDED: ProcessorState = { status: 'succeeded', reference: null, amount: 1_000, currency: 'EUR' };
const FAILED: ProcessorState = {
  status: 'failed',
  reference: null,
  failure: { code: 'declined', message: 'No.' },
};

describe('workers', () => {
  const claimNow = () => ({ now: new Date(payments.clock.now()), isStart: true });
  const record = () => ({
    at: new Date(payments.clock.now()),
    call: 'start' as const,
    duration_ms: 1,
    status: null,
    error: null,
  });
  const apply = (claimed: Parameters<typeof applyState>[1], state: ProcessorState) =>
    applyState({ ...payments.app, clock: payments.clock }, claimed, state, record());

  test('workers that find the same due payments settle each of them once', async () => {
    const principal = aPrincipal();
    await Promise.all(Array.from({ length: 60 }, () => payments.create(principal)));
    payments.clock.advance(5_000);
    const other = await payments.anotherInstance();
    const asked: string[] = [];
    const counting = processorOf((_method, id) => {
      asked.push(id);
      return SUCCEEDED;
    });
    await Promise.all([payments.app, other.app, payments.app, other.app].map((app) => work(app, counting)));
    await other.stop();
    const mine = await payments.collection.find({ application_id: principal.application_id }).toArray();
    expect(mine).toHaveLength(60);
    for (const payment of mine) expect([payment['status'], payment['version']]).toEqual(['succeeded', 2]);
    expect(asked).toHaveLength(new Set(asked).size);
  });

  test('claim a payment when the lease of a crashed worker has expired, not before', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal);
    payments.clock.advance(5_000);
    const { store } = payments.app;
    const claimed = await claimPayment(store, await payments.stored(principal, id), claimNow());
    expect(claimed?.settlement.fence).toBe(1);

    await payments.settleAfter(LEASE_MS - 1);
    expect((await payments.read(principal, id)).status).toBe('pending');
    await payments.settleAfter(1);
    expect((await payments.read(principal, id)).status).toBe('succeeded');
  });

  test('workers whose lease expired cannot finish a payment that another worker has claimed', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal);
    payments.clock.advance(5_000);
    const { store } = payments.app;
    const first = await claimPayment(store, await payments.stored(principal, id), claimNow());
    payments.clock.advance(LEASE_MS);
    const second = await claimPayment(store, await payments.stored(principal, id), claimNow());
    if (!first || !second) throw new Error('both claims must succeed');

    expect(await apply(first, FAILED)).toBeNull();
    expect(await apply(second, SUCCEEDED)).toMatchObject({ status: 'succeeded', version: 2, failure: null });
    expect(await apply(second, FAILED)).toBeNull();
  });

  test('workers cannot claim twice from the same read of a payment', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal);
    const reading = await payments.stored(principal, id);
    const claim = () => claimPayment(payments.app.store, reading, claimNow());
    const claims = await Promise.all(Array.from({ length: 20 }, claim));
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);

    reading.settlement = { ...(await payments.stored(principal, id)).settlement };
    const takeovers = await Promise.all(Array.from({ length: 20 }, claim));
    expect(takeovers.filter((claimed) => claimed !== null)).toHaveLength(1);
  });

  test('workers continue with other payments when a processor fails, and ask it again', async () => {
    const principal = aPrincipal();
    const broken = await payments.create(principal, { payment_method: 'tok_broken' });
    const fine = await payments.create(principal);
    payments.clock.advance(5_000);
    let fails = true;
    const flaky = processorOf((method) => {
      if (fails && method === 'tok_broken') throw new Error('the processor is out of reach');
      return SUCCEEDED;
    });
    await work(payments.app, flaky);
    expect((await payments.read(principal, fine.id)).status).toBe('succeeded');
    expect((await payments.read(principal, broken.id)).status).toBe('pending');
    fails = false;
    payments.clock.advance(4_000);
    await work(payments.app, flaky);
    expect((await payments.read(principal, broken.id)).status).toBe('succeeded');
    const { processor_calls = [] } = await payments.stored(principal, broken.id);
    expect(processor_calls.map(({ call, status, error }) => [call, status, error])).toEqual([
      ['start', null, 'the processor is out of reach'],
      ['start', 'succeeded', null],
    ]);
  });
});

import { callRpc } from '@tollgate/bus/rpc';
import { newId } from '@tollgate/contracts/ids';
import type { Payment } from '@tollgate/contracts/payment';
import type { Principal } from '@tollgate/contracts/principal';
import { settlePayment as settleContract } from '@tollgate/contracts/rpc/payments';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningApp } from '../src/app.ts';
import type { PaymentDocument } from '../src/payment.ts';
import type { Processor } from '../src/processor.ts';
import { settleDuePayments } from '../src/settle-due-payments.ts';
import { claimPayment, finishSettlement, LEASE_MS } from '../src/settlement.ts';
import {
  anActor,
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

const owner = ({ application_id, team_id, environment }: Principal) => ({
  application_id,
  team_id,
  environment,
});

async function create(principal: Principal, payment_method: string | null = null): Promise<Payment> {
  const body = { amount: 1_000, currency: 'EUR', payment_method };
  return (await payments.send(principal, { method: 'POST', path: '/v1/payments', body })).json<Payment>();
}

async function read(principal: Principal, id: string): Promise<Payment> {
  return (await payments.send(principal, { method: 'GET', path: `/v1/payments/${id}` })).json<Payment>();
}

async function stored(principal: Principal, id: string): Promise<PaymentDocument> {
  const document = await payments.app.store.find(owner(principal), id);
  if (!document) throw new Error('not stored');
  return document;
}

async function settleAfter(ms: number): Promise<void> {
  payments.clock.advance(ms);
  await payments.app.tasks.settleDuePayments();
}

describe('a sandbox payment', () => {
  test('stays pending until its delay has passed, then succeeds by way of processing', async () => {
    const principal = aPrincipal();
    const payment = await create(principal, 'pm_succeed');
    await settleAfter(4_999);
    expect(await read(principal, payment.id)).toEqual(payment);
    await settleAfter(1);
    expect(await read(principal, payment.id)).toMatchObject({
      status: 'succeeded',
      cancelable: false,
      version: 3,
      succeeded_at: new Date(payments.clock.now()).toISOString(),
    });
    const { history } = await stored(principal, payment.id);
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
    const { id } = await create(principal, payment_method);
    await settleAfter(5_000);
    expect(await read(principal, id)).toMatchObject({
      status: 'failed',
      failure: { code, message: expect.any(String) },
      failed_at: expect.any(String),
    });
  });

  test('with pm_hold stays pending until it expires after a day', async () => {
    const principal = aPrincipal();
    const { id } = await create(principal, 'pm_hold');
    await settleAfter(86_399_000);
    await payments.app.tasks.expirePayments();
    expect((await read(principal, id)).status).toBe('pending');
    payments.clock.advance(1_000);
    await payments.app.tasks.expirePayments();
    expect(await read(principal, id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
      version: 2,
    });
  });

  test('with pm_slow is processing for a minute, without a new version, then succeeds', async () => {
    const principal = aPrincipal();
    const { id } = await create(principal, 'pm_slow');
    await settleAfter(5_000);
    expect(await read(principal, id)).toMatchObject({ status: 'processing', version: 2 });
    await settleAfter(59_999);
    expect(await read(principal, id)).toMatchObject({ status: 'processing', version: 2 });
    await settleAfter(1);
    expect(await read(principal, id)).toMatchObject({ status: 'succeeded', version: 3 });
  });
});

describe('workers', () => {
  const by = { type: 'processor', id: 'sandbox' } as const;

  test('that find the same due payments settle each of them once', async () => {
    const principal = aPrincipal();
    for (let index = 0; index < 60; index += 1) await create(principal);
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

  test('take a payment over when the lease of one that died has ended, not before', async () => {
    const principal = aPrincipal();
    const { id } = await create(principal);
    payments.clock.advance(5_000);
    const { store } = payments.app;
    const now = () => new Date(payments.clock.now());
    const claimed = await claimPayment(store, await stored(principal, id), { now: now(), cause: by });
    expect(claimed?.settlement.fence).toBe(1);

    await settleAfter(LEASE_MS - 1);
    expect((await read(principal, id)).status).toBe('processing');
    await settleAfter(1);
    expect((await read(principal, id)).status).toBe('succeeded');
  });

  test('whose lease ended cannot finish what another has taken over', async () => {
    const principal = aPrincipal();
    const { id } = await create(principal);
    payments.clock.advance(5_000);
    const { store } = payments.app;
    const now = () => new Date(payments.clock.now());
    const first = await claimPayment(store, await stored(principal, id), { now: now(), cause: by });
    payments.clock.advance(LEASE_MS);
    const second = await claimPayment(store, await stored(principal, id), { now: now(), cause: by });
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

  test('cannot claim the same reading of a payment twice', async () => {
    const principal = aPrincipal();
    const { id } = await create(principal);
    const reading = await stored(principal, id);
    const claim = () =>
      claimPayment(payments.app.store, reading, { now: new Date(payments.clock.now()), cause: by });
    const claims = await Promise.all(Array.from({ length: 20 }, claim));
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);

    reading.settlement = { ...(await stored(principal, id)).settlement };
    reading.status = 'processing';
    const takeovers = await Promise.all(Array.from({ length: 20 }, claim));
    expect(takeovers.filter((claimed) => claimed !== null)).toHaveLength(1);
  });

  test('go on with other payments when a processor fails, and try again after the lease', async () => {
    const principal = aPrincipal();
    const broken = await create(principal, 'pm_broken');
    const fine = await create(principal);
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
    expect((await read(principal, fine.id)).status).toBe('succeeded');
    expect((await read(principal, broken.id)).status).toBe('processing');
    fails = false;
    payments.clock.advance(LEASE_MS);
    await run();
    expect((await read(principal, broken.id)).status).toBe('succeeded');
  });
});

describe('a payment of the manual processor', () => {
  let running: RunningApp;
  let served: Awaited<ReturnType<PaymentsUnderTest['anotherInstance']>>;
  beforeAll(async () => {
    served = await payments.anotherInstance();
    running = await served.app.start();
  });
  afterAll(async () => {
    await running.sayGoodbye();
    await running.stopServing();
    await running.stopWorking();
    await served.stop();
  });

  const succeeded = { status: 'succeeded' } as const;
  const failed = {
    status: 'failed',
    failure: { code: 'refused_by_bank', message: 'The bank refused.' },
  } as const;
  const live = () => aPrincipal({ environment: 'live' });

  async function settle(
    principal: Principal,
    paymentId: string,
    {
      outcome = succeeded,
      actor = anActor(principal, 'admin'),
    }: { outcome?: typeof succeeded | typeof failed; actor?: ReturnType<typeof anActor> } = {},
  ): Promise<Payment> {
    const request = { application_id: principal.application_id, payment_id: paymentId, outcome };
    return callRpc(payments.bus, settleContract, request, { actorToken: await payments.signActor(actor) });
  }
  const refusal = (code: string) => ({ details: expect.objectContaining({ code }) });

  test('is settled by an admin, who shows as the cause', async () => {
    const principal = live();
    const { id } = await create(principal);
    const actor = anActor(principal, 'admin');
    const settled = await settle(principal, id, { outcome: failed, actor });
    expect(settled).toMatchObject({ status: 'failed', failure: failed.failure, version: 3 });
    expect(await read(principal, id)).toEqual(settled);
    const { history } = await stored(principal, id);
    expect(history.slice(1).map(({ cause }) => cause)).toEqual(
      Array(2).fill({ type: 'member', id: actor.member_id }),
    );
  });

  test('is not settled by itself, and expires after seven days', async () => {
    const principal = live();
    const { id } = await create(principal);
    await settleAfter(7 * 86_400_000 - 1);
    await payments.app.tasks.expirePayments();
    expect((await read(principal, id)).status).toBe('pending');
    payments.clock.advance(1);
    await payments.app.tasks.expirePayments();
    expect(await read(principal, id)).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' });
  });

  test('is settled once by members who decide at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const principal = live();
      const { id } = await create(principal);
      const results = await Promise.allSettled([
        settle(principal, id),
        settle(principal, id, { outcome: failed }),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const { history, version } = await stored(principal, id);
      expect([version, history.length]).toEqual([3, 3]);
    }
  });

  test('whose settlement a crash interrupted is finished as the member decided', async () => {
    const principal = live();
    const { id } = await create(principal);
    const actor = anActor(principal, 'owner');
    const cause = { type: 'member', id: actor.member_id } as const;
    const decision = { outcome: failed, member_id: actor.member_id };
    await claimPayment(payments.app.store, await stored(principal, id), {
      now: new Date(payments.clock.now()),
      cause,
      decision,
    });
    await settleAfter(LEASE_MS);
    expect(await read(principal, id)).toMatchObject({ status: 'failed', failure: failed.failure });
    expect((await stored(principal, id)).history.at(-1)?.cause).toEqual(cause);
  });

  test('answers a repeated decision with the settled payment, another decision with a conflict', async () => {
    const principal = live();
    const { id } = await create(principal);
    const settled = await settle(principal, id);
    expect(await settle(principal, id)).toEqual(settled);
    await expect(settle(principal, id, { outcome: failed })).rejects.toMatchObject(refusal('conflict'));
  });

  test('in live is not settled by a developer, in sandbox not by a viewer', async () => {
    const principal = live();
    const { id } = await create(principal);
    for (const role of ['viewer', 'developer'] as const) {
      await expect(settle(principal, id, { actor: anActor(principal, role) })).rejects.toMatchObject(
        refusal('forbidden'),
      );
    }
    const sandbox = aPrincipal();
    const test = await create(sandbox);
    await expect(settle(sandbox, test.id, { actor: anActor(sandbox, 'viewer') })).rejects.toMatchObject(
      refusal('forbidden'),
    );
    expect((await read(principal, id)).status).toBe('pending');
  });

  test('of another team or application does not exist', async () => {
    const principal = live();
    const { id } = await create(principal);
    const stranger = anActor(aPrincipal(), 'owner');
    await expect(settle(principal, id, { actor: stranger })).rejects.toMatchObject(refusal('not-found'));
    const elsewhere = { ...principal, application_id: newId('application') };
    await expect(settle(elsewhere, id)).rejects.toMatchObject(refusal('not-found'));
    expect((await read(principal, id)).status).toBe('pending');
  });

  test('only: a payment of the sandbox processor is not settled by hand', async () => {
    const principal = aPrincipal();
    const { id } = await create(principal, 'pm_hold');
    await expect(settle(principal, id)).rejects.toMatchObject(refusal('conflict'));
    expect((await read(principal, id)).status).toBe('pending');
  });

  test('is canceled or settled, never both, when both are asked for at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const principal = live();
      const { id } = await create(principal);
      const [settled, canceled] = await Promise.allSettled([
        settle(principal, id),
        payments.send(principal, { method: 'POST', path: `/v1/payments/${id}/cancel` }),
      ]);
      const { status } = await read(principal, id);
      expect(['succeeded', 'canceled']).toContain(status);
      expect(settled.status).toBe(status === 'succeeded' ? 'fulfilled' : 'rejected');
      expect(canceled).toMatchObject({ value: { statusCode: status === 'succeeded' ? 409 : 200 } });
    }
  });
});

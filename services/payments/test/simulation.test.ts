import { callRpc } from '@tollgate/bus/rpc';
import type { Principal } from '@tollgate/contracts/applications/principal';
import { getTimeline, simulatePayment } from '@tollgate/contracts/payments/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Role } from '@tollgate/contracts/platform/roles';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestCancellation } from '../src/cancellation/request-cancellation.ts';
import { finishDecision } from '../src/processing/apply-state.ts';
import { claimForDecision, claimPayment } from '../src/processing/claim.ts';
import { ownerOfPrincipal } from '../src/store/payment-owner.ts';
import { aNewPayment } from './a-new-payment.ts';
import {
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { type ServedPayments, servePayments } from './served-payments.ts';

let payments: PaymentsUnderTest;
let served: ServedPayments;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  served = await servePayments(payments);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await served.stop();
  await payments.stop();
});

type Outcome = Static<typeof simulatePayment.request>['outcome'];

const succeeded: Outcome = { status: 'succeeded' };
const failed: Outcome = { status: 'failed', failure: { code: 'card_stolen', message: 'Reported stolen.' } };
const expired: Outcome = { status: 'expired' };

async function simulate(principal: Principal, paymentId: string, outcome: Outcome, role: Role = 'developer') {
  const requestId = newId('request');
  const actor = anActor(principal, role);
  const request = { payment_id: paymentId, outcome };
  const actorToken = await payments.signActor(actor);
  const payment = await callRpc(payments.bus, simulatePayment, request, { actorToken, requestId });
  return { payment, requestId, cause: { type: 'member', id: actor.member_id, address: actor.address } };
}
const rejection = (code: string) => ({ details: expect.objectContaining({ code }) });

describe('a simulated outcome', () => {
  test.each([
    [succeeded, ['payment.created', 'payment.processing', 'payment.succeeded']],
    [failed, ['payment.created', 'payment.processing', 'payment.failed']],
    [expired, ['payment.created', 'payment.canceled']],
  ])(
    '%j ends a payment that would have stayed pending, with the member and the request in its timeline',
    async (outcome, types) => {
      const principal = aPrincipal();
      const { id } = await payments.create(principal, { payment_method: 'pm_hold' });
      const { payment, requestId, cause } = await simulate(principal, id, outcome);
      expect(payment).toMatchObject(await payments.read(principal, id));
      expect(payment).toMatchObject(
        outcome.status === 'expired' ? { status: 'canceled', cancellation_reason: 'expired' } : outcome,
      );
      const actorToken = await payments.signActor(anActor(principal, 'viewer'));
      const timeline = await callRpc(payments.bus, getTimeline, { payment_id: id }, { actorToken });
      expect(timeline.data.map(({ type }) => type)).toEqual(types);
      for (const entry of timeline.data.slice(1))
        expect(entry).toMatchObject({ cause, request_id: requestId });
    },
  );

  test('a simulated outcome publishes an event for each transition', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { payment_method: 'pm_hold' });
    await simulate(principal, id, failed);
    await served.app.outbox.drain();
    const { history } = await payments.stored(principal, id);
    expect(history.slice(1).map(({ published_at }) => published_at)).toEqual([
      expect.any(Date),
      expect.any(Date),
    ]);
  });

  test('a simulated outcome takes a payment from the worker that is settling it, which then cannot finish', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { payment_method: 'pm_slow' });
    const { store } = payments.app;
    const claim = { now: new Date(payments.clock.now()), isStart: true };
    const claimed = await claimPayment(store, await payments.stored(principal, id), claim);
    if (!claimed) throw new Error('nobody else has the payment');
    const { payment } = await simulate(principal, id, failed);
    expect(payment).toMatchObject({ status: 'failed', version: 3, failure: { code: 'card_stolen' } });
    const cause = { type: 'processor', id: 'sandbox' } as const;
    const late = { outcome: { status: 'succeeded' }, cause, request_id: null } as const;
    const deps = { ...payments.app, clock: payments.clock };
    expect(await finishDecision(deps, claimed, late)).toBeNull();
    await payments.settleAfter(120_000);
    expect(await payments.read(principal, id)).toMatchObject({ status: 'failed', version: 3 });
  });

  test('a simulated outcome that a crash interrupted is completed by a worker, whatever the processor returns', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { payment_method: 'pm_decline' });
    const { member_id, address } = anActor(principal, 'developer');
    const cause = { type: 'member', id: member_id, address } as const;
    const request_id = newId('request');
    await claimForDecision(payments.app.store, await payments.stored(principal, id), {
      now: new Date(payments.clock.now()),
      decision: { outcome: { status: 'succeeded' }, cause, request_id },
    });
    await expect(simulate(principal, id, failed)).rejects.toMatchObject(rejection('conflict'));
    await payments.settleAfter(30_000);
    expect((await payments.read(principal, id)).status).toBe('succeeded');
    expect((await payments.stored(principal, id)).history.at(-1)).toMatchObject({ cause, request_id });
  });

  test.each([succeeded, failed, expired])(
    '%j may be repeated; another outcome is a conflict',
    async (outcome) => {
      const principal = aPrincipal();
      const { id } = await payments.create(principal);
      const { payment } = await simulate(principal, id, outcome);
      expect((await simulate(principal, id, outcome)).payment).toEqual(payment);
      const other: Outcome = { status: 'failed', failure: { code: 'another', message: 'No.' } };
      for (const different of [succeeded, failed, expired, other].filter((one) => one !== outcome)) {
        await expect(simulate(principal, id, different)).rejects.toMatchObject(rejection('conflict'));
      }
      expect(await payments.read(principal, id)).toMatchObject({ version: payment.version });
    },
  );

  test('expired is rejected once a payment is processing', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { payment_method: 'pm_slow' });
    await payments.settleAfter(5_000);
    await expect(simulate(principal, id, expired)).rejects.toMatchObject(rejection('conflict'));
    expect((await payments.read(principal, id)).status).toBe('processing');
  });

  test('expired is rejected while a cancellation is requested, whose reason stays', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { payment_method: 'pm_redirect' });
    await payments.settleAfter(0);
    const { verified } = payments.app;
    // As after a crash between the request and the call to the processor.
    await requestCancellation(payments.app, await payments.stored(principal, id), {
      cause: { type: 'key', id: principal.key_id },
      requestId: null,
      reason: 'requested_by_customer',
      leaseMs: 1_000,
    });
    const simulated = await simulate(principal, id, expired).catch((error: unknown) => error);
    expect(verified.isVerified(await payments.stored(principal, id))).toBe(true);
    expect(simulated).toMatchObject(rejection('conflict'));
    await payments.settleAfter(1_000);
    expect(await payments.read(principal, id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'requested_by_customer',
    });
  });

  test('a simulated outcome of several members who decide at once is the outcome of exactly one of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const principal = aPrincipal();
      const { id } = await payments.create(principal);
      const outcomes = [succeeded, failed, expired];
      const results = await Promise.allSettled(outcomes.map((outcome) => simulate(principal, id, outcome)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const { version, history } = await payments.stored(principal, id);
      expect(history).toHaveLength(version);
    }
  });

  test('a simulated outcome is rejected for live payments, for viewers, and for another team', async () => {
    const live = aPrincipal({ environment: 'live' });
    const paid = await payments.create(live);
    await expect(simulate(live, paid.id, succeeded, 'owner')).rejects.toMatchObject(rejection('conflict'));
    const principal = aPrincipal();
    const { id } = await payments.create(principal);
    await expect(simulate(principal, id, succeeded, 'viewer')).rejects.toMatchObject(rejection('forbidden'));
    await expect(simulate(aPrincipal(), id, succeeded, 'owner')).rejects.toMatchObject(
      rejection('not-found'),
    );
    expect((await payments.read(live, paid.id)).version).toBe(1);
    expect((await payments.read(principal, id)).version).toBe(1);
  });

  test('a simulated outcome is applied to a payment of any processor', async () => {
    const principal = aPrincipal();
    const manual = aNewPayment({ ...ownerOfPrincipal(principal), processor: 'manual', dueAt: null });
    await payments.app.store.insert(manual);
    expect((await simulate(principal, manual._id, succeeded)).payment).toMatchObject({
      status: 'succeeded',
      processor: 'manual',
    });
  });
});

import { callRpc } from '@tollgate/bus/rpc';
import type { Principal } from '@tollgate/contracts/applications/principal';
import type { PaymentDetail } from '@tollgate/contracts/payments/payment-history';
import { settlePayment as settleContract } from '@tollgate/contracts/payments/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimForDecision, LEASE_MS } from '../src/processing/claim.ts';
import {
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { type ServedPayments, servePayments } from './served-payments.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

describe('a payment of the manual processor', () => {
  let served: ServedPayments;
  beforeAll(async () => {
    served = await servePayments(payments);
  });
  afterAll(() => served.stop());

  const succeeded = { status: 'succeeded' } as const;
  const failed = {
    status: 'failed',
    failure: { code: 'refused_by_bank', message: 'The bank rejected.' },
  } as const;
  const live = () => aPrincipal({ environment: 'live' });
  const requestId = newId('request');

  async function settle(
    principal: Principal,
    paymentId: string,
    {
      outcome = succeeded,
      actor = anActor(principal, 'admin'),
    }: {
      outcome?: Static<typeof settleContract.request>['outcome'];
      actor?: ReturnType<typeof anActor>;
    } = {},
  ): Promise<PaymentDetail> {
    const request = { payment_id: paymentId, outcome };
    const actorToken = await payments.signActor(actor);
    return callRpc(payments.bus, settleContract, request, { actorToken, requestId });
  }
  const rejection = (code: string) => ({ details: expect.objectContaining({ code }) });

  test('a payment of the manual processor is rejected with the required fields named when a failure is missing or accompanies a success', async () => {
    const principal = live();
    const { id } = await payments.create(principal);
    const { failure } = failed;
    for (const outcome of [{ status: 'failed' } as const, { status: 'succeeded', failure } as const]) {
      await expect(settle(principal, id, { outcome })).rejects.toMatchObject({
        details: { code: 'invalid-request', errors: [{ pointer: '/outcome/failure' }] },
      });
    }
    expect(await payments.read(principal, id)).toMatchObject({ status: 'pending' });
  });

  test('a payment of the manual processor is settled by an admin, who is recorded as the cause with the request', async () => {
    const principal = live();
    const { id } = await payments.create(principal);
    const actor = anActor(principal, 'admin');
    const settled = await settle(principal, id, { outcome: failed, actor });
    expect(settled).toMatchObject({ status: 'failed', failure: failed.failure, version: 3 });
    expect(settled).toMatchObject(await payments.read(principal, id));
    const { history } = await payments.stored(principal, id);
    const cause = { type: 'member', id: actor.member_id, address: actor.address };
    expect(history.slice(1).map((entry) => [entry.cause, entry.request_id])).toEqual(
      Array(2).fill([cause, requestId]),
    );
  });

  test('a payment of the manual processor does not settle by itself, and expires after seven days', async () => {
    const principal = live();
    const { id } = await payments.create(principal);
    await payments.settleAfter(7 * 86_400_000 - 1);
    await payments.app.tasks.expirePayments();
    expect((await payments.read(principal, id)).status).toBe('pending');
    payments.clock.advance(1);
    await payments.app.tasks.expirePayments();
    expect(await payments.read(principal, id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
    });
  });

  test('a payment of the manual processor is settled once by members who decide at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const principal = live();
      const { id } = await payments.create(principal);
      const results = await Promise.allSettled([
        settle(principal, id),
        settle(principal, id, { outcome: failed }),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const { history, version } = await payments.stored(principal, id);
      expect([version, history.length]).toEqual([3, 3]);
    }
  });

  test('a payment of the manual processor whose settlement a crash interrupted ends as the member decided', async () => {
    const principal = live();
    const { id } = await payments.create(principal);
    const actor = anActor(principal, 'owner');
    const cause = { type: 'member', id: actor.member_id, address: actor.address } as const;
    const decision = { outcome: failed, cause, request_id: requestId };
    await claimForDecision(payments.app.store, await payments.stored(principal, id), {
      now: new Date(payments.clock.now()),
      decision,
    });
    await payments.settleAfter(LEASE_MS);
    expect(await payments.read(principal, id)).toMatchObject({ status: 'failed', failure: failed.failure });
    const finish = (await payments.stored(principal, id)).history.at(-1);
    expect([finish?.cause, finish?.request_id]).toEqual([cause, requestId]);
  });

  test('a payment of the manual processor returns the settled payment for a repeated decision, and a conflict for another decision', async () => {
    const principal = live();
    const { id } = await payments.create(principal);
    const settled = await settle(principal, id);
    expect(await settle(principal, id)).toEqual(settled);
    await expect(settle(principal, id, { outcome: failed })).rejects.toMatchObject(rejection('conflict'));
  });

  test('a payment of the manual processor cannot be settled by a developer in live, nor by a viewer in the sandbox', async () => {
    const principal = live();
    const { id } = await payments.create(principal);
    for (const role of ['viewer', 'developer'] as const) {
      await expect(settle(principal, id, { actor: anActor(principal, role) })).rejects.toMatchObject(
        rejection('forbidden'),
      );
    }
    const sandbox = aPrincipal();
    const test = await payments.create(sandbox);
    await expect(settle(sandbox, test.id, { actor: anActor(sandbox, 'viewer') })).rejects.toMatchObject(
      rejection('forbidden'),
    );
    expect((await payments.read(principal, id)).status).toBe('pending');
  });

  test('a payment of the manual processor of another team is not found', async () => {
    const principal = live();
    const { id } = await payments.create(principal);
    const stranger = anActor(aPrincipal(), 'owner');
    await expect(settle(principal, id, { actor: stranger })).rejects.toMatchObject(rejection('not-found'));
    expect((await payments.read(principal, id)).status).toBe('pending');
  });

  test('a payment of the manual processor is required: a payment of the sandbox processor cannot be settled manually', async () => {
    const principal = aPrincipal();
    const { id } = await payments.create(principal, { payment_method: 'pm_hold' });
    await expect(settle(principal, id)).rejects.toMatchObject(rejection('conflict'));
    expect((await payments.read(principal, id)).status).toBe('pending');
  });

  test('a payment of the manual processor is either canceled or settled, never both, when both are requested at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const principal = live();
      const { id } = await payments.create(principal);
      const [settled, canceled] = await Promise.allSettled([
        settle(principal, id),
        payments.send(principal, { method: 'POST', path: `/v1/payments/${id}/cancel` }),
      ]);
      const { status } = await payments.read(principal, id);
      expect(['succeeded', 'canceled']).toContain(status);
      expect(settled.status).toBe(status === 'succeeded' ? 'fulfilled' : 'rejected');
      expect(canceled).toMatchObject({ value: { statusCode: status === 'succeeded' ? 409 : 200 } });
    }
  });
});

import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Principal } from '@tollgate/contracts/applications/principal';
import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelForActor } from '../src/cancellation/cancel-for-actor.ts';
import { settlePayment } from '../src/settlement/settle-payment.ts';
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

const rejection = (code: string) => ({ details: expect.objectContaining({ code }) });
const live = () => aPrincipal({ environment: 'live' });

function deps() {
  const { app, audit, clock, logger } = payments;
  return { ...app, audit, clock, logger };
}

function cancel(actor: Actor, paymentId: string) {
  return cancelForActor(deps(), actor, { payment_id: paymentId, cancellation_reason: 'duplicate' }, null);
}

const cancelByApi = (principal: Principal, id: string) =>
  payments.send(principal, { method: 'POST', path: `/v1/payments/${id}/cancel` });

test('an admin cancels a live payment, and is its cause; repeating it changes nothing', async () => {
  const principal = live();
  const { id } = await payments.create(principal);
  const admin = anActor(principal, 'admin');
  expect(await cancel(admin, id)).toMatchObject({ status: 'canceled', cancellation_reason: 'duplicate' });
  expect(await cancel(admin, id)).toMatchObject({ version: 2 });
  const { history } = await payments.stored(principal, id);
  expect(history.map(({ type }) => type)).toEqual(['payment.created', 'payment.canceled']);
  expect(history.at(-1)?.cause).toMatchObject({ type: 'member', id: admin.member_id });
});

test('a payment that has ended is not canceled, as by the API', async () => {
  const principal = live();
  const { id } = await payments.create(principal);
  const actor = anActor(principal, 'admin');
  await settlePayment(deps(), actor, { payment_id: id, outcome: { status: 'succeeded' } }, null);
  await expect(cancel(actor, id)).rejects.toMatchObject(rejection('payment-not-cancelable'));
  expect((await cancelByApi(principal, id)).json()).toMatchObject({ code: 'payment-not-cancelable' });
});

test('a developer cancels sandbox payments only, a viewer none, and another team none', async () => {
  const [principal, sandbox] = [live(), aPrincipal()];
  const { id } = await payments.create(principal);
  const ofSandbox = await payments.create(sandbox, { payment_method: 'pm_hold' });
  await expect(cancel(anActor(principal, 'developer'), id)).rejects.toMatchObject(rejection('forbidden'));
  await expect(cancel(anActor(sandbox, 'viewer'), ofSandbox.id)).rejects.toMatchObject(
    rejection('forbidden'),
  );
  await expect(cancel(anActor(live(), 'owner'), id)).rejects.toMatchObject(rejection('not-found'));
  expect(await cancel(anActor(sandbox, 'developer'), ofSandbox.id)).toMatchObject({ status: 'canceled' });
  expect((await payments.read(principal, id)).status).toBe('pending');
});

test('an API token that is limited to the sandbox cancels no live payment', async () => {
  const principal = live();
  const { id } = await payments.create(principal);
  const { member_id: _, session_id: __, ...shared } = anActor(principal, 'admin');
  const token = {
    ...shared,
    type: 'token' as const,
    token_id: newId('apiToken'),
    role: 'admin' as const,
    environments: ['sandbox' as const],
  };
  await expect(cancel(token, id)).rejects.toMatchObject(rejection('forbidden'));
});

test('members and applications that cancel at the same time cancel once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const principal = live();
    const { id } = await payments.create(principal);
    const [byMember, byApi] = await Promise.all([
      cancel(anActor(principal, 'admin'), id),
      cancelByApi(principal, id),
    ]);
    expect([byMember.status, byApi.statusCode]).toEqual(['canceled', 200]);
    expect((await payments.stored(principal, id)).history).toHaveLength(2);
  }
});

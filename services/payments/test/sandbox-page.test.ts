import { callRpc } from '@tollgate/bus/rpc';
import type { Payment } from '@tollgate/contracts/payments/payment';
import { actOnSandboxPage, getSandboxPage } from '@tollgate/contracts/payments/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { type ServedPayments, servePayments } from './served-payments.ts';

const principal = aPrincipal();

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

async function waiting(
  payment_method: string,
  fields: object = {},
): Promise<{ payment: Payment; token: string }> {
  const { id } = await payments.create(principal, { payment_method, ...fields });
  await payments.settleAfter(0);
  const payment = await payments.read(principal, id);
  return { payment, token: payment.next_action?.url.split('/').at(-1) ?? '' };
}

const act = (token: string, action: 'pay' | 'decline') =>
  callRpc(payments.bus, actOnSandboxPage, { token, action }, {});
const typesOf = async (id: string) =>
  (await payments.stored(principal, id)).history.map(({ type }) => type.slice('payment.'.length));

test('the test page of a sandbox payment shows what the payer pays for, and neither the payer nor the team', async () => {
  const { payment, token } = await waiting('pm_redirect', {
    purpose: 'Order 1',
    return_url: 'http://localhost:3000/done',
    payer: { email: 'ada@example.com' },
  });
  expect(payment.next_action?.url).toBe(`http://localhost:8081/sandbox/pay/${token}`);
  expect(await callRpc(payments.bus, getSandboxPage, { token }, {})).toEqual({
    payment_id: payment.id,
    amount: 1_000,
    currency: 'EUR',
    purpose: 'Order 1',
    status: 'pending',
    return_url: 'http://localhost:3000/done',
    expires_at: payment.expires_at,
  });
});

test('the test page of a sandbox payment lets the payment succeed or fail once, whatever the payer clicks later', async () => {
  const paid = await waiting('pm_redirect');
  expect(await act(paid.token, 'pay')).toMatchObject({ status: 'succeeded' });
  expect(await act(paid.token, 'decline')).toMatchObject({ status: 'succeeded' });
  expect(await typesOf(paid.payment.id)).toEqual(['created', 'action_required', 'succeeded']);
  const declined = await waiting('pm_redirect');
  expect(await act(declined.token, 'decline')).toMatchObject({ status: 'failed' });
  expect((await payments.read(principal, declined.payment.id)).failure?.code).toBe('declined');
});

test('the test page of a sandbox payment of pm_duplicate_callback reports twice, and of pm_late_callback half a minute late', async () => {
  const twice = await waiting('pm_duplicate_callback');
  await act(twice.token, 'pay');
  expect(await typesOf(twice.payment.id)).toEqual(['created', 'action_required', 'succeeded']);
  const late = await waiting('pm_late_callback');
  expect(await act(late.token, 'pay')).toMatchObject({ status: 'processing' });
  await payments.settleAfter(29_999);
  expect((await payments.read(principal, late.payment.id)).status).toBe('processing');
  await payments.settleAfter(1);
  expect((await payments.read(principal, late.payment.id)).status).toBe('succeeded');
});

test('the test page of a sandbox payment is closed by a cancellation', async () => {
  const { payment, token } = await waiting('pm_redirect');
  const path = `/v1/payments/${payment.id}/cancel`;
  expect((await payments.send(principal, { method: 'POST', path })).json().status).toBe('canceled');
  expect(await act(token, 'pay')).toMatchObject({ status: 'canceled' });
});

test('the test page of a sandbox payment cannot be found with the token of another payment, or an altered one', async () => {
  const [{ payment, token }, other] = [await waiting('pm_redirect'), await waiting('pm_redirect')];
  const swapped = token.replace(payment.id, other.payment.id);
  for (const wrong of [
    swapped,
    payment.id,
    `${token}A`,
    token.slice(0, -1),
    'x-1-',
    '--',
    `${payment.id}-2-AAAA`,
  ]) {
    const read = callRpc(payments.bus, getSandboxPage, { token: wrong }, {});
    await expect(read).rejects.toMatchObject({ details: { code: 'not-found' } });
  }
});

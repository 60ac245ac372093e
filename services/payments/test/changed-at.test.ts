import type { Payment } from '@tollgate/contracts/payments/payment';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const held = { amount: 1_250, currency: 'EUR', payment_method: 'pm_hold' };
type Response = Awaited<ReturnType<PaymentsUnderTest['send']>>;
const changedAt = (response: Response) => response.headers[HEADERS.changedAt];

test('a response tells the gateway when its request changed the payment for the request that created it, and not for its repetitions', async () => {
  const principal = aPrincipal();
  const create = { method: 'POST', path: '/v1/payments', key: 'k', body: held } as const;
  const first = await payments.send(principal, create);
  expect(changedAt(first)).toBe(first.json<Payment>().created_at);
  payments.clock.advance(60_000);
  expect(changedAt(await payments.send(principal, create))).toBeUndefined();
});

test('a response tells the gateway when its request changed the payment for the request that canceled it, and not for one that found it canceled', async () => {
  const principal = aPrincipal();
  const created = await payments.send(principal, { method: 'POST', path: '/v1/payments', body: held });
  const path = `/v1/payments/${created.json<Payment>().id}/cancel`;
  const first = await payments.send(principal, { method: 'POST', path, key: 'c' });
  expect(changedAt(first)).toBe(first.json<Payment>().canceled_at);
  payments.clock.advance(60_000);
  expect(changedAt(await payments.send(principal, { method: 'POST', path, key: 'c' }))).toBeUndefined();
  expect(changedAt(await payments.send(principal, { method: 'POST', path }))).toBeUndefined();
});

test('a response tells the gateway when its request changed the payment not for a rejected request, and not for a read', async () => {
  const principal = aPrincipal();
  const rejected = await payments.send(principal, { method: 'POST', path: '/v1/payments', body: {} });
  expect([rejected.statusCode, changedAt(rejected)]).toEqual([400, undefined]);
  const created = await payments.send(principal, { method: 'POST', path: '/v1/payments', body: held });
  const path = `/v1/payments/${created.json<Payment>().id}`;
  expect(changedAt(await payments.send(principal, { method: 'GET', path }))).toBeUndefined();
});

import { newId } from '@tollgate/contracts/platform/ids';
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

test('while MongoDB is unavailable every operation returns a 503 that exposes nothing internal, and works again when it is back', async () => {
  const principal = aPrincipal();
  const create = {
    method: 'POST',
    path: '/v1/payments',
    key: 'k',
    body: { amount: 100, currency: 'EUR' },
  } as const;
  const keyless = { method: 'POST', path: '/v1/payments', body: create.body } as const;
  const get = { method: 'GET', path: `/v1/payments/${newId('payment')}` } as const;
  const cancel = { method: 'POST', path: `${get.path}/cancel` } as const;
  const first = await payments.send(principal, create);

  await payments.infra.mongodb.kill();
  const responses = await Promise.all(
    [create, get, cancel, keyless].map((request) => payments.send(principal, request)),
  );
  // Only with a key, or as a read, has a repetition no second effect: the write may have happened.
  for (const [index, response] of responses.entries()) {
    const retryable = index < 2;
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: 'unavailable', retryable });
    expect(response.headers).toMatchObject({ 'retry-after': '1', 'x-should-retry': String(retryable) });
    expect(response.body).not.toMatch(/mongo|127\.0\.0\.1|connect/i);
  }

  await payments.infra.mongodb.start();
  const again = await payments.send(principal, create);
  expect([again.statusCode, again.json(), again.headers['idempotent-replayed']]).toEqual([
    201,
    first.json(),
    'true',
  ]);
}, 60_000);

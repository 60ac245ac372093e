import type { Payment } from '@tollgate/contracts/payments/payment';
import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
  type TestRequest,
} from './payments-under-test.ts';
import { settleDue } from './settle-due.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

const minimal = { amount: 1_250, currency: 'EUR' };
const create = (key: string, body: TestRequest['body'] = minimal): TestRequest => ({
  method: 'POST',
  path: '/v1/payments',
  key,
  body,
});
const cancel = (id: string, key: string, body?: TestRequest['body']): TestRequest => ({
  method: 'POST',
  path: `/v1/payments/${id}/cancel`,
  key,
  ...(body !== undefined && { body }),
});

type Response = Awaited<ReturnType<PaymentsUnderTest['send']>>;
const isReplay = (response: Response) => response.headers['idempotent-replayed'] === 'true';

async function createdPayment(principal: ReturnType<typeof aPrincipal>, key = 'create'): Promise<Payment> {
  return (await payments.send(principal, create(key))).json<Payment>();
}

describe('a repeated creation', () => {
  test('a repeated creation returns the first response again, even with the key in quotes and the members in another order', async () => {
    const principal = aPrincipal();
    const first = await payments.send(principal, create('k'));
    payments.clock.advance(60_000);
    const again = await payments.send(principal, create('"k"', '{"currency":"EUR", "amount":1250}'));
    expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
    expect(again.headers['location']).toBe(first.headers['location']);
    expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
    expect(await payments.storedCount(principal)).toBe(1);
  });

  test('a repeated creation returns the payment as created after it was settled or canceled', async () => {
    const principal = aPrincipal();
    const settled = await payments.send(principal, create('settled'));
    const declined = await payments.send(
      principal,
      create('declined', { ...minimal, payment_method: 'pm_decline' }),
    );
    const canceled = await payments.send(
      principal,
      create('canceled', { ...minimal, payment_method: 'pm_hold' }),
    );
    await payments.send(principal, cancel(canceled.json().id, 'c'));
    payments.clock.advance(5_000);
    await settleDue(payments.app);
    expect((await payments.send(principal, create('settled'))).json()).toEqual(settled.json());
    const replayed = await payments.send(
      principal,
      create('declined', { ...minimal, payment_method: 'pm_decline' }),
    );
    expect(replayed.json()).toEqual(declined.json());
    const third = await payments.send(
      principal,
      create('canceled', { ...minimal, payment_method: 'pm_hold' }),
    );
    expect(third.json()).toEqual(canceled.json());
  });

  test('a repeated creation replays for another key of the same application', async () => {
    const principal = aPrincipal();
    const first = await payments.send(principal, create('k'));
    const again = await payments.send({ ...principal, key_id: newId('apiKey') }, create('k'));
    expect([again.json(), isReplay(again)]).toEqual([first.json(), true]);
  });

  test('a repeated creation with another body is rejected and changes nothing', async () => {
    const principal = aPrincipal();
    await payments.send(principal, create('k'));
    const response = await payments.send(principal, create('k', { ...minimal, amount: 1_251 }));
    expect(response.statusCode).toBe(422);
    expect(response.json().code).toBe('idempotency-key-reused');
    expect(await payments.storedCount(principal)).toBe(1);
  });

  test('a repeated creation binds its key within its application and environment only', async () => {
    const principal = aPrincipal();
    const ids = new Set<string>();
    for (const as of [principal, { ...principal, environment: 'live' as const }, aPrincipal()]) {
      const response = await payments.send(as, create('k'));
      expect([response.statusCode, isReplay(response)]).toEqual([201, false]);
      ids.add(response.json().id);
    }
    expect(ids.size).toBe(3);
  });

  test('a repeated creation that was rejected binds nothing', async () => {
    const principal = aPrincipal();
    await payments.send(principal, create('k', { ...minimal, amount: 0 }));
    const response = await payments.send(principal, create('k'));
    expect([response.statusCode, isReplay(response)]).toEqual([201, false]);
  });

  test('a repeated creation without a key creates a new payment', async () => {
    const principal = aPrincipal();
    const { key: _, ...keyless } = create('');
    const [one, two] = [await payments.send(principal, keyless), await payments.send(principal, keyless)];
    expect(one.json().id).not.toBe(two.json().id);
  });

  test('a repeated creation without a key creates nothing when the same signed request arrives again', async () => {
    const principal = aPrincipal();
    const { key: _, ...keyless } = create('');
    const signed = { ...keyless, requestId: newId('request') };
    const responses = await Promise.all(Array.from({ length: 10 }, () => payments.send(principal, signed)));
    expect(new Set(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(responses.filter((response) => !isReplay(response))).toHaveLength(1);
    expect(await payments.storedCount(principal)).toBe(1);
  });

  test('a repeated creation without a key and without a valid request id is rejected, because nothing could bind it', async () => {
    const { key: _, ...keyless } = create('');
    const response = await payments.send(aPrincipal(), { ...keyless, requestId: 'req_1' });
    expect([response.statusCode, response.json().code]).toEqual([401, 'unauthenticated']);
  });

  test('sent 50 times at once creates one payment and returns 50 equal responses, on two instances', async () => {
    const principal = aPrincipal();
    const other = await payments.anotherInstance();
    try {
      const send = (index: number) =>
        payments.send(principal, create('k'), index % 2 === 0 ? payments.app : other.app);
      const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => send(index)));
      expect(new Set(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
      expect(responses.filter((response) => !isReplay(response))).toHaveLength(1);
      expect(await payments.storedCount(principal)).toBe(1);
    } finally {
      await other.stop();
    }
  });

  test.each(['', 'a b', 'k'.repeat(256)])(
    'a repeated creation with the key "%s" is rejected',
    async (key) => {
      const response = await payments.send(aPrincipal(), create(key));
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({
        code: 'invalid-idempotency-key',
        errors: [{ header: 'Idempotency-Key' }],
      });
    },
  );
});

describe('a repeated cancellation', () => {
  test('a repeated cancellation returns the payment as it was right after, marked as a replay', async () => {
    const principal = aPrincipal();
    const { id } = await createdPayment(principal);
    const first = await payments.send(principal, cancel(id, 'k', { cancellation_reason: 'abandoned' }));
    payments.clock.advance(60_000);
    const again = await payments.send(principal, cancel(id, 'k', { cancellation_reason: 'abandoned' }));
    expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
    expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
  });

  test('a repeated cancellation without a body equals one with {}', async () => {
    const principal = aPrincipal();
    const { id } = await createdPayment(principal);
    await payments.send(principal, cancel(id, 'k'));
    expect(isReplay(await payments.send(principal, cancel(id, 'k', {})))).toBe(true);
  });

  test('a repeated cancellation with another reason or of another payment is rejected and changes nothing', async () => {
    const principal = aPrincipal();
    const { id } = await createdPayment(principal);
    const other = await createdPayment(principal, 'create-2');
    await payments.send(principal, cancel(id, 'k'));
    for (const request of [
      cancel(id, 'k', { cancellation_reason: 'duplicate' }),
      cancel(other.id, 'k'),
      cancel(newId('payment'), 'k'),
    ]) {
      const response = await payments.send(principal, request);
      expect([response.statusCode, response.json().code]).toEqual([422, 'idempotency-key-reused']);
    }
    const read = await payments.send(principal, { method: 'GET', path: `/v1/payments/${other.id}` });
    expect(read.json()).toEqual(other);
  });

  test('a repeated cancellation may use the key of a creation, because each operation has its own keys', async () => {
    const principal = aPrincipal();
    const { id } = await createdPayment(principal, 'k');
    const response = await payments.send(principal, cancel(id, 'k'));
    expect([response.statusCode, isReplay(response)]).toEqual([200, false]);
  });

  test('a repeated cancellation that found the payment already canceled does not bind its key', async () => {
    const principal = aPrincipal();
    const { id } = await createdPayment(principal);
    const other = await createdPayment(principal, 'create-2');
    await payments.send(principal, cancel(id, 'first'));
    const late = await payments.send(principal, cancel(id, 'late', { cancellation_reason: 'duplicate' }));
    expect([late.statusCode, isReplay(late), late.json().cancellation_reason]).toEqual([200, false, null]);
    expect((await payments.send(principal, cancel(other.id, 'late'))).json().status).toBe('canceled');
  });

  test('a repeated cancellation that was rejected does not bind its key', async () => {
    const principal = aPrincipal();
    const { id } = await createdPayment(principal);
    const other = (
      await payments.send(principal, create('c2', { ...minimal, payment_method: 'pm_hold' }))
    ).json();
    payments.clock.advance(5_000);
    await settleDue(payments.app);
    expect((await payments.send(principal, cancel(id, 'k'))).statusCode).toBe(409);
    expect((await payments.send(principal, cancel(other.id, 'k'))).statusCode).toBe(200);
  });

  test('sent 50 times at once cancels once and returns 50 equal responses', async () => {
    const principal = aPrincipal();
    const { id } = await createdPayment(principal);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => payments.send(principal, cancel(id, 'k'))),
    );
    expect(new Set(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(responses.filter((response) => !isReplay(response))).toHaveLength(1);
    expect(responses[0]?.json().version).toBe(2);
  });

  test('a repeated cancellation of two payments at once with one key cancels one of them', async () => {
    const principal = aPrincipal();
    for (let round = 0; round < 10; round += 1) {
      const one = await createdPayment(principal, `one-${round}`);
      const two = await createdPayment(principal, `two-${round}`);
      const responses = await Promise.all(
        [one, two].map(({ id }) => payments.send(principal, cancel(id, `k-${round}`))),
      );
      expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
    }
  });
});

import { PaymentRejected } from '@tollgate/processor-adapter/adapter';
import { expect, it } from 'vitest';
import { UNREACHABLE_WEBHOOK_URL } from './double/check-creation.ts';
import { PAID_MONEY, PAYMENT_ID, processorPayment, recurringPayment, setUp } from './support.ts';

const HOUR_MS = 3_600_000;
const CHECKOUT = 'https://www.mollie.com/checkout/0000000001';
const ID = 'tr_0000000001';
const SUCCEEDED = { status: 'succeeded', reference: ID, ...PAID_MONEY };

it('a payment without a payment method sends the payer to the checkout page of Mollie', async () => {
  const { start, mollie } = await setUp();

  expect(await start(processorPayment())).toEqual({
    status: 'action_required',
    reference: ID,
    next_action: { type: 'redirect', url: CHECKOUT },
  });
  expect(mollie.account.payments[0]?.request).toEqual({
    amount: { currency: 'EUR', value: '19.99' },
    description: 'Order 66',
    metadata: { payment_id: PAYMENT_ID },
    redirectUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/return',
    webhookUrl: 'https://adapter.example/webhooks',
  });
  expect(mollie.account.charges).toEqual([]);
});

it('a payment without a payment method is rejected without a return_url, and sends no request', async () => {
  const { start, mollie } = await setUp();

  await expect(start(processorPayment({ return_url: null }))).rejects.toMatchObject({
    failure: { code: 'return_url_required' },
  });
  expect(mollie.requests).toEqual([]);
});

it('a payment without a payment method describes the payment by its purpose, its reference, or its id', async () => {
  const { start, mollie } = await setUp();

  await start(processorPayment({ id: 'pay_1', purpose: 'x'.repeat(300) }));
  await start(processorPayment({ id: 'pay_2', purpose: null, reference: 'invoice-7' }));
  await start(processorPayment({ id: 'pay_3', purpose: null, reference: null }));

  const descriptions = mollie.account.payments.map(({ request }) => request.description);
  expect(descriptions.reverse()).toEqual(['x'.repeat(255), 'invoice-7', 'pay_3']);
});

it("a payment without a payment method keeps the caller's metadata from Mollie", async () => {
  const { start, mollie } = await setUp();

  await start(processorPayment({ metadata: { customer: 'Ada', note: 'n'.repeat(5_000) } }));

  expect(mollie.account.payments[0]?.request.metadata).toEqual({ payment_id: PAYMENT_ID });
});

it('a payment with a mandate is charged once, at once', async () => {
  const { start, mollie } = await setUp();

  expect(await start(recurringPayment())).toEqual(SUCCEEDED);
  expect(mollie.account.payments[0]?.request).toMatchObject({
    customerId: 'cst_8wmqcHMN4U',
    mandateId: 'mdt_h3gAaD5zP',
    sequenceType: 'recurring',
  });
  expect(mollie.account.charges).toEqual([{ mollieId: ID, paymentId: PAYMENT_ID, value: '19.99' }]);
});

it('a payment with a mandate is charged with any valid mandate of the customer when the token names none', async () => {
  const { start, mollie } = await setUp();

  await start(recurringPayment({ payment_method: 'cst_8wmqcHMN4U' }));

  expect(mollie.account.payments[0]?.request.mandateId).toBeUndefined();
  expect(mollie.account.charges).toHaveLength(1);
});

it.each(['pm_card', 'mdt_h3gAaD5zP', 'cst_8wmqcHMN4U/', 'cst_8wmqcHMN4U/mdt_h3gAaD5zP/x', 'cst_../payments'])(
  'a payment with a mandate is rejected with the token %s, and sends no request',
  async (payment_method) => {
    const { start, mollie } = await setUp();

    await expect(start(recurringPayment({ payment_method }))).rejects.toMatchObject({
      failure: { code: 'payment_method_not_accepted' },
    });
    expect(mollie.requests).toEqual([]);
  },
);

it('a payment with a mandate is processing while the bank has not decided', async () => {
  const { start, mollie } = await setUp();
  mollie.account.recurringStatus = 'pending';

  expect(await start(recurringPayment())).toEqual({ status: 'processing', reference: ID });
});

it.each([
  ['amount_not_accepted', { amount: 1_000_000_000 }],
  ['amount_not_accepted', { currency: 'XOF' }],
  ['amount_not_accepted', { currency: 'XXX' }],
  ['return_url_not_accepted', { return_url: 'ftp://shop.example' }],
  ['payment_method_not_accepted', { payment_method: 'cst_unknown' }],
  ['payment_method_not_accepted', { payment_method: 'cst_8wmqcHMN4U/mdt_unknown' }],
])('rejections end the payment with %s for %j', async (code, changes) => {
  const { start, mollie } = await setUp();

  const error = await start(processorPayment(changes)).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(PaymentRejected);
  expect((error as PaymentRejected).failure.code).toBe(code);
  expect(mollie.account.payments).toEqual([]);
});

it('rejections contain the explanation of Mollie', async () => {
  const { start } = await setUp();

  await expect(start(processorPayment({ amount: 1_000_000_000 }))).rejects.toMatchObject({
    failure: {
      message: 'Mollie does not accept the amount or the currency. The amount is higher than the maximum',
    },
  });
});

it('rejections never end a payment for which a request with the same key has moved money', async () => {
  const { start, mollie } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 'lost-response' });
  await expect(start(recurringPayment())).rejects.toThrow();

  // Another purpose is another request with the same key, which Mollie rejects with 400.
  expect(await start(recurringPayment({ purpose: 'Changed' }))).toEqual(SUCCEEDED);
  expect(mollie.account.charges).toHaveLength(1);
});

it('rejections end a payment whose customer was deleted', async () => {
  const { start, mollie } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 410 });

  await expect(start(recurringPayment())).rejects.toMatchObject({
    failure: { code: 'payment_method_not_accepted' },
  });
});

it.each([
  401,
  403,
  409,
  410,
  429,
  500,
  503,
  'lost-request',
  'lost-response',
  'garbage',
  'proxy-error',
] as const)(
  'errors that decide nothing leave the payment open after %s, and the next start creates one payment',
  async (kind) => {
    const { start, mollie } = await setUp();
    mollie.faults.push({ method: 'POST', kind });

    const error = await start(processorPayment()).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(PaymentRejected);
    expect(await start(processorPayment())).toMatchObject({ status: 'action_required', reference: ID });
    expect(mollie.account.payments).toHaveLength(1);
  },
);

it('errors that decide nothing sends a request once, and leaves repetitions to Tollgate', async () => {
  const { start, mollie } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 503, headers: { 'retry-after': '0' } });

  await expect(start(processorPayment())).rejects.toThrow();

  expect(mollie.requests).toHaveLength(1);
});

it('errors that decide nothing does not reject a payment for a webhook address that Mollie cannot reach', async () => {
  const { start } = await setUp({ MOLLIE_WEBHOOK_URL: UNREACHABLE_WEBHOOK_URL });

  const error = await start(processorPayment()).catch((thrown: unknown) => thrown);

  expect(error).not.toBeInstanceOf(PaymentRejected);
  expect((error as Error).message).toBe('The webhook URL is invalid because it is unreachable');
});

it('errors that decide nothing does not reject a payment whose key belongs to another request', async () => {
  const { start, mollie } = await setUp();
  await mollie.account.createOnce(
    '{"amount":{"currency":"EUR","value":"1.00"},"description":"x","redirectUrl":"https://x"}',
    PAYMENT_ID,
  );

  const error = await start(processorPayment()).catch((thrown: unknown) => thrown);

  expect(error).not.toBeInstanceOf(PaymentRejected);
  expect((error as Error).message).toBe('The idempotency key belongs to another request');
});

it('errors that decide nothing aborts the request with the signal of the call', async () => {
  const { adapter, mollie, clock } = await setUp();
  const call = new AbortController();
  mollie.faults.push({ method: 'POST', before: () => call.abort(), kind: 'lost-request' });

  await expect(
    adapter.start(processorPayment(), { firstStartedAt: new Date(clock.now()), signal: call.signal }),
  ).rejects.toThrow('abort');
});

it('a repeated start returns the payment that a lost response had created', async () => {
  const { start, mollie } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 'lost-response' });
  await expect(start(recurringPayment())).rejects.toThrow();

  expect(await start(recurringPayment())).toEqual(SUCCEEDED);
  expect(mollie.account.charges).toHaveLength(1);
});

it('a repeated start returns the current state and not the one of the first response', async () => {
  const { start, mollie } = await setUp();
  await start(processorPayment());
  mollie.account.settle(ID, 'paid');

  expect(await start(processorPayment())).toEqual(SUCCEEDED);
});

it('a repeated start throws while the first one is in progress, and does not charge again', async () => {
  const { start, mollie } = await setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  mollie.account.execution = promise;
  const first = start(recurringPayment());
  await expect.poll(() => mollie.requests).toHaveLength(1);

  await expect(start(recurringPayment())).rejects.toThrow('in progress');
  resolve();

  expect(await first).toMatchObject({ status: 'succeeded' });
  expect(mollie.account.charges).toHaveLength(1);
});

it('a repeated start finds the payment when Mollie has forgotten the key', async () => {
  const { start, mollie, clock } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 'lost-response' });
  await expect(start(recurringPayment())).rejects.toThrow();
  clock.advance(2 * HOUR_MS);

  expect(await start(recurringPayment())).toEqual(SUCCEEDED);
  expect(mollie.account.charges).toHaveLength(1);
});

it('a repeated start finds the payment when the adapter has lost its data', async () => {
  const { start, adapter, mollie, clock } = await setUp();
  await start(recurringPayment());
  clock.advance(2 * HOUR_MS);
  const { signal } = new AbortController();

  const state = await adapter.start(recurringPayment(), { firstStartedAt: new Date(clock.now()), signal });

  expect(state).toEqual(SUCCEEDED);
  expect(mollie.account.charges).toHaveLength(1);
});

it('a repeated start finds the payment after many others and pages of payments', async () => {
  const { start, mollie, clock } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 'lost-response' });
  await expect(start(processorPayment())).rejects.toThrow();
  for (let index = 0; index < 600; index++) {
    const request = { ...mollie.account.payments[0]?.request, metadata: { payment_id: `pay_${index}` } };
    await mollie.account.createOnce(JSON.stringify(request), undefined);
  }
  clock.advance(2 * HOUR_MS);

  expect(await start(processorPayment())).toMatchObject({ reference: ID });
  expect(mollie.account.payments).toHaveLength(601);
});

it('a repeated start looks no further than the first start', async () => {
  const { start, mollie, clock } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 'lost-request' });
  for (let index = 0; index < 600; index++) {
    const request = {
      amount: { currency: 'EUR', value: '1.00' },
      description: 'x',
      redirectUrl: 'https://x',
    };
    await mollie.account.createOnce(JSON.stringify(request), undefined);
  }
  for (const payment of mollie.account.payments) payment.createdAtMs -= HOUR_MS;
  await expect(start(processorPayment())).rejects.toThrow();
  clock.advance(2 * HOUR_MS);
  mollie.requests.length = 0;

  expect(await start(processorPayment())).toMatchObject({ status: 'action_required' });
  expect(mollie.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

it('a repeated start starts the payment late when no request had reached Mollie', async () => {
  const { start, mollie, clock } = await setUp();
  mollie.faults.push({ method: 'POST', kind: 'lost-request' });
  await expect(start(recurringPayment())).rejects.toThrow();
  clock.advance(2 * HOUR_MS);

  expect(await start(recurringPayment())).toMatchObject({ status: 'succeeded' });
  expect(mollie.account.charges).toHaveLength(1);
});

it('a repeated start starts nothing when it cannot look first', async () => {
  const { start, mollie, clock } = await setUp();
  clock.advance(2 * HOUR_MS);
  mollie.faults.push({ method: 'GET', kind: 500 });

  await expect(start(recurringPayment())).rejects.toThrow();

  expect(mollie.account.payments).toEqual([]);
});

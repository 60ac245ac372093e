import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { describe, expect, it } from 'vitest';
import { parseForm } from './double/form.ts';
import { cardPayment, PAYMENT_ID, setUp } from './support.ts';

const INTENT = 'pi_0000000001';
const CONFIRM = /confirm$/;
const CREATE = /payment_intents$/;
const SUCCEEDED = { status: 'succeeded', reference: INTENT, amount: 1999, currency: 'EUR' };
const UNCHANGED = { refunded_amount: 0, disputed_amount: 0 };
const CANCELED = { status: 'canceled', reference: INTENT };
const authenticating = () =>
  cardPayment({
    payment_method: 'pm_card_authenticationRequired',
    return_url: 'https://shop.example/return',
  });

describe('start with a payment method', () => {
  it('a start with a payment method creates an intent without confirming it, then confirms it, each with its own idempotency key', async () => {
    const { start, stripe, lines } = await setUp();

    expect(await start(cardPayment())).toEqual(SUCCEEDED);

    expect(lines()).toEqual(['POST /v1/payment_intents', `POST /v1/payment_intents/${INTENT}/confirm`]);
    expect(stripe.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      PAYMENT_ID,
      `${PAYMENT_ID}:confirm`,
    ]);
    expect(parseForm(stripe.requests[0]?.body ?? '')).toEqual({
      amount: '1999',
      currency: 'eur',
      payment_method: 'pm_card_visa',
      automatic_payment_methods: { enabled: 'true', allow_redirects: 'never' },
      metadata: { tollgate_payment_id: PAYMENT_ID },
      description: 'Order 66',
    });
    expect(stripe.account.charges).toHaveLength(1);
  });

  it('a start with a payment method returns the same payment when it is repeated', async () => {
    const { start, stripe } = await setUp();
    expect(await start(cardPayment())).toEqual(SUCCEEDED);
    expect(await start(cardPayment())).toEqual(SUCCEEDED);
    expect(stripe.account.charges).toHaveLength(1);
  });

  it.each([
    ['pm_card_chargeDeclined', 'declined'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'card_expired'],
    ['pm_card_chargeDeclinedStolenCard', 'suspected_fraud'],
    ['pm_card_authenticationRequired', 'authentication_required'],
  ])(
    'a start with a payment method fails for %s with %s, and cancels the intent, so that it cannot charge',
    async (payment_method, code) => {
      const { start, status, stripe } = await setUp();
      const failed = { status: 'failed', reference: INTENT, failure: { code } };
      expect(await start(cardPayment({ payment_method }))).toMatchObject(failed);
      expect(stripe.account.intent(INTENT).status).toBe('canceled');
      expect(await status(cardPayment({ payment_method }), INTENT)).toMatchObject({ status: 'failed' });
      expect(stripe.account.charges).toEqual([]);
    },
  );

  it('a start with a payment method returns the page on which the payer authenticates', async () => {
    const { start, status, stripe } = await setUp();
    expect(await start(authenticating())).toEqual({
      status: 'action_required',
      reference: INTENT,
      next_action: { type: 'redirect', url: `https://hooks.stripe.com/3d_secure_2/hosted?intent=${INTENT}` },
    });
    stripe.account.finish(INTENT, 'succeeds');
    expect(await status(authenticating(), INTENT)).toEqual({ ...SUCCEEDED, ...UNCHANGED });
  });

  it('a start with a payment method fails when the payer fails to authenticate', async () => {
    const { start, status, stripe } = await setUp();
    await start(authenticating());
    stripe.account.finish(INTENT, { code: 'payment_intent_authentication_failure' });
    expect(await status(authenticating(), INTENT)).toMatchObject({
      status: 'failed',
      failure: { code: 'authentication_failed' },
    });
    expect(stripe.account.intent(INTENT).status).toBe('canceled');
  });

  it('a start with a payment method is processing until the bank reports the outcome', async () => {
    const { start, status, stripe } = await setUp();
    const payment = cardPayment({ payment_method: 'pm_usBankAccount_success' });
    expect(await start(payment)).toEqual({ status: 'processing', reference: INTENT });
    stripe.account.finish(INTENT, 'succeeds');
    expect(await status(payment, INTENT)).toEqual({ ...SUCCEEDED, ...UNCHANGED });
  });

  it.each([
    ['amount_not_accepted', { amount: 49 }],
    ['payment_method_not_accepted', { payment_method: 'pm_gone' }],
    ['currency_not_supported', { currency: 'CHF' }],
  ])('a start with a payment method rejects with %s', async (code, changes) => {
    const { start, stripe } = await setUp();
    await expect(start(cardPayment(changes))).rejects.toMatchObject({ failure: { code } });
    expect(stripe.account.intents.size).toBe(0);
  });
});

it.each([
  ['a part that was captured', { amount_received: 100 }, { amount: 100 }],
  ['another currency', { currency: 'jpy' }, { amount: 1999, currency: 'JPY' }],
])('the status of an intent that succeeded comes with %s', async (_, changes, reported) => {
  const { start, status, stripe } = await setUp();
  await start(cardPayment());
  Object.assign(stripe.account.intent(INTENT), changes);
  expect(await status(cardPayment(), INTENT)).toMatchObject({ status: 'succeeded', ...reported });
});

it('the status of an intent that succeeded comes with refunds, and with the disputes that are not won', async () => {
  const { start, status, stripe } = await setUp();
  await start(cardPayment());
  stripe.account.refund(INTENT, 500);
  for (const dispute of ['won', 'warning_needs_response', 'lost', 'needs_response'])
    stripe.account.dispute(INTENT, 100, dispute);
  expect(await status(cardPayment(), INTENT)).toEqual({
    ...SUCCEEDED,
    refunded_amount: 500,
    disputed_amount: 200,
  });
});

it('the status of an intent that succeeded lacks what a restricted key may not read', async () => {
  const { start, status, stripe } = await setUp();
  await start(cardPayment());
  stripe.account.dispute(INTENT, 100);
  stripe.faults.push({ at: /charges/, kind: 403 });
  expect(await status(cardPayment(), INTENT)).toEqual(SUCCEEDED);
  stripe.faults.push({ at: /disputes/, kind: 403 });
  expect(await status(cardPayment(), INTENT)).toEqual({ ...SUCCEEDED, refunded_amount: 0 });
  stripe.faults.push({ at: /charges/, kind: 401 });
  await expect(status(cardPayment(), INTENT)).rejects.toThrow('401');
});

it('the status of an intent that succeeded is an error when the intent is of another payment', async () => {
  const { start, status, cancel } = await setUp();
  await start(cardPayment());
  const other = cardPayment({ id: 'pay_other' });
  await expect(status(other, INTENT)).rejects.toThrow('belongs to another payment');
  await expect(cancel(other, INTENT)).rejects.toThrow('belongs to another payment');
});

describe('a start with an unknown outcome', () => {
  const kinds = [
    401,
    403,
    409,
    429,
    500,
    503,
    'garbage',
    'lost-request',
    'lost-response',
    'stored-500',
  ] as const;
  const cases = [CREATE, CONFIRM].flatMap((at) => kinds.map((kind) => [at, kind] as const));

  it.each(cases)('charges at most once when it is repeated: %s %s', async (at, kind) => {
    const { start, stripe } = await setUp();
    // The library repeats some requests once.
    stripe.faults.push({ at, kind }, { at, kind });
    const error = await start(cardPayment()).catch((caught: Error) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toMatchObject({ name: 'PaymentRejected' });
    stripe.faults.length = 0;

    const repeated = await start(cardPayment()).catch((caught: Error) => caught);
    if (kind === 'stored-500' && at === CREATE) {
      expect(repeated).toMatchObject({ failure: { code: 'processing_error' } });
      expect(stripe.account.charges).toEqual([]);
    } else {
      expect(repeated).toEqual(SUCCEEDED);
      expect(stripe.account.charges).toHaveLength(1);
    }
    expect(stripe.account.intents.size).toBe(1);
  });

  it.each(cases)(
    'a start with an unknown outcome is canceled, or reported as it is: %s %s',
    async (at, kind) => {
      const { start, cancel, stripe } = await setUp();
      stripe.faults.push({ at, kind }, { at, kind });
      await expect(start(cardPayment())).rejects.toThrow();
      stripe.faults.length = 0;

      const result = await cancel(cardPayment(), null).catch((caught: Error) => caught);
      const chargeCount = stripe.account.charges.length;
      if (chargeCount === 1) expect(result).toEqual(SUCCEEDED);
      else if (kind === 'stored-500') expect(result).toMatchObject({ failure: { code: 'processing_error' } });
      else expect(result).toEqual(CANCELED);
      await start(cardPayment()).catch(() => {});
      expect(stripe.account.charges).toHaveLength(chargeCount);
    },
  );

  it('charges once when two processes start it at the same time', async () => {
    const { start, stripe } = await setUp();
    const results = await Promise.allSettled([start(cardPayment()), start(cardPayment())]);
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await start(cardPayment())).toEqual(SUCCEEDED);
    expect(stripe.account.charges).toHaveLength(1);
  });

  it('charges nothing when its confirmation arrives after the cancellation', async () => {
    const { start, cancel, stripe } = await setUp();
    const isReceived = Promise.withResolvers<void>();
    const arrival = Promise.withResolvers<void>();
    const before = () => {
      isReceived.resolve();
      return arrival.promise;
    };
    stripe.faults.push({ at: CONFIRM, before });
    const late = start(cardPayment());
    await isReceived.promise;

    expect(await cancel(cardPayment(), null)).toEqual(CANCELED);
    arrival.resolve();

    expect(await late).toEqual(CANCELED);
    expect(stripe.account.charges).toEqual([]);
  });

  it('a start with an unknown outcome is not confirmed by a request for its status', async () => {
    const { start, status, stripe } = await setUp();
    stripe.faults.push({ at: CONFIRM, kind: 503 });
    await expect(start(cardPayment())).rejects.toThrow('503');

    await expect(status(cardPayment(), null)).rejects.toThrow('has not started the payment intent');

    expect(stripe.account.charges).toEqual([]);
    expect(await start(cardPayment())).toEqual(SUCCEEDED);
  });

  it('a start with an unknown outcome is found by its metadata after Stripe has forgotten the idempotency keys', async () => {
    const { start, stripe, clock, lines } = await setUp();
    stripe.faults.push({ at: CONFIRM, kind: 'lost-response' }, { at: CONFIRM, kind: 'lost-response' });
    await expect(start(cardPayment())).rejects.toThrow(
      "Stripe's response is unknown: An error occurred with our connection to Stripe. Request was retried 1 times. (ECONNRESET)",
    );
    clock.advance(25 * HOUR_MS);

    expect(await start(cardPayment())).toEqual(SUCCEEDED);

    expect(stripe.account.charges).toHaveLength(1);
    expect(stripe.account.intents.size).toBe(1);
    expect(lines().at(-2)).toContain('GET /v1/payment_intents/search?query=metadata');
  });

  it.each([22, 23.5, 24.5])('charges once when it is repeated after %d hours', async (hours) => {
    const { start, stripe, clock } = await setUp();
    stripe.faults.push({ at: CREATE, kind: 'garbage' });
    await expect(start(cardPayment())).rejects.toThrow();
    clock.advance(hours * HOUR_MS);
    expect(await start(cardPayment())).toEqual(SUCCEEDED);
    expect(await start(cardPayment())).toEqual(SUCCEEDED);
    expect(stripe.account.charges).toHaveLength(1);
    expect(stripe.account.intents.size).toBe(1);
  });

  it('a start with an unknown outcome rejects the payment, and cancels its intent, when Stripe has stored that the confirmation failed', async () => {
    const { start, stripe } = await setUp();
    const payment = cardPayment({ payment_method: 'pm_card_visa' });
    stripe.faults.push({ at: CONFIRM, kind: 'stored-500' });
    await expect(start(payment)).rejects.toThrow('500');
    stripe.account.charges.length = 0;
    stripe.account.intent(INTENT).status = 'requires_confirmation';
    await expect(start(payment)).rejects.toMatchObject({ failure: { code: 'processing_error' } });
    expect(stripe.account.intent(INTENT).status).toBe('canceled');
    expect(stripe.account.charges).toEqual([]);
  });
});

it('cancel of an intent cancels an intent that waits for the payer, also repeatedly', async () => {
  const { start, cancel } = await setUp();
  await start(authenticating());
  expect(await cancel(authenticating(), INTENT)).toEqual(CANCELED);
  expect(await cancel(authenticating(), INTENT)).toEqual(CANCELED);
});

it('cancel of an intent cancels a payment that never reached Stripe, and prevents a later start', async () => {
  const { start, cancel, stripe } = await setUp();
  expect(await cancel(cardPayment(), null)).toEqual(CANCELED);
  expect(await start(cardPayment())).toEqual(CANCELED);
  expect(stripe.account.charges).toEqual([]);
});

it('cancel of an intent reports the actual state when the payer completes the payment at that moment', async () => {
  const { start, cancel, stripe } = await setUp();
  await start(authenticating());
  stripe.faults.push({ at: /cancel$/, before: () => stripe.account.finish(INTENT, 'succeeds') });
  expect(await cancel(authenticating(), INTENT)).toEqual(SUCCEEDED);
});

it('cancel of an intent reports a payment that the bank is processing', async () => {
  const { start, cancel } = await setUp();
  const payment = cardPayment({ payment_method: 'pm_usBankAccount_success' });
  await start(payment);
  expect(await cancel(payment, INTENT)).toEqual({ status: 'processing', reference: INTENT });
});

it('cancel of an intent throws while Stripe does not respond', async () => {
  const { start, cancel, stripe } = await setUp();
  await start(authenticating());
  stripe.faults.push({ at: /cancel$/, kind: 429 });
  await expect(cancel(authenticating(), INTENT)).rejects.toThrow('Stripe responded with 429');
});

it('the adapter sends nothing more after the deadline of the call', async () => {
  const { adapter, stripe, clock, lines } = await setUp();
  const deadline = new AbortController();
  stripe.faults.push({ at: CREATE, before: () => deadline.abort() });
  const attempt = { firstStartedAt: new Date(clock.now()), signal: deadline.signal };
  await expect(adapter.start(cardPayment(), attempt)).rejects.toThrow('aborted');
  expect(lines()).toEqual(['POST /v1/payment_intents']);
});

it('the adapter throws errors without the data of the payer and the client secret', async () => {
  const { start, stripe } = await setUp();
  stripe.faults.push({ at: CONFIRM, kind: 401 });
  const error = await start(cardPayment()).catch((caught: Error) => caught as Error & { cause?: unknown });
  expect(Object.entries(error)).toEqual([
    ['status', 401],
    ['type', 'invalid_request_error'],
    ['code', null],
    ['param', null],
    ['isReplayed', false],
    ['name', 'StripeFailure'],
  ]);
  expect((error as Error).cause).toBeUndefined();
  expect((error as Error).message).toBe('Stripe responded with 401 (invalid_request_error, req_2)');
});

import { HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { describe, expect, it } from 'vitest';
import { parseForm } from './double/form.ts';
import { checkoutPayment, PAYMENT_ID, setUp } from './support.ts';

const SESSION = 'cs_test_0000000001';
const SUCCEEDED = { status: 'succeeded', reference: SESSION, amount: 1999, currency: 'EUR' };
const UNCHANGED = { refunded_amount: 0, disputed_amount: 0 };
const OPEN = {
  status: 'action_required',
  reference: SESSION,
  next_action: { type: 'redirect', url: `https://checkout.stripe.com/c/pay/${SESSION}` },
};

describe('start without a payment method', () => {
  it('a start without a payment method creates a Checkout Session with the payment id, and returns its page', async () => {
    const { start, stripe } = await setUp();

    expect(await start(checkoutPayment())).toEqual(OPEN);

    const [request] = stripe.requests;
    expect(request?.line).toBe('POST /v1/checkout/sessions');
    expect(request?.headers).toMatchObject({
      'idempotency-key': PAYMENT_ID,
      'stripe-version': '2026-10-28.endive',
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(request?.headers).not.toHaveProperty('x-stripe-client-telemetry');
    expect(parseForm(request?.body ?? '')).toEqual({
      mode: 'payment',
      client_reference_id: PAYMENT_ID,
      success_url: 'https://shop.example/return',
      cancel_url: 'https://shop.example/return',
      line_items: {
        0: {
          quantity: '1',
          price_data: { currency: 'eur', unit_amount: '1999', product_data: { name: 'Order 66' } },
        },
      },
      metadata: { tollgate_payment_id: PAYMENT_ID },
      payment_intent_data: { metadata: { tollgate_payment_id: PAYMENT_ID }, description: 'Order 66' },
      expires_at: String(Date.parse('2026-01-01T01:35:00.000Z') / 1000),
    });
  });

  it('a start without a payment method requires a return URL', async () => {
    const { start, lines } = await setUp();
    await expect(start(checkoutPayment({ return_url: null }))).rejects.toMatchObject({
      failure: { code: 'return_url_required' },
    });
    expect(lines()).toEqual([]);
  });

  it('a start without a payment method lets Stripe expire the session of a long payment after its default of 24 hours', async () => {
    const { start, stripe } = await setUp();
    await start(checkoutPayment({ expires_at: '2026-01-08T00:00:00.000Z' }));
    expect(stripe.requests[0]?.body).not.toContain('expires_at');
  });

  it('a start without a payment method creates a session until the payment expires, and rejects the payment afterwards', async () => {
    const { start, clock, stripe } = await setUp();
    clock.advance(HOUR_MS + 6 * MINUTE_MS);
    await expect(start(checkoutPayment())).rejects.toMatchObject({ failure: { code: 'payment_expired' } });
    clock.advance(-6 * MINUTE_MS);
    expect(await start(checkoutPayment())).toMatchObject({ status: 'action_required' });
    expect(stripe.account.sessions.size).toBe(1);
  });

  it('a start without a payment method sends the metadata that Stripe accepts, and leaves out the rest', async () => {
    const { start, stripe } = await setUp();
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`key${String(n).padStart(2, '0')}`, 'x']),
    );
    const metadata = {
      ...many,
      'key[a]': 'x',
      empty: '',
      ['k'.repeat(41)]: 'x',
      long: 'x'.repeat(501),
      tollgate_payment_id: 'forged',
    };
    await start(checkoutPayment({ metadata }));
    const [session] = stripe.account.sessions.values();
    const sent = session?.metadata ?? {};
    expect(Object.keys(sent)).toHaveLength(50);
    expect(sent).toMatchObject({ key00: 'x', key48: 'x', tollgate_payment_id: PAYMENT_ID });
    expect(sent).not.toHaveProperty('key49');
  });

  it.each([
    ['amount_not_accepted', { amount: 10 }],
    ['amount_not_accepted', { amount: 100_000_000 }],
    ['amount_not_accepted', { amount: 1_001, currency: 'KWD' }],
    ['currency_not_supported', { currency: 'CHF' }],
    ['return_url_not_accepted', { return_url: 'https://' }],
    ['payment_method_not_accepted', { payment_method: 'tok_visa' }],
    ['payment_method_not_accepted', { payment_method: 'pm_unknown' }],
  ])(
    'a start without a payment method rejects with %s what Stripe never accepts: %o',
    async (code, changes) => {
      const { start, stripe } = await setUp();
      await expect(start(checkoutPayment(changes))).rejects.toMatchObject({
        name: 'PaymentRejected',
        failure: { code },
      });
      expect(stripe.account.charges).toEqual([]);
    },
  );

  it.each([401, 403, 429, 500, 503, 'garbage', 'lost-request', 'lost-response'] as const)(
    'a start without a payment method throws on %s, and returns the state of one session when it is repeated',
    async (kind) => {
      const { start, stripe } = await setUp();
      // The library repeats a request that got no response.
      stripe.faults.push({ at: /^POST/, kind }, { at: /^POST/, kind });
      const error = await start(checkoutPayment()).catch((caught: Error) => caught);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toMatchObject({ name: 'PaymentRejected' });
      stripe.faults.length = 0;

      expect(await start(checkoutPayment())).toEqual(OPEN);
      expect(stripe.account.sessions.size).toBe(1);
    },
  );

  it('a start without a payment method rejects a payment whose creation Stripe has stored as an internal error', async () => {
    const { start, stripe } = await setUp();
    stripe.faults.push({ at: /^POST/, kind: 'stored-500' });
    await expect(start(checkoutPayment())).rejects.toThrow('Stripe responded with 500');
    await expect(start(checkoutPayment())).rejects.toMatchObject({ failure: { code: 'processing_error' } });
    expect(stripe.account.charges).toEqual([]);
  });
});

it('status of a Checkout Session stays action_required after a declined attempt, because the payer can retry', async () => {
  const { start, status, stripe } = await setUp();
  await start(checkoutPayment());
  stripe.account.pay(SESSION, 'declined');
  expect(await status(checkoutPayment(), SESSION)).toEqual(OPEN);
  stripe.account.pay(SESSION);
  expect(await status(checkoutPayment(), SESSION)).toEqual({ ...SUCCEEDED, ...UNCHANGED });
  expect(stripe.account.charges).toEqual([{ paymentId: PAYMENT_ID, amount: 1999, currency: 'eur' }]);
});

it('status of a Checkout Session succeeds with the money that its intent has received', async () => {
  const { start, status, stripe } = await setUp();
  await start(checkoutPayment());
  stripe.account.pay(SESSION);
  for (const intent of stripe.account.intents.values()) intent.amount_received = 100;
  expect(await status(checkoutPayment(), SESSION)).toMatchObject({ ...SUCCEEDED, amount: 100 });
});

it.each([
  ['succeeded', 'succeeds' as const],
  ['failed', { code: 'account_closed' }],
])(
  'status of a Checkout Session is processing until the bank reports the outcome: %s',
  async (expected, outcome) => {
    const { start, status, stripe } = await setUp();
    await start(checkoutPayment());
    stripe.account.pay(SESSION, 'later');
    expect(await status(checkoutPayment(), SESSION)).toEqual({ status: 'processing', reference: SESSION });
    const [intent] = stripe.account.intents.keys();
    stripe.account.finish(intent as string, outcome);
    const state = await status(checkoutPayment(), SESSION);
    expect(state).toMatchObject({ status: expected, reference: SESSION });
    if (expected === 'failed') expect(state.failure?.code).toBe('invalid_account');
  },
);

it('status of a Checkout Session returns the page of a voucher that the payer must pay', async () => {
  const { start, status, stripe } = await setUp();
  await start(checkoutPayment());
  stripe.account.pay(SESSION, 'voucher');
  expect(await status(checkoutPayment(), SESSION)).toMatchObject({
    status: 'action_required',
    next_action: { url: 'https://payments.stripe.com/multibanco/voucher/test' },
  });
});

it('status of a Checkout Session is canceled when the session has expired', async () => {
  const { start, status, clock } = await setUp();
  await start(checkoutPayment());
  clock.advance(2 * HOUR_MS);
  expect(await status(checkoutPayment(), SESSION)).toEqual({ status: 'canceled', reference: SESSION });
});

it('status of a Checkout Session can be asked about again after the payment ended, with what the adapter has kept', async () => {
  const { start, status, stripe } = await setUp();
  await start(checkoutPayment());
  stripe.account.pay(SESSION);
  const kept = checkoutPayment({ purpose: null, return_url: null });
  expect(await status(kept, SESSION)).toEqual({ ...SUCCEEDED, ...UNCHANGED });
  const [intent] = stripe.account.intents.keys();
  stripe.account.refund(intent as string, 1999);
  expect(await status(kept, SESSION)).toEqual({ ...SUCCEEDED, ...UNCHANGED, refunded_amount: 1999 });
});

it('status of a Checkout Session returns the page of the session when the outcome of its start is unknown', async () => {
  const { start, status, stripe } = await setUp();
  stripe.faults.push({ at: /^POST/, kind: 'garbage' });
  await expect(start(checkoutPayment())).rejects.toThrow('belongs to another payment');
  expect(await status(checkoutPayment(), null)).toEqual(OPEN);
  expect(stripe.account.sessions.size).toBe(1);
});

it('status of a Checkout Session throws when Stripe reports a session of another payment', async () => {
  const { start, status } = await setUp();
  await start(checkoutPayment());
  await expect(status(checkoutPayment({ id: 'pay_other' }), SESSION)).rejects.toThrow(
    'belongs to another payment',
  );
});

it('cancel of a Checkout Session expires the session, also repeatedly', async () => {
  const { start, cancel, stripe } = await setUp();
  await start(checkoutPayment());
  const canceled = { status: 'canceled', reference: SESSION };
  expect(await cancel(checkoutPayment(), SESSION)).toEqual(canceled);
  expect(await cancel(checkoutPayment(), SESSION)).toEqual(canceled);
  expect(() => stripe.account.pay(SESSION)).toThrow('the session is over');
});

it.each([
  ['succeeded', 'succeeds' as const],
  ['processing', 'later' as const],
])('cancel of a Checkout Session reports %s when the payer pays at that moment', async (expected, how) => {
  const { start, cancel, stripe } = await setUp();
  await start(checkoutPayment());
  stripe.faults.push({ at: /expire$/, before: () => stripe.account.pay(SESSION, how) });
  expect(await cancel(checkoutPayment(), SESSION)).toMatchObject({ status: expected, reference: SESSION });
});

it('cancel of a Checkout Session reports the intent that succeeded although the session expired', async () => {
  const { start, cancel, stripe } = await setUp();
  await start(checkoutPayment());
  stripe.account.pay(SESSION, 'declined');
  const [intent] = stripe.account.intents.keys();
  const beforeRead = () => stripe.account.finish(intent as string, 'succeeds');
  stripe.faults.push({ at: /^GET/, before: beforeRead });
  expect(await cancel(checkoutPayment(), SESSION)).toEqual(SUCCEEDED);
});

it('cancel of a Checkout Session resolves a start with an unknown outcome', async () => {
  const { start, cancel, stripe } = await setUp();
  stripe.faults.push({ at: /^POST/, kind: 'lost-response' }, { at: /^POST/, kind: 'lost-response' });
  await expect(start(checkoutPayment())).rejects.toThrow(
    "Stripe's response is unknown: An error occurred with our connection to Stripe. Request was retried 1 times. (ECONNRESET)",
  );
  expect(await cancel(checkoutPayment(), null)).toMatchObject({ status: 'canceled' });
  expect([...stripe.account.sessions.values()]).toMatchObject([{ status: 'expired' }]);
});

it('cancel of a Checkout Session throws while Stripe does not respond', async () => {
  const { start, cancel, stripe } = await setUp();
  await start(checkoutPayment());
  stripe.faults.push({ at: /expire$/, kind: 500 });
  await expect(cancel(checkoutPayment(), SESSION)).rejects.toThrow('Stripe responded with 500');
});

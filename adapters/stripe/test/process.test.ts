import { HOUR_MS } from '@tollgate/contracts/durations';
import { verify } from '@tollgate/processor-adapter/contract/signature';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { describe, expect, it } from 'vitest';
import { MAIN, SESSION, startAdapterProcess as setUp } from './adapter-process.ts';
import * as support from './support.ts';

const { PAYMENT_ID } = support;
const times = () => ({
  created_at: new Date().toISOString(),
  expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
});
const checkoutPayment = (changes = {}) => support.checkoutPayment({ ...times(), ...changes });

describe('the adapter as a process', () => {
  it('takes a payment from its start to a callback that the payer has paid', async () => {
    const { tollgate, stripe, sendWebhook, receiver, secrets } = await setUp();

    const started = await tollgate.start(checkoutPayment());
    expect(started.status).toBe(200);
    expect(started.body).toMatchObject({ status: 'action_required', reference: SESSION });
    stripe.account.pay(SESSION);
    expect(await sendWebhook('checkout.session.completed')).toBe(200);

    await expect.poll(() => receiver.received).toHaveLength(1);
    const [callback] = receiver.received;
    expect(callback?.body).toEqual({ payment_id: PAYMENT_ID, status: 'succeeded', reference: SESSION });
    verify(secrets, { headers: callback?.headers ?? {}, body: callback?.text ?? '' }, Date.now());
    expect((await tollgate.status(PAYMENT_ID)).body).toMatchObject({ status: 'succeeded' });
    expect(stripe.account.charges).toHaveLength(1);
  });

  it('reports a change once, also for duplicate, late, and unknown webhooks', async () => {
    const { tollgate, stripe, sendWebhook, receiver } = await setUp();
    await tollgate.start(checkoutPayment());
    stripe.account.pay(SESSION);

    const types = ['checkout.session.completed', 'payment_intent.succeeded', 'checkout.session.completed'];
    expect(await Promise.all(types.map((type) => sendWebhook(type)))).toEqual([200, 200, 200]);
    expect(await sendWebhook('checkout.session.expired')).toBe(200);
    expect(await sendWebhook('payment_intent.succeeded', { object: 'payment_intent', metadata: {} })).toBe(
      200,
    );

    await expect.poll(() => receiver.received).toHaveLength(1);
    expect((await tollgate.status(PAYMENT_ID)).body).toMatchObject({ status: 'succeeded' });
  });

  it('has a webhook repeated while Stripe does not respond', async () => {
    const { tollgate, stripe, sendWebhook, receiver } = await setUp();
    await tollgate.start(checkoutPayment());
    stripe.account.pay(SESSION);
    stripe.faults.push({ at: /^GET/, kind: 500 });

    expect(await sendWebhook('checkout.session.completed')).toBe(502);
    expect(receiver.received).toEqual([]);
    expect(await sendWebhook('checkout.session.completed')).toBe(200);

    await expect.poll(() => receiver.received).toHaveLength(1);
  });

  it('rejects a forged webhook', async () => {
    const { stripe, webhooksUrl } = await setUp();
    const { headers } = stripe.webhook('checkout.session.completed', {});
    const response = await fetch(`${webhooksUrl()}/webhooks`, { method: 'POST', body: '{}', headers });
    expect(response.status).toBe(401);
  });

  it.each([
    ['creates the intent', /payment_intents$/],
    ['confirms it', /confirm$/],
  ])('charges once when it is killed while Stripe %s', async (_, at) => {
    const { tollgate, stripe, adapter, restart } = await setUp();
    const payment = checkoutPayment({ payment_method: 'pm_card_visa' });
    const received = Promise.withResolvers<void>();
    const isKilled = Promise.withResolvers<void>();
    const before = () => {
      received.resolve();
      return isKilled.promise;
    };
    stripe.faults.push({ at, before });
    const interrupted = tollgate.start(payment).catch((error: Error) => error);
    await received.promise;
    await adapter().end('SIGKILL');
    expect(await interrupted).toBeInstanceOf(Error);
    isKilled.resolve();
    await restart();

    expect((await tollgate.start(payment)).body).toMatchObject({ status: 'succeeded' });
    expect((await tollgate.start(payment)).body).toMatchObject({ status: 'succeeded' });
    expect(stripe.account.charges).toHaveLength(1);
    expect(stripe.account.intents.size).toBe(1);
  });

  it('responds with 422 to what Stripe does not accept, and to nothing else', async () => {
    const { tollgate, stripe } = await setUp();
    const payment = checkoutPayment({ amount: 1 });
    stripe.faults.push({ at: /^POST/, kind: 429 });
    expect((await tollgate.start(payment)).status).toBe(502);

    const rejected = await tollgate.start(payment);

    expect(rejected.status).toBe(422);
    expect(rejected.body).toMatchObject({ failure: { code: 'amount_not_accepted' } });
  });

  it('cancels a payment whose start has an unknown outcome', async () => {
    const { tollgate, stripe } = await setUp();
    const payment = checkoutPayment({ payment_method: 'pm_card_visa' });
    stripe.faults.push({ at: /confirm$/, kind: 503 });
    expect((await tollgate.start(payment)).status).toBe(502);

    expect((await tollgate.cancel(PAYMENT_ID)).body).toMatchObject({ status: 'canceled' });
    expect((await tollgate.start(payment)).body).toMatchObject({ status: 'canceled' });
    expect(stripe.account.charges).toEqual([]);
  });

  it('logs neither keys, nor secrets, nor client secrets', async () => {
    const { tollgate, stripe, adapter, secret } = await setUp();
    const payment = checkoutPayment({ payment_method: 'pm_card_visa' });
    for (const kind of [401, 'garbage', 'lost-request', 429] as const) {
      stripe.faults.push({ at: /^POST/, kind }, { at: /^POST/, kind });
      expect((await tollgate.start(payment)).status).toBe(502);
      stripe.faults.length = 0;
    }

    const output = adapter().output();
    expect(output).toContain('its outcome is unknown');
    const secrets = [stripe.secretKey, stripe.webhookSecret, secret, 'tops3cret', 'p7dc'];
    for (const value of secrets) expect(output).not.toContain(value);
  });
});

it('names every missing variable, and does not start', async () => {
  const adapter = startProcessUnderTest(MAIN, { STRIPE_SECRET_KEY: 'pk_test_4eC39HqLyjWD' });

  const [code] = await adapter.exited;

  expect(code).not.toBe(0);
  for (const problem of [
    'STRIPE_SECRET_KEY must',
    'STRIPE_WEBHOOK_SECRET is missing',
    'TOLLGATE_SECRETS is missing',
  ]) {
    expect(adapter.output()).toContain(problem);
  }
  expect(adapter.output()).not.toContain('pk_test_4eC39HqLyjWD');
});

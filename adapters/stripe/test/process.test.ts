import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { verify } from '@tollgate/processor-adapter/contract/signature';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, startAdapterProcess } from './adapter-process.ts';
import * as support from './support.ts';

/** A payment of its own for each test. */
const checkoutPayment = (changes = {}) =>
  support.checkoutPayment({
    id: newId('payment'),
    created_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
    ...changes,
  });
const cardPayment = () => checkoutPayment({ payment_method: 'pm_card_visa' });

describe('the adapter as a process', () => {
  let context: Awaited<ReturnType<typeof startAdapterProcess>>;
  beforeAll(async () => {
    context = await startAdapterProcess();
  });
  afterAll(() => context.stop());

  const callbacksAbout = (id: string) =>
    context.receiver.received.filter(({ body }) => body['payment_id'] === id);
  const chargesOf = (id: string) =>
    context.stripe.account.charges.filter(({ paymentId }) => paymentId === id);

  /** A payment on whose page the payer has paid. */
  async function aPaidPayment() {
    const payment = checkoutPayment();
    const started = await context.tollgate.start(payment);
    const session = String(started.body['reference']);
    context.stripe.account.pay(session);
    return { id: payment.id, started, session: context.stripe.account.session(session) };
  }

  it('the adapter as a process takes a payment from its start to a callback that the payer has paid', async () => {
    const { tollgate, sendWebhook, secrets } = context;

    const { id, started, session } = await aPaidPayment();
    expect(started.status).toBe(200);
    expect(started.body).toMatchObject({ status: 'action_required', reference: session.id });
    expect(await sendWebhook('checkout.session.completed', session)).toBe(200);

    await expect.poll(() => callbacksAbout(id)).toHaveLength(1);
    const [callback] = callbacksAbout(id);
    expect(callback?.body).toEqual({
      payment_id: id,
      status: 'succeeded',
      reference: session.id,
      amount: 1999,
      currency: 'EUR',
      refunded_amount: 0,
      disputed_amount: 0,
    });
    verify(secrets, { headers: callback?.headers ?? {}, body: callback?.text ?? '' }, Date.now());
    expect((await tollgate.status(id)).body).toMatchObject({ status: 'succeeded' });
    expect(chargesOf(id)).toHaveLength(1);
  });

  it('the adapter as a process reports a change once, also for duplicate, late, and unknown webhooks', async () => {
    const { tollgate, sendWebhook } = context;
    const { id, session } = await aPaidPayment();

    const types = ['checkout.session.completed', 'payment_intent.succeeded', 'checkout.session.completed'];
    expect(await Promise.all(types.map((type) => sendWebhook(type, session)))).toEqual([200, 200, 200]);
    expect(await sendWebhook('checkout.session.expired', session)).toBe(200);
    expect(await sendWebhook('payment_intent.succeeded', { object: 'payment_intent', metadata: {} })).toBe(
      200,
    );

    await expect.poll(() => callbacksAbout(id)).toHaveLength(1);
    expect((await tollgate.status(id)).body).toMatchObject({ status: 'succeeded' });
  });

  it('the adapter as a process has a webhook repeated while Stripe does not respond', async () => {
    const { stripe, sendWebhook } = context;
    const { id, session } = await aPaidPayment();
    stripe.faults.push({ at: /^GET/, kind: 500 });

    expect(await sendWebhook('checkout.session.completed', session)).toBe(502);
    expect(callbacksAbout(id)).toEqual([]);
    expect(await sendWebhook('checkout.session.completed', session)).toBe(200);

    await expect.poll(() => callbacksAbout(id)).toHaveLength(1);
  });

  it('the adapter as a process rejects a forged webhook', async () => {
    const { stripe, webhooksUrl } = context;
    const { headers } = stripe.webhook('checkout.session.completed', {});
    const response = await fetch(`${webhooksUrl()}/webhooks`, { method: 'POST', body: '{}', headers });
    expect(response.status).toBe(401);
  });

  it('the adapter as a process responds with 422 to what Stripe does not accept, and to nothing else', async () => {
    const { tollgate, stripe } = context;
    const payment = checkoutPayment({ amount: 1 });
    stripe.faults.push({ at: /^POST/, kind: 429 });
    expect((await tollgate.start(payment)).status).toBe(502);

    const rejected = await tollgate.start(payment);

    expect(rejected.status).toBe(422);
    expect(rejected.body).toMatchObject({ failure: { code: 'amount_not_accepted' } });
  });

  it('the adapter as a process cancels a payment whose start has an unknown outcome', async () => {
    const { tollgate, stripe } = context;
    const payment = cardPayment();
    stripe.faults.push({ at: /confirm$/, kind: 503 });
    expect((await tollgate.start(payment)).status).toBe(502);

    expect((await tollgate.cancel(payment.id)).body).toMatchObject({ status: 'canceled' });
    expect((await tollgate.start(payment)).body).toMatchObject({ status: 'canceled' });
    expect(chargesOf(payment.id)).toEqual([]);
  });

  it('the adapter as a process logs neither keys, nor secrets, nor client secrets', async () => {
    const { tollgate, stripe, adapter, secret } = context;
    const payment = cardPayment();
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

  it('charges each payment once when it is killed while Stripe creates the intent of one and confirms that of another', async () => {
    const { tollgate, stripe, adapter, restart } = context;
    const isKilled = Promise.withResolvers<void>();
    const interrupted: { payment: ReturnType<typeof cardPayment>; start: Promise<unknown> }[] = [];
    for (const at of [/payment_intents$/, /confirm$/]) {
      const received = Promise.withResolvers<void>();
      const before = () => {
        received.resolve();
        return isKilled.promise;
      };
      stripe.faults.push({ at, before });
      const payment = cardPayment();
      interrupted.push({ payment, start: tollgate.start(payment).catch((error: Error) => error) });
      await received.promise;
    }
    await adapter().end('SIGKILL');
    for (const { start } of interrupted) expect(await start).toBeInstanceOf(Error);
    isKilled.resolve();
    await restart();

    for (const { payment } of interrupted) {
      expect((await tollgate.start(payment)).body).toMatchObject({ status: 'succeeded' });
      expect((await tollgate.start(payment)).body).toMatchObject({ status: 'succeeded' });
      expect(chargesOf(payment.id)).toHaveLength(1);
      const intents = [...stripe.account.intents.values()];
      expect(intents.filter(({ metadata }) => metadata['tollgate_payment_id'] === payment.id)).toHaveLength(
        1,
      );
    }
  });
});

it('the adapter names every missing variable, and does not start', async () => {
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

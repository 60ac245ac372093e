import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { InvalidWebhook } from '@tollgate/processor-adapter/adapter';
import { expect, it } from 'vitest';
import { cardPayment, checkoutPayment, PAYMENT_ID, setUp } from './support.ts';

const CALL = { signal: new AbortController().signal };
const OURS = { object: 'payment_intent', metadata: { tollgate_payment_id: PAYMENT_ID } };

async function setUpWebhooks() {
  const { adapter, stripe, clock } = await setUp();
  const verify = ({ body, headers }: ReturnType<typeof stripe.webhook>) =>
    adapter.verifyCallback({ headers, url: '/webhooks', body: Buffer.from(body) });
  return {
    stripe,
    clock,
    verify,
    read: async (type: string, object: object, changes = {}) =>
      adapter.readCallback(await verify(stripe.webhook(type, object, changes)), CALL),
  };
}

it.each([
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'a.later.type',
])('webhooks names the payment of %s', async (type) => {
  const { read } = await setUpWebhooks();
  const object = type.startsWith('checkout') ? { ...OURS, object: 'checkout.session' } : OURS;
  expect(await read(type, object)).toEqual({ paymentId: PAYMENT_ID });
});

it('webhooks names the payment of the objects that the adapter has created', async () => {
  const { adapter, stripe, start } = await setUp();
  await start(checkoutPayment());
  const [session] = stripe.account.sessions.values();
  stripe.account.pay(session?.id as string);
  const [intent] = stripe.account.intents.values();
  for (const object of [session, intent]) {
    const { body, headers } = stripe.webhook('any', object as object);
    const event = await adapter.verifyCallback({ headers, url: '/webhooks', body: Buffer.from(body) });
    expect(adapter.readCallback(event, CALL)).toEqual({ paymentId: PAYMENT_ID });
  }
});

it('webhooks names the payment of refunds and disputes', async () => {
  const { adapter, stripe, start } = await setUp();
  await start(cardPayment());
  const [intent] = stripe.account.intents.keys();
  const objects = [stripe.account.refund(intent as string, 1), stripe.account.dispute(intent as string, 1)];
  for (const object of objects) {
    const { body, headers } = stripe.webhook('any', object);
    const event = await adapter.verifyCallback({ headers, url: '/webhooks', body: Buffer.from(body) });
    expect(await adapter.readCallback(event, CALL)).toEqual({ paymentId: PAYMENT_ID });
  }
});

it.each([
  ['of another system', { object: 'payment_intent', metadata: {} }, {}],
  ['without metadata', { object: 'checkout.session', metadata: null }, {}],
  ['about a refund without an intent', { object: 'refund', payment_intent: null }, {}],
  ['about something else', { object: 'charge', metadata: OURS.metadata }, {}],
  ['of the other environment', OURS, { livemode: true }],
])('webhooks ignores an event %s', async (_, object, changes) => {
  const { read } = await setUpWebhooks();
  expect(await read('payment_intent.succeeded', object, changes)).toBeNull();
});

it('webhooks rejects a changed body, another secret, an old signature, and none', async () => {
  const { stripe, verify, clock } = await setUpWebhooks();
  const genuine = stripe.webhook('payment_intent.succeeded', OURS);
  expect(await verify(genuine)).toMatchObject({ type: 'payment_intent.succeeded' });
  const forged = [
    { ...genuine, body: genuine.body.replace('payment_intent.succeeded', 'payment_intent.canceled') },
    stripe.webhook('payment_intent.succeeded', OURS, {}, 'whsec_unknownSecret0'),
    { ...genuine, headers: { 'stripe-signature': '' } },
    { ...genuine, headers: {} as typeof genuine.headers },
  ];
  for (const webhook of forged) expect(() => verify(webhook)).toThrow(InvalidWebhook);
  clock.advance(301 * SECOND_MS);
  expect(() => verify(genuine)).toThrow(InvalidWebhook);
});

it('webhooks accepts every configured secret', async () => {
  const { stripe, verify } = await setUpWebhooks();
  const webhook = stripe.webhook('payment_intent.succeeded', OURS, {}, 'whsec_anotherSecret00');
  expect(await verify(webhook)).toMatchObject({ type: 'payment_intent.succeeded' });
});

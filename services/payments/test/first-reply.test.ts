import type { Payment } from '@tollgate/contracts/payments/payment';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { aLivePrincipal, startWithAdapter } from './adapter-under-test.ts';
import { aPrincipal, type PaymentsUnderTest, START_TIMEOUT_MS } from './payments-under-test.ts';
import type { ScriptedAdapter } from './scripted-adapter.ts';
import { settleDue } from './settle-due.ts';

/** How long a call of an adapter that hangs occupies its slot. */
const DEADLINE_MS = 1_500;

const principal = aLivePrincipal();

let context: Awaited<ReturnType<typeof startWithAdapter>>;
let adapter: ScriptedAdapter;
let payments: PaymentsUnderTest;
beforeAll(async () => {
  context = await startWithAdapter({ deadlineMs: DEADLINE_MS });
  ({ adapter, payments } = context);
}, START_TIMEOUT_MS);
afterAll(() => context.stop());
beforeEach(() => {
  adapter.fail(() => 'none');
  adapter.delayBy(async () => {});
});

interface Creation {
  prefer?: string;
  key?: string;
  body?: object;
  by?: typeof principal;
}

async function create({ prefer = 'wait=10', key, body, by = principal }: Creation = {}): Promise<Payment> {
  const response = await payments.send(by, {
    method: 'POST',
    path: '/v1/payments',
    body: { amount: 1_000, currency: 'EUR', ...body },
    headers: { prefer },
    ...(key !== undefined && { key }),
  });
  expect(response.statusCode).toBe(201);
  return response.json<Payment>();
}

test('a creation returns the page for the payer, after one call of the processor', async () => {
  const payment = await create({ prefer: '' });
  expect(payment).toMatchObject({
    status: 'pending',
    version: 2,
    waiting_for: 'payer',
    next_action: { type: 'redirect', url: `https://pay.example/${payment.id}` },
  });
  await settleDue(payments.app);
  expect(adapter.callsOf(payment.id)).toEqual(['start']);
  expect(await payments.read(principal, payment.id)).toEqual(payment);
});

test('a creation returns the outcome of a payment that is charged at once', async () => {
  const payment = await create({ body: { payment_method: 'tok_1' } });
  expect(payment).toMatchObject({ status: 'succeeded', waiting_for: null });
});

test('a creation returns the page of a sandbox payment, and waits for no outcome that comes later', async () => {
  const by = aPrincipal();
  const redirected = await create({ by, body: { payment_method: 'pm_redirect' } });
  expect(redirected).toMatchObject({ waiting_for: 'payer', next_action: { type: 'redirect' } });
  const later = await create({ by, body: { payment_method: 'pm_succeed' } });
  expect(later).toMatchObject({ version: 1, waiting_for: 'processor' });
});

test('a creation says that no action follows when a member settles the payment', async () => {
  const held = await create({ by: aPrincipal(), body: { payment_method: 'pm_hold' } });
  expect(held).toMatchObject({ status: 'pending', waiting_for: 'member' });
});

test.each(['wait=0', 'respond-async, wait="0"'])(
  'a creation with "Prefer: %s" asks no processor',
  async (prefer) => {
    const payment = await create({ prefer });
    expect(payment).toMatchObject({ version: 1, next_action: null, waiting_for: 'processor' });
    expect(adapter.callsOf(payment.id)).toEqual([]);
  },
);

test('a creation is returned without a reply when its processor fails, and a worker asks', async () => {
  adapter.fail(() => 'error');
  const payment = await create({ prefer: 'wait=1' });
  expect(payment).toMatchObject({ version: 1, waiting_for: 'processor' });
  adapter.fail(() => 'none');
  await payments.settleAfter(60_000);
  expect(await payments.read(principal, payment.id)).toMatchObject({ waiting_for: 'payer' });
});

test('a repetition of a creation waits for the call that the first request has begun, and returns the same', async () => {
  const { promise: mayReply, resolve: reply } = Promise.withResolvers<void>();
  adapter.delayBy(() => mayReply);
  onTestFinished(() => reply());
  const first = create({ key: 'k1' });
  await expect.poll(() => adapter.calls.length).toBeGreaterThan(0);
  const second = create({ key: 'k1' });
  reply();
  const [one, other] = await Promise.all([first, second]);
  expect(one).toMatchObject({ waiting_for: 'payer' });
  expect(other).toEqual(one);
  expect(adapter.callsOf(one.id)).toEqual(['start']);
});

test('a repetition of a creation returns the first reply, whatever happened since', async () => {
  const first = await create({ key: 'k2' });
  adapter.act(first.id, 'succeeded');
  await context.deliver(adapter.callback(first.id));
  expect(await create({ key: 'k2' })).toEqual(first);
});

test('a repetition of a creation that does not wait returns the payment as it was created', async () => {
  await create({ key: 'k3' });
  expect(await create({ key: 'k3', prefer: 'wait=0' })).toMatchObject({ version: 1, next_action: null });
});

describe('while an adapter hangs', () => {
  test('a creation returns at the end of its wait, and the payment is charged once', async () => {
    adapter.fail(() => 'hang');
    const payment = await create({ prefer: 'wait=1', body: { payment_method: 'tok_1' } });
    expect(payment).toMatchObject({ status: 'pending', waiting_for: 'processor' });
    adapter.fail(() => 'none');
    await expect
      .poll(async () => (await payments.stored(principal, payment.id)).processor_calls)
      .toHaveLength(1);
    await payments.settleAfter(60_000);
    expect((await payments.read(principal, payment.id)).status).toBe('succeeded');
    expect(adapter.entries.get(payment.id)?.charges).toBe(1);
  });

  test('few creations wait, the others return at once, and no payment is lost', async () => {
    const { promise: mayRespond, resolve: respond } = Promise.withResolvers<void>();
    adapter.delayBy(() => mayRespond);
    onTestFinished(() => respond());
    adapter.fail(() => 'lost');
    const before = adapter.calls.length;
    let returned = 0;
    const creations = Array.from({ length: 15 }, async () => {
      const payment = await create({ prefer: 'wait=4' });
      returned += 1;
      return payment;
    });
    await expect.poll(() => [returned, adapter.calls.length - before]).toEqual([5, 10]);
    respond();
    const created = await Promise.all(creations);
    expect(created.map(({ version }) => version)).toEqual(created.map(() => 1));
    expect(adapter.calls.length - before).toBe(10);
    adapter.fail(() => 'none');
    // Its failures suspend the calls of the adapter until a trial succeeds.
    await expect
      .poll(async () => {
        await payments.settleAfter(300_000);
        const read = await Promise.all(created.map(({ id }) => payments.read(principal, id)));
        return read.filter(({ waiting_for }) => waiting_for === 'payer');
      })
      .toHaveLength(created.length);
  });
});

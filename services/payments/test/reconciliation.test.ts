import type { Payment } from '@tollgate/contracts/payments/payment';
import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentsApp } from '../src/app.ts';
import { erasePayment } from '../src/erasure/erase-payment.ts';
import { getPaymentDetail, getTimeline } from '../src/history/get-payment-detail.ts';
import { listProcessors } from '../src/history/list-processors.ts';
import { DIFFERENCES } from '../src/reconciliation/difference.ts';
import { getReconciliation } from '../src/reconciliation/get-reconciliation.ts';
import { resolveDifference } from '../src/reconciliation/resolve-difference.ts';
import { MEASURED } from '../src/store/measured.ts';
import { aLivePrincipal, startWithAdapter } from './adapter-under-test.ts';
import { aMember, type PaymentsUnderTest, START_TIMEOUT_MS } from './payments-under-test.ts';
import { moneyOf, type ScriptedAdapter } from './scripted-adapter.ts';
import { servePayments } from './served-payments.ts';
import { settleDue } from './settle-due.ts';

let context: Awaited<ReturnType<typeof startWithAdapter>>;
let adapter: ScriptedAdapter;
let payments: PaymentsUnderTest;
beforeAll(async () => {
  context = await startWithAdapter();
  ({ adapter, payments } = context);
}, START_TIMEOUT_MS);
afterAll(() => context.stop());

/** A team of its own for each test. */
let principal = aLivePrincipal();
beforeEach(async () => {
  adapter.fail(() => 'none');
  // A comparison asks about every unresolved difference again, also about those of earlier tests.
  await payments.connection.collection(DIFFERENCES).deleteMany({});
  await startNewDay();
  principal = aLivePrincipal();
});

const DAY_LENGTH = 'yyyy-mm-dd'.length;
const today = () => new Date(payments.clock.now()).toISOString().slice(0, DAY_LENGTH);
const reader = () => aMember(principal.team_id);
const admin = () => aMember(principal.team_id, 'admin');
const difference = (day?: string) =>
  getReconciliation(payments.app, reader(), {
    name: 'acme',
    environment: 'live',
    ...(day !== undefined && { day }),
  });
const detail = (id: string) => getPaymentDetail(payments.app, reader(), id);
const resolve = (paymentId: string, note: string, actor = admin()) =>
  resolveDifference(deps(), actor, { payment_id: paymentId, note });

async function differingPayments(): Promise<number | undefined> {
  const processors = await listProcessors({ ...deps(), stuckAfterMs: HOUR_MS }, reader(), 'live');
  return processors.find(({ name }) => name === 'acme')?.differing_payments;
}

const erase = (paymentId: string) =>
  erasePayment(deps(), admin(), { payment_id: paymentId }, newId('request'));

function deps() {
  return { ...payments.app, clock: payments.clock, audit: payments.audit };
}

async function reconcile({ reconcilers }: Pick<PaymentsApp, 'reconcilers'> = payments.app): Promise<void> {
  for (const reconciler of reconcilers) await reconciler.run();
}

/** Moves to 1:00 UTC of the next day, and compares the day that ended. */
async function startNewDay(): Promise<void> {
  const midnight = Math.ceil((payments.clock.now() + 1) / DAY_MS) * DAY_MS;
  payments.clock.set(midnight + HOUR_MS);
  await reconcile();
}

async function aPayment(fields: object = { payment_method: 'tok_1' }): Promise<Payment> {
  const { id } = await payments.create(principal, fields);
  await settleDue(payments.app);
  return payments.read(principal, id);
}

function entryOf(id: string) {
  const entry = adapter.entries.get(id);
  if (!entry) throw new Error(`${id} was not started`);
  return entry;
}

/** Ends the payment, and has the processor report something else afterwards. */
async function endedAs(status: 'succeeded' | 'failed' | 'canceled', state: Partial<PaymentState> | null) {
  const { id } = await aPayment({});
  if (status === 'canceled') await context.cancel(principal, id);
  else {
    adapter.act(id, status);
    await context.deliver(adapter.callback(id));
  }
  const entry = entryOf(id);
  const ended = await payments.read(principal, id);
  expect(ended.status).toBe(status);
  if (state === null) adapter.entries.delete(id);
  else {
    // The money that a status means, unless the test names another amount.
    const money = state.status === 'succeeded' ? moneyOf(ended) : { amount: null, currency: null };
    entry.state = { ...entry.state, ...(state.status && money), ...state };
  }
  return ended;
}

/** Only about this one: with several errors in a row, the processor would be unavailable. */
function failAbout(id: string): void {
  adapter.fail((_call, paymentId) => (paymentId === id ? 'error' : 'none'));
}

const declined = { failure: { code: 'declined', message: 'Declined.' } };
const page = { next_action: { type: 'redirect', url: 'https://pay.example/1' } } as const;

test('the comparison of a day asks the processor about every payment that ended on the day, an hour after it, once', async () => {
  const day = today();
  const ended = await Promise.all([aPayment(), aPayment(), aPayment()]);
  const open = await aPayment({});
  await reconcile();
  expect(await difference(day)).toMatchObject({ data: [], comparison: null });
  const before = adapter.calls.length;
  await startNewDay();
  await reconcile();
  const asked = adapter.calls.slice(before).filter(({ paymentId }) => paymentId !== open.id);
  expect(asked.map(({ paymentId }) => paymentId).toSorted()).toEqual(ended.map(({ id }) => id).toSorted());
  expect(asked.every(({ call, asksAgain }) => call === 'status' && asksAgain)).toBe(true);
  expect((await difference(day)).comparison).toMatchObject({
    day,
    compared_payments: 3,
    completed_at: new Date(payments.clock.now()).toISOString(),
  });
});

test.each([
  ['succeeded', { status: 'failed', ...declined }],
  ['succeeded', { status: 'canceled' }],
  ['succeeded', { status: 'processing' }],
  ['succeeded', { status: 'action_required', ...page }],
  ['succeeded', null],
  ['failed', { status: 'succeeded' }],
  ['failed', { status: 'processing' }],
  ['canceled', { status: 'succeeded' }],
  ['canceled', { status: 'action_required', ...page }],
] as const)(
  'the comparison of a day finds a payment that %s, of which the processor says %o, and leaves it as it is',
  async (status, state) => {
    const day = today();
    const payment = await endedAs(status, state);
    await startNewDay();
    const found = {
      payment_id: payment.id,
      application_id: principal.application_id,
      processor: 'acme',
      amount: 1_000,
      currency: 'EUR',
      status,
      ended_at: payment.updated_at,
      processor_status: state?.status ?? null,
      processor_amount: state?.status === 'succeeded' ? 1_000 : null,
      processor_currency: state?.status === 'succeeded' ? 'EUR' : null,
      refunded_amount: null,
      disputed_amount: null,
      error: null,
      asked_at: new Date(payments.clock.now()).toISOString(),
      resolution: null,
    };
    expect((await difference(day)).data).toEqual([found]);
    expect((await difference()).data).toEqual([found]);
    expect((await detail(payment.id)).difference).toEqual(found);
    expect(await payments.read(principal, payment.id)).toEqual(payment);
  },
);

test.each([
  ['failed', { status: 'canceled' }],
  ['failed', null],
  ['canceled', { status: 'failed', ...declined }],
  ['canceled', null],
] as const)(
  'the comparison of a day finds nothing for a payment that %s, of which the processor says %o: no money moved',
  async (status, state) => {
    const day = today();
    await endedAs(status, state);
    await startNewDay();
    expect(await difference(day)).toMatchObject({ data: [], comparison: { compared_payments: 1 } });
  },
);

test('the comparison of a day leaves out payments that the processor never started', async () => {
  adapter.fail(() => 'error');
  const day = today();
  const { id } = await payments.create(principal, {});
  await context.cancel(principal, id);
  expect((await payments.read(principal, id)).status).toBe('canceled');
  adapter.fail(() => 'none');
  await startNewDay();
  expect(await difference(day)).toMatchObject({ data: [], comparison: { compared_payments: 0 } });
});

test('the comparison of a day leaves out a payment that was erased long after it ended, which the processor may have forgotten', async () => {
  const { id } = await aPayment();
  await startNewDay();
  payments.clock.advance(8 * DAY_MS);
  await startNewDay();
  adapter.entries.delete(id);
  const day = today();
  await erase(id);
  const before = adapter.callsOf(id);
  await startNewDay();
  expect(adapter.callsOf(id)).toEqual(before);
  expect(await difference(day)).toMatchObject({ data: [], comparison: { compared_payments: 0 } });
});

test('the comparison of a day includes a payment that was erased before its day was compared', async () => {
  const day = today();
  const { id } = await endedAs('succeeded', null);
  payments.clock.advance(DAY_MS - HOUR_MS / 2);
  await erase(id);
  await startNewDay();
  expect((await difference(day)).data).toMatchObject([{ payment_id: id }]);
});

test('the comparison of a day is done once by two instances, and continues where one stopped', async () => {
  const day = today();
  const created = await Promise.all(
    Array.from({ length: 50 }, () => payments.create(principal, { payment_method: 'tok_1' })),
  );
  await settleDue(payments.app);
  const ids = created.map(({ id }) => id);
  const other = await payments.anotherInstance();
  adapter.calls.length = 0;
  await Promise.all([startNewDay(), startNewDay(), reconcile(other.app)]);
  await other.stop();
  const asked = adapter.calls.map(({ paymentId }) => paymentId).filter((id) => ids.includes(id));
  expect(asked.toSorted()).toEqual(ids.toSorted());
  expect((await difference(day)).comparison).toMatchObject({ compared_payments: 50 });
});

test('the comparison of a day waits while the processor is unavailable, and lists nothing meanwhile', async () => {
  const day = today();
  await endedAs('canceled', { status: 'succeeded' });
  adapter.fail(() => 'error');
  // The breaker opens.
  for (let index = 0; index < 10; index += 1) await aPayment();
  await startNewDay();
  expect(await difference(day)).toMatchObject({ data: [], comparison: { completed_at: null } });
  adapter.fail(() => 'none');
  const compared = async () => {
    await reconcile();
    return difference(day);
  };
  await expect.poll(compared).toMatchObject({
    data: [{ processor_status: 'succeeded' }],
    comparison: { completed_at: expect.any(String) },
  });
});

test('the comparison of a day catches up on the days of a week in which nothing ran', async () => {
  const days = [];
  for (let index = 0; index < 3; index += 1) {
    days.push(today());
    await aPayment();
    payments.clock.advance(DAY_MS);
  }
  await reconcile();
  for (const day of days) {
    expect((await difference(day)).comparison).toMatchObject({ day, compared_payments: 1 });
  }
});

test('a payment without a reply is listed with the error, and asked about every hour until there is one', async () => {
  const day = today();
  const { id } = await endedAs('canceled', { status: 'succeeded' });
  failAbout(id);
  await startNewDay();
  expect((await difference(day)).data).toMatchObject([
    { payment_id: id, processor_status: null, error: expect.stringContaining('500') },
  ]);
  adapter.fail(() => 'none');
  payments.clock.advance(HOUR_MS - 1);
  await reconcile();
  expect((await difference(day)).data).toMatchObject([{ processor_status: null }]);
  payments.clock.advance(1);
  await reconcile();
  expect((await difference(day)).data).toMatchObject([{ processor_status: 'succeeded', error: null }]);
});

test('a payment without a reply keeps what the processor said before', async () => {
  const day = today();
  const { id } = await endedAs('canceled', { status: 'succeeded' });
  await startNewDay();
  failAbout(id);
  await startNewDay();
  expect((await difference(day)).data).toMatchObject([
    { processor_status: 'succeeded', error: expect.any(String) },
  ]);
});

test('a difference is found when a callback contradicts the payment, without waiting for the day to end', async () => {
  const { id } = await endedAs('canceled', { status: 'succeeded' });
  expect((await context.deliver(adapter.callback(id))).statusCode).toBe(204);
  expect((await difference()).data).toEqual([]);
  await reconcile();
  expect((await difference()).data).toMatchObject([{ payment_id: id, processor_status: 'succeeded' }]);
});

test('a difference is not found when a callback is only late', async () => {
  const { id } = await endedAs('succeeded', {});
  const late = adapter.callback(id, { status: 'processing', reference: null });
  expect((await context.deliver(late)).statusCode).toBe(204);
  await reconcile();
  expect((await difference()).data).toEqual([]);
  expect((await detail(id)).difference).toBeNull();
});

test('a difference goes away by itself within a day when it is corrected at the processor', async () => {
  const { id } = await endedAs('canceled', { status: 'succeeded' });
  await startNewDay();
  expect((await difference()).data).toHaveLength(1);
  const entry = adapter.entries.get(id);
  if (entry) entry.state = { status: 'canceled', reference: null };
  await startNewDay();
  expect((await difference()).data).toEqual([]);
});

test('a difference is counted for its team, and visible to nobody else', async () => {
  await endedAs('canceled', { status: 'succeeded' });
  const { id } = await endedAs('succeeded', null);
  await startNewDay();
  expect(await differingPayments()).toBe(2);
  principal = aLivePrincipal();
  expect((await difference()).data).toEqual([]);
  await expect(resolve(id, 'Refunded.')).rejects.toMatchObject({ details: { code: 'not-found' } });
});

test('a difference is listed newest first, page by page', async () => {
  const ids = [];
  for (let index = 0; index < 3; index += 1) ids.push((await endedAs('succeeded', null)).id);
  await startNewDay();
  const request = { name: 'acme', environment: 'live', limit: 2 } as const;
  const first = await getReconciliation(payments.app, reader(), request);
  expect(first.data.map(({ payment_id }) => payment_id)).toEqual([ids[2], ids[1]]);
  const cursor = first.next_cursor as string;
  const second = await getReconciliation(payments.app, reader(), { ...request, cursor });
  expect(second).toMatchObject({ data: [{ payment_id: ids[0] }], next_cursor: null });
});

test.each(['manual', 'sandbox', 'unknown'])(
  'a difference cannot be listed for the processor %s',
  async (name) => {
    await expect(
      getReconciliation(payments.app, reader(), { name, environment: 'live' }),
    ).rejects.toMatchObject({ details: { code: 'not-found', detail: expect.stringContaining(name) } });
  },
);

describe('an open payment', () => {
  /** The processor reports its end, with other money. */
  async function undecided(state: Partial<PaymentState>) {
    const payment = await aPayment({});
    adapter.act(payment.id, 'succeeded');
    const entry = entryOf(payment.id);
    const succeeded = entry.state;
    entry.state = { ...succeeded, ...state };
    await payments.settleAfter(HOUR_MS);
    expect(await payments.read(principal, payment.id)).toEqual(payment);
    return { payment, entry, succeeded };
  }

  test('an open payment differs as soon as the processor reports its end with another amount, and until it is corrected there', async () => {
    const { payment, entry, succeeded } = await undecided({ amount: 100 });
    const found = {
      payment_id: payment.id,
      amount: 1_000,
      currency: 'EUR',
      status: 'pending',
      processor_status: 'succeeded',
      processor_amount: 100,
      processor_currency: 'EUR',
    };
    expect((await difference()).data).toMatchObject([found]);
    expect((await detail(payment.id)).difference).toMatchObject(found);
    await startNewDay();
    expect((await difference()).data).toMatchObject([found]);

    entry.state = succeeded;
    await payments.settleAfter(HOUR_MS);
    expect((await payments.read(principal, payment.id)).status).toBe('succeeded');
    expect((await difference()).data).toEqual([]);
  });

  test('an open payment stays open when a member resolves its difference', async () => {
    const { payment } = await undecided({ currency: 'USD' });
    await resolve(payment.id, 'The rest is captured tomorrow.');
    await payments.settleAfter(HOUR_MS);
    await startNewDay();
    expect((await difference()).data).toEqual([]);
    expect(await payments.read(principal, payment.id)).toEqual(payment);
  });
});

describe('what the processor reports after a payment has succeeded', () => {
  const reversals = async (id: string) => (await getTimeline(payments.app, reader(), id)).reversals;
  const now = () => new Date(payments.clock.now()).toISOString();

  test.each([
    ['another amount', { amount: 999 }],
    ['another currency', { currency: 'USD' }],
  ])('what the processor reports after a payment has succeeded differs with %s', async (_, state) => {
    const { id } = await endedAs('succeeded', state);
    await startNewDay();
    expect((await difference()).data).toMatchObject([{ payment_id: id, status: 'succeeded' }]);
  });

  test.each([
    ['refund', { refunded_amount: 250 }, 0],
    ['dispute', { disputed_amount: 1_000 }, 1],
  ] as const)(
    'what the processor reports after a payment has succeeded is a %s in the timeline and in the reconciliation, and the payment stays as it is',
    async (type, state, counted) => {
      const payment = await endedAs('succeeded', state);
      const [amount] = Object.values(state);
      expect((await context.deliver(adapter.callback(payment.id))).statusCode).toBe(204);
      await reconcile();
      expect(await reversals(payment.id)).toEqual([{ at: now(), type, amount, currency: 'EUR' }]);
      expect((await difference()).data).toMatchObject([{ payment_id: payment.id, ...state }]);
      expect(await differingPayments()).toBe(counted);
      await startNewDay();
      expect(await reversals(payment.id)).toHaveLength(1);
      expect(await payments.read(principal, payment.id)).toEqual(payment);
    },
  );

  test('what the processor reports after a payment has succeeded is found without a callback, on the day after', async () => {
    const { id } = await endedAs('succeeded', { refunded_amount: 1_000 });
    await startNewDay();
    expect(await reversals(id)).toMatchObject([{ type: 'refund', amount: 1_000 }]);
  });

  test('what the processor reports after a payment has succeeded is listed again after it was resolved, when more is returned', async () => {
    const { id } = await endedAs('succeeded', { refunded_amount: 100 });
    await startNewDay();
    await resolve(id, 'A refund for a late delivery.');
    await context.deliver(adapter.callback(id));
    await reconcile();
    expect((await difference()).data).toEqual([]);

    const entry = entryOf(id);
    entry.state = { ...entry.state, disputed_amount: 900 };
    await context.deliver(adapter.callback(id));
    await reconcile();
    expect((await difference()).data).toMatchObject([
      { payment_id: id, disputed_amount: 900, resolution: null },
    ]);
    entry.state = { ...entry.state, disputed_amount: 0 };
    await startNewDay();
    expect(await reversals(id)).toMatchObject([
      { type: 'refund', amount: 100 },
      { type: 'dispute', amount: 900 },
      { type: 'dispute', amount: 0 },
    ]);
  });

  test('what the processor reports after a payment has succeeded goes away when a charge of a canceled payment is refunded', async () => {
    const { id } = await endedAs('canceled', { status: 'succeeded' });
    await startNewDay();
    expect((await difference()).data).toHaveLength(1);
    const entry = entryOf(id);
    entry.state = { ...entry.state, refunded_amount: 1_000 };
    await startNewDay();
    expect((await difference()).data).toEqual([]);
    expect(await reversals(id)).toMatchObject([{ type: 'refund', amount: 1_000 }]);
  });
});

test('a running service compares by itself', async () => {
  const { id } = await endedAs('canceled', { status: 'succeeded' });
  await context.deliver(adapter.callback(id));
  const served = await servePayments(payments);
  await expect.poll(async () => (await difference()).data).toMatchObject([{ payment_id: id }]);
  await served.stop();
});

test('operators see how many payments differ, and processors that open payments have and the configuration does not', async () => {
  await endedAs('canceled', { status: 'succeeded' });
  const { id } = await aPayment({});
  await payments.collection.updateOne({ _id: id as never }, { $set: { 'settlement.processor': 'removed' } });
  await startNewDay();
  await payments.app.tasks.countOpenPayments();
  const metrics = await payments.registry.metrics();
  const unresolved = await payments.app.differences.countUnresolved('acme');
  expect(unresolved).toBeGreaterThan(0);
  expect(metrics).toContain(
    `tollgate_processor_payments{processor="acme",state="differing",service="payments"} ${unresolved}`,
  );
  expect(metrics).toContain(
    'tollgate_processor_payments{processor="removed",state="open",service="payments"} 1',
  );
  expect(metrics).toContain('tollgate_processor_available{processor="removed",service="payments"} 0');
});

test('metrics count payments and differences up to a limit, which the help names', async () => {
  for (let count = 0; count < 2; count += 1) {
    await endedAs('canceled', { status: 'succeeded' });
    const { id } = await aPayment({});
    await payments.collection.updateOne({ _id: id as never }, { $set: { 'settlement.processor': 'large' } });
  }
  await startNewDay();
  const { store, differences } = payments.app;
  const bounds = { ...MEASURED, limit: 1 };
  const stuckSince = new Date(payments.clock.now());
  expect(await store.countOpen('large', stuckSince)).toMatchObject({ open: 2 });
  expect(await store.countOpen('large', stuckSince, bounds)).toMatchObject({ open: 1 });
  expect(await differences.countUnresolved('acme')).toBeGreaterThan(1);
  expect(await differences.countUnresolved('acme', bounds)).toBe(1);
  const metrics = await payments.registry.metrics();
  expect(metrics).toMatch(new RegExp(`HELP tollgate_processor_payments .*up to ${MEASURED.limit}`));
});

test('resolving a difference records the note with an audit entry, and ends the questions', async () => {
  const day = today();
  const payment = await endedAs('canceled', { status: 'succeeded' });
  await startNewDay();
  const member = admin();
  const resolved = await resolve(payment.id, 'Refunded at Acme.', member);
  expect(resolved.resolution).toEqual({
    at: new Date(payments.clock.now()).toISOString(),
    by: { type: 'member', id: member.member_id, name: 'Ada' },
    note: 'Refunded at Acme.',
  });
  const stored = await payments.connection
    .collection('payment_differences')
    .findOne({ team_id: principal.team_id });
  expect(stored?.['outbox']).toMatchObject([
    {
      action: 'payment.difference_resolved',
      environment: 'live',
      actor: { type: 'member', id: member.member_id },
      target: { type: 'payment', id: payment.id },
      application_id: principal.application_id,
      changes: {
        note: { before: null, after: 'Refunded at Acme.' },
        processor_status: { before: null, after: 'succeeded' },
      },
      signature: expect.anything(),
    },
  ]);
  const before = adapter.calls.length;
  await context.deliver(adapter.callback(payment.id));
  await startNewDay();
  expect(adapter.calls.slice(before).filter(({ paymentId }) => paymentId === payment.id)).toEqual([]);
  expect((await difference(day)).data).toEqual([resolved]);
  expect((await difference()).data).toEqual([]);
  expect(await payments.read(principal, payment.id)).toEqual(payment);
});

test('resolving a difference counts once: a repetition returns it, and another note is a conflict', async () => {
  const { id } = await endedAs('canceled', { status: 'succeeded' });
  await startNewDay();
  const member = admin();
  const resolved = await resolve(id, 'Refunded.', member);
  expect(await resolve(id, 'Refunded.', member)).toEqual(resolved);
  await expect(resolve(id, 'Shipped anyway.', member)).rejects.toMatchObject({
    details: { code: 'conflict' },
  });
  await expect(resolve(id, 'Refunded.')).rejects.toMatchObject({ details: { code: 'conflict' } });
});

test('resolving a difference needs an admin for a live payment, and a note without card numbers', async () => {
  const { id } = await endedAs('canceled', { status: 'succeeded' });
  await startNewDay();
  for (const role of ['viewer', 'developer'] as const) {
    await expect(resolve(id, 'Refunded.', aMember(principal.team_id, role))).rejects.toMatchObject({
      details: { code: 'forbidden' },
    });
  }
  await expect(resolve(id, 'Card 4242 4242 4242 4242')).rejects.toMatchObject({
    details: { code: 'invalid-request', errors: [{ pointer: '/note' }] },
  });
});

test('resolving a difference is not found for a payment without a difference, and for one that is only suspected', async () => {
  await expect(resolve(newId('payment'), 'Refunded.')).rejects.toMatchObject({
    details: { code: 'not-found' },
  });
  const { id } = await endedAs('canceled', { status: 'succeeded' });
  await context.deliver(adapter.callback(id));
  await expect(resolve(id, 'Refunded.')).rejects.toMatchObject({ details: { code: 'not-found' } });
});

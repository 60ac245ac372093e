import { newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { describe, expect, it } from 'vitest';
import { retryDelayMs, slowRetryDelayMs } from '../src/callbacks/retry-delay.ts';
import { verify } from '../src/contract/signature.ts';
import { type AdapterUnderTest, startAdapter } from './support/adapter-under-test.ts';
import { PAY_HERE } from './support/scripted-processor.ts';
import { aPayment, MONEY } from './support/tollgate.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const REFERENCE = 'ref_1';

/** A payment that waits for its payer. */
async function aStartedPayment({ tollgate, processor }: AdapterUnderTest): Promise<string> {
  const payment = aPayment();
  processor.newState = () => ({ status: 'action_required', reference: REFERENCE, next_action: PAY_HERE });
  await tollgate.start(payment);
  return payment.id;
}

const paid = { status: 'succeeded', reference: REFERENCE, ...MONEY } as const;

async function received({ receiver }: AdapterUnderTest, count: number): Promise<void> {
  await eventually(`${count} callbacks arrive`, () => receiver.received.length >= count);
  expect(receiver.received).toHaveLength(count);
}

it('a webhook of the processor becomes a signed callback with the state', async () => {
  const adapter = await startAdapter();
  const paymentId = await aStartedPayment(adapter);
  adapter.processor.payments.set(paymentId, paid);
  expect(await adapter.webhook({ paymentId })).toMatchObject({ status: 200 });
  await received(adapter, 1);
  const [callback] = adapter.receiver.received;
  expect(callback?.body).toEqual({ payment_id: paymentId, ...paid });
  expect(
    verify(
      adapter.secrets,
      { headers: callback?.headers ?? {}, body: callback?.text ?? '' },
      adapter.clock.now(),
    ),
  ).toBe(callback?.id);
});

it('a webhook of the processor becomes one callback when the receiver sends an informational response first', async () => {
  const adapter = await startAdapter();
  adapter.receiver.sendsContinue = true;
  const paymentId = await aStartedPayment(adapter);
  adapter.processor.payments.set(paymentId, paid);
  await adapter.webhook({ paymentId });
  await received(adapter, 1);
  // A stop completes what is in flight.
  await adapter.restart();
  expect(adapter.log()).not.toContain('the callback failed');
});

it('a webhook of the processor names the payment by its reference too', async () => {
  const adapter = await startAdapter();
  const paymentId = await aStartedPayment(adapter);
  adapter.processor.payments.set(paymentId, paid);
  await adapter.webhook({ reference: REFERENCE });
  await received(adapter, 1);
  expect(adapter.receiver.received[0]?.body).toMatchObject({ payment_id: paymentId });
});

it('a webhook of the processor gets 401, and causes no call of the processor, when it is not genuine', async () => {
  const adapter = await startAdapter();
  const paymentId = await aStartedPayment(adapter);
  const calls = adapter.processor.calls.length;
  expect(await adapter.webhook({ paymentId }, { 'x-processor': 'forged' })).toMatchObject({ status: 401 });
  expect(adapter.processor.calls).toHaveLength(calls);
});

it('a webhook of the processor gets 200, and causes no callback, when it is about something else', async () => {
  const adapter = await startAdapter();
  for (const about of [{ paymentId: newId('payment') }, { reference: 'ref_2' }, null]) {
    expect(await adapter.webhook(about)).toMatchObject({ status: 200 });
  }
  expect(adapter.processor.calls).toEqual([]);
  expect(adapter.receiver.received).toEqual([]);
});

it('a webhook of the processor gets 5xx while the processor fails, so that it is repeated', async () => {
  const adapter = await startAdapter();
  const paymentId = await aStartedPayment(adapter);
  adapter.processor.payments.set(paymentId, paid);
  adapter.processor.before = () => {
    throw new Error('the processor is down');
  };
  expect(await adapter.webhook({ paymentId })).toMatchObject({ status: 502 });
  adapter.processor.before = () => {};
  expect(await adapter.webhook({ paymentId })).toMatchObject({ status: 200 });
  await received(adapter, 1);
});

it('a webhook of the processor gets 5xx when it cannot be verified, for whatever reason', async () => {
  const adapter = await startAdapter();
  for (const code of ['ECONNRESET', 429]) {
    adapter.processor.beforeWebhook = () => {
      throw Object.assign(new Error('the library failed'), { code, statusCode: 429 });
    };
    expect(await adapter.webhook(null)).toMatchObject({ status: 503 });
  }
  expect(adapter.log()).toContain('the library failed');
});

it('a webhook of the processor changes nothing when it is repeated or late', async () => {
  const adapter = await startAdapter();
  const paymentId = await aStartedPayment(adapter);
  adapter.processor.payments.set(paymentId, { status: 'processing', reference: REFERENCE });
  await adapter.webhook({ paymentId });
  await adapter.webhook({ paymentId });
  adapter.processor.payments.set(paymentId, paid);
  await Promise.all([adapter.webhook({ paymentId }), adapter.webhook({ paymentId })]);
  adapter.processor.payments.set(paymentId, { status: 'processing', reference: REFERENCE });
  await adapter.webhook({ paymentId });
  await received(adapter, 2);
  expect(adapter.receiver.received.map(({ body }) => body['status']).sort()).toEqual([
    'processing',
    'succeeded',
  ]);
  expect((await adapter.tollgate.status(paymentId)).body).toEqual(paid);
});

it('a webhook of the processor reports refunds and disputes after the payment has succeeded, each once, and keeps the status', async () => {
  const adapter = await startAdapter();
  const paymentId = await aStartedPayment(adapter);
  adapter.processor.payments.set(paymentId, { ...paid, refunded_amount: 0 });
  await adapter.webhook({ paymentId });
  await received(adapter, 1);
  for (const [count, reversal] of [
    [2, { refunded_amount: 250 }],
    [3, { refunded_amount: 250, disputed_amount: 1_000 }],
    [4, { refunded_amount: 250, disputed_amount: 0 }],
  ] as const) {
    adapter.processor.payments.set(paymentId, { status: 'canceled', reference: REFERENCE, ...reversal });
    await adapter.webhook({ paymentId });
    await adapter.webhook({ paymentId });
    await received(adapter, count);
    expect(adapter.receiver.received.at(-1)?.body).toMatchObject({
      payment_id: paymentId,
      ...paid,
      ...reversal,
    });
  }
  expect((await adapter.tollgate.status(paymentId)).body).toMatchObject({ ...paid, refunded_amount: 250 });
});

it('a webhook of the processor causes no callback for a change that Tollgate has already been told', async () => {
  const adapter = await startAdapter();
  const paymentId = await aStartedPayment(adapter);
  adapter.processor.payments.set(paymentId, paid);
  await adapter.tollgate.status(paymentId);
  expect(await adapter.webhook({ paymentId })).toMatchObject({ status: 200 });
  const other = await aStartedPayment(adapter);
  adapter.processor.payments.set(other, paid);
  await adapter.webhook({ paymentId: other });
  await received(adapter, 1);
  expect(adapter.receiver.received[0]?.body).toMatchObject({ payment_id: other });
});

it('a webhook of the processor waits for the response to the start that it is about', async () => {
  const adapter = await startAdapter();
  const { processor, tollgate } = adapter;
  const payment = aPayment();
  const reply = Promise.withResolvers<void>();
  const isCreated = Promise.withResolvers<void>();
  processor.newState = () => ({ status: 'processing', reference: REFERENCE });
  processor.after = (call) => {
    if (call !== 'start') return;
    isCreated.resolve();
    return reply.promise;
  };
  const start = tollgate.start(payment);
  await isCreated.promise;
  processor.payments.set(payment.id, paid);
  const webhook = adapter.webhook({ reference: REFERENCE });
  await eventually('the webhook arrives', () => processor.webhooks === 1);
  reply.resolve();
  expect((await start).body).toMatchObject({ status: 'processing' });
  expect(await webhook).toMatchObject({ status: 200 });
  await received(adapter, 1);
  expect(adapter.receiver.received[0]?.body).toMatchObject(paid);
});

it('webhooks at the same time get 503 beyond 64, and the others are processed', async () => {
  const adapter = await startAdapter();
  const paymentId = await aStartedPayment(adapter);
  const slow = Promise.withResolvers<void>();
  adapter.processor.before = () => slow.promise;
  const responses = Array.from({ length: 64 }, () => adapter.webhook({ paymentId }));
  await eventually('64 are in flight', () => adapter.processor.webhooks === 64);
  expect(await adapter.webhook({ paymentId })).toMatchObject({ status: 503 });
  slow.resolve();
  for (const { status } of await Promise.all(responses)) expect(status).toBe(200);
  expect(await adapter.webhook({ paymentId })).toMatchObject({ status: 200 });
});

describe('a callback', () => {
  async function aRejectedCallback(adapter: AdapterUnderTest, status: number): Promise<string> {
    const paymentId = await aStartedPayment(adapter);
    adapter.receiver.status = status;
    adapter.processor.payments.set(paymentId, paid);
    await adapter.webhook({ paymentId });
    await eventually('the failure is stored', () => adapter.log().includes('"attempt":1'));
    return paymentId;
  }

  it('a callback is repeated with the same id and body until Tollgate accepts it', async () => {
    const adapter = await startAdapter();
    await aRejectedCallback(adapter, 503);
    for (const attempt of [2, 3, 4]) {
      adapter.clock.advance(MINUTE_MS);
      adapter.sendCallbacks();
      await eventually('it failed again', () => adapter.log().includes(`"attempt":${attempt}`));
    }
    adapter.receiver.status = 204;
    adapter.clock.advance(MINUTE_MS);
    adapter.sendCallbacks();
    await received(adapter, 5);
    const [first, ...repeated] = adapter.receiver.received;
    for (const { id, text } of repeated) expect({ id, text }).toEqual({ id: first?.id, text: first?.text });
    const timestamps = adapter.receiver.received.map(({ headers }) => headers['webhook-timestamp']);
    expect(new Set(timestamps).size).toBe(5);

    await adapter.restart();
    adapter.clock.advance(DAY_MS);
    const other = await aStartedPayment(adapter);
    adapter.processor.payments.set(other, paid);
    await adapter.webhook({ paymentId: other });
    await received(adapter, 6);
  });

  it('a callback is sent after a restart', async () => {
    const adapter = await startAdapter();
    const paymentId = await aRejectedCallback(adapter, 503);
    adapter.receiver.status = 204;
    adapter.clock.advance(MINUTE_MS);
    await adapter.restart();
    await received(adapter, 2);
    expect(adapter.receiver.received[1]?.body).toEqual({ payment_id: paymentId, ...paid });
  });

  it.each([400, 401, 404])(
    'a callback is repeated slowly, with an error in the log, after %d',
    async (status) => {
      const adapter = await startAdapter();
      await aRejectedCallback(adapter, status);
      const line = JSON.parse(
        adapter
          .log()
          .split('\n')
          .find((text) => text.includes('"attempt":1')) ?? '{}',
      );
      expect(line).toMatchObject({ level: 'error', status });
      expect(line.retry_delay_ms).toBeGreaterThanOrEqual(4 * MINUTE_MS);
      adapter.receiver.status = 200;
      adapter.clock.advance(5 * MINUTE_MS);
      adapter.sendCallbacks();
      await received(adapter, 2);
    },
  );

  it('a callback is dropped after three days, with an error in the log', async () => {
    const adapter = await startAdapter();
    await aRejectedCallback(adapter, 503);
    adapter.clock.advance(3 * DAY_MS);
    adapter.sendCallbacks();
    await eventually('it is dropped', () => adapter.log().includes('it is dropped'));
    await received(adapter, 2);
  });

  it('a callback is repeated after delays that grow up to five minutes', () => {
    for (const [failedAttempts, longestMs] of [
      [1, 1_000],
      [2, 2_000],
      [9, 256_000],
      [10, 5 * MINUTE_MS],
      [1_000_000, 5 * MINUTE_MS],
    ] as const) {
      expect(retryDelayMs(failedAttempts)).toBeGreaterThanOrEqual(0.8 * longestMs);
      expect(retryDelayMs(failedAttempts)).toBeLessThanOrEqual(longestMs);
    }
    expect(slowRetryDelayMs()).toBeGreaterThanOrEqual(4 * MINUTE_MS);
  });
});

import { newId } from '@tollgate/contracts/platform/ids';
import { currentTrace } from '@tollgate/tracing/current-trace';
import { recordSpans } from '@tollgate/tracing/span';
import { collectSpans } from '@tollgate/tracing/test/recorded-spans';
import { newTraceContext, type TraceContext, traceHeaders } from '@tollgate/tracing/trace-context';
import { expect, it, onTestFinished } from 'vitest';
import { PaymentRejected } from '../src/adapter.ts';
import { callId, sign } from '../src/contract/signature.ts';
import { startAdapter } from './support/adapter-under-test.ts';
import { PAY_HERE } from './support/scripted-processor.ts';
import { aPayment, MONEY, send } from './support/tollgate.ts';

const REFERENCE = 'ref_1';

it('a call continues the trace of Tollgate', async () => {
  const { url, secrets, clock, processor } = await startAdapter();
  let trace: TraceContext | null = null;
  processor.newState = () => {
    trace = currentTrace();
    return { status: 'processing', reference: REFERENCE };
  };
  const spans = collectSpans();
  onTestFinished(() => recordSpans(null));
  const parent = newTraceContext();
  const payment = aPayment();
  const body = JSON.stringify(payment);
  const headers = {
    ...sign(secrets, { id: callId('start', payment.id), body }, clock.now()),
    ...traceHeaders(parent),
  };
  await send(`${url()}/payments`, { method: 'POST', body, headers });
  await expect
    .poll(() => spans)
    .toMatchObject([{ component: 'adapter-scripted', name: 'POST /payments', parent, outcomes: [{}] }]);
  expect(trace).toEqual(spans[0]?.trace);
});

it('a start returns the state at the processor, signed', async () => {
  const { tollgate, processor } = await startAdapter();
  processor.newState = () => ({ status: 'action_required', reference: REFERENCE, next_action: PAY_HERE });
  const { status, body } = await tollgate.start(aPayment());
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'action_required', reference: REFERENCE, next_action: PAY_HERE });
});

it('a start passes on the payment without the fields that this release does not know', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  let received: unknown;
  processor.newState = (payment) => {
    received = payment;
    return { status: 'processing', reference: REFERENCE };
  };
  const payer = { ...payment.payer, later_field: true };
  const { status } = await tollgate.start({ ...payment, payer, later_field: 1 } as typeof payment);
  expect(status).toBe(200);
  expect(received).toEqual(payment);
});

it('a start returns the current state when it is repeated, without starting again', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  await tollgate.start(payment);
  processor.payments.set(payment.id, { status: 'succeeded', reference: REFERENCE, ...MONEY });
  expect((await tollgate.start(payment)).body).toMatchObject({ status: 'succeeded' });
  expect(processor.calls).toEqual([`start ${payment.id}`, `status ${payment.id}`]);
});

it('a start starts a payment once when identical requests arrive at the same time', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  const responses = await Promise.all(Array.from({ length: 10 }, () => tollgate.start(payment)));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(processor.calls.filter((call) => call.startsWith('start'))).toHaveLength(1);
});

it('a start is repeated with the same first time when the outcome is unknown', async () => {
  const { tollgate, processor, clock } = await startAdapter();
  const payment = aPayment();
  const firstStartedAt = new Date(clock.now());
  processor.after = () => {
    throw new Error('connection reset');
  };
  const { status, headers } = await tollgate.start(payment);
  expect(status).toBe(502);
  expect(headers.get('content-type')).toBe('application/problem+json');
  processor.after = () => {};
  clock.advance(60_000);
  expect(await tollgate.start(payment)).toMatchObject({ status: 200, body: { status: 'action_required' } });
  expect(processor.startedAt).toEqual([firstStartedAt, firstStartedAt]);
  expect(processor.payments.size).toBe(1);
});

it('a start returns 422 with the failure when the processor does not accept the payment, also when it is repeated', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  const failure = { code: 'currency_not_supported', message: 'x'.repeat(300) };
  processor.before = () => {
    throw new PaymentRejected(failure);
  };
  const rejected = { failure: { ...failure, message: 'x'.repeat(255) } };
  expect(await tollgate.start(payment)).toMatchObject({ status: 422, body: rejected });
  expect(await tollgate.start(payment)).toMatchObject({ status: 422, body: rejected });
  expect(await tollgate.status(payment.id)).toMatchObject({
    status: 200,
    body: { status: 'failed', reference: null, ...rejected },
  });
  expect(await tollgate.cancel(payment.id)).toMatchObject({ status: 200, body: { status: 'failed' } });
  expect(processor.calls).toEqual([`start ${payment.id}`]);
});

it('a start returns 422 also when the adapter rejects it without a promise', async () => {
  const { tollgate, processor } = await startAdapter();
  processor.adapter.start = () => {
    throw new PaymentRejected({ code: 'amount_too_small', message: `${'x'.repeat(254)}😀` });
  };
  const { status, body } = await tollgate.start(aPayment());
  expect(status).toBe(422);
  expect((body['failure'] as { message: string }).message.isWellFormed()).toBe(true);
});

it('a start returns 400 when the id was used for another payment', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  await tollgate.start(payment);
  const { status, body } = await tollgate.start({ ...payment, amount: 1 });
  expect(status).toBe(400);
  expect(body['detail']).toContain('used before');
  expect(processor.calls).toHaveLength(1);
});

it('a start returns 400 for a payment of another environment', async () => {
  const { tollgate, processor } = await startAdapter();
  const { status, body } = await tollgate.start(aPayment({ environment: 'live' }));
  expect(status).toBe(400);
  expect(body['detail']).toContain('live');
  expect(processor.calls).toEqual([]);
});

it.each([
  ['an amount of zero', { amount: 0 }],
  ['a currency in lowercase', { currency: 'eur' }],
  ['a time that is no time', { created_at: 'yesterday' }],
])('a start returns 400 for %s', async (_, changes) => {
  const { tollgate, processor } = await startAdapter();
  expect(await tollgate.start(aPayment(changes))).toMatchObject({ status: 400 });
  expect(processor.calls).toEqual([]);
});

it.each([
  ['an unknown status', { status: 'paid', reference: null }],
  ['a missing link', { status: 'action_required', reference: null }],
  ['a missing failure', { status: 'failed', reference: null }],
  ['a success without an amount', { status: 'succeeded', reference: null, currency: 'EUR' }],
  ['a success without a currency', { status: 'succeeded', reference: null, amount: 1250 }],
  ['an amount with a fraction', { status: 'succeeded', reference: null, amount: 12.5, currency: 'EUR' }],
  ['nothing', undefined],
])('a start returns 502 when the adapter returns %s, and remembers no state', async (_, state) => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  processor.newState = () => state as never;
  expect(await tollgate.start(payment)).toMatchObject({ status: 502 });
  processor.payments.set(payment.id, { status: 'processing', reference: REFERENCE });
  expect(await tollgate.status(payment.id)).toMatchObject({ status: 200, body: { status: 'processing' } });
});

it('a status is 404 for a payment that was never started, and starts nothing', async () => {
  const { tollgate, processor } = await startAdapter();
  expect(await tollgate.status(newId('payment'))).toMatchObject({ status: 404 });
  expect(await tollgate.status('pay_1')).toMatchObject({ status: 404 });
  expect(processor.calls).toEqual([]);
});

it('a status is found by the payment when the outcome of the start is unknown', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  processor.after = (call) => {
    if (call === 'start') throw new Error('connection reset');
  };
  await tollgate.start(payment);
  expect(await tollgate.status(payment.id)).toMatchObject({
    status: 200,
    body: { status: 'action_required' },
  });
  expect(await tollgate.start(payment)).toMatchObject({ status: 200 });
  expect(processor.calls.filter((call) => call.startsWith('start'))).toHaveLength(1);
});

it('a status never returns from processing to action_required', async () => {
  const { tollgate, processor, log } = await startAdapter();
  const payment = aPayment();
  processor.newState = () => ({ status: 'processing', reference: REFERENCE });
  await tollgate.start(payment);
  processor.payments.set(payment.id, {
    status: 'action_required',
    reference: REFERENCE,
    next_action: PAY_HERE,
  });
  expect((await tollgate.status(payment.id)).body).toEqual({ status: 'processing', reference: REFERENCE });
  expect(log()).toContain('the processor reports an earlier status');
});

it.each(['succeeded', 'canceled'] as const)('a status never changes after %s', async (status) => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  const money = status === 'succeeded' ? MONEY : {};
  processor.newState = () => ({ status, reference: REFERENCE, ...money });
  await tollgate.start(payment);
  processor.payments.set(payment.id, { status: 'processing', reference: REFERENCE });
  const final = { status: 200, body: { status, reference: REFERENCE, ...money } };
  expect(await tollgate.status(payment.id)).toMatchObject(final);
  expect(await tollgate.cancel(payment.id)).toMatchObject(final);
  expect(await tollgate.start(payment)).toMatchObject(final);
  expect(processor.calls).toEqual([`start ${payment.id}`]);
});

it.each([
  ['another amount', { ...MONEY, amount: 100 }],
  ['another currency', { ...MONEY, currency: 'JPY' }],
])(
  'a status is asked again while the payment has succeeded with %s, and keeps its payer',
  async (_, money) => {
    const { tollgate, processor } = await startAdapter();
    const payment = aPayment();
    processor.newState = () => ({ status: 'succeeded', reference: REFERENCE, ...money });
    await tollgate.start(payment);
    expect((await tollgate.status(payment.id)).body).toMatchObject(money);
    expect(processor.asked).toMatchObject({ payer: payment.payer });
    processor.payments.set(payment.id, { status: 'succeeded', reference: REFERENCE, ...MONEY });
    expect((await tollgate.status(payment.id)).body).toMatchObject(MONEY);
    processor.calls.length = 0;
    expect((await tollgate.status(payment.id)).body).toMatchObject(MONEY);
    expect(processor.calls).toEqual([]);
  },
);

it('a status keeps the first reference', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  processor.newState = () => ({ status: 'processing', reference: REFERENCE });
  await tollgate.start(payment);
  processor.payments.set(payment.id, { status: 'succeeded', reference: 'ref_2', ...MONEY });
  expect((await tollgate.status(payment.id)).body).toEqual({
    status: 'succeeded',
    reference: REFERENCE,
    ...MONEY,
  });
});

it('a status is 502 while the processor fails, and leaves the payment as it is', async () => {
  const { tollgate, processor, log } = await startAdapter();
  const payment = aPayment();
  await tollgate.start(payment);
  processor.before = () => {
    throw new Error('the processor is down');
  };
  expect(await tollgate.status(payment.id)).toMatchObject({ status: 502 });
  expect(await tollgate.cancel(payment.id)).toMatchObject({ status: 502 });
  expect(log()).toContain('the processor is down');
  processor.before = () => {};
  expect(await tollgate.status(payment.id)).toMatchObject({
    status: 200,
    body: { status: 'action_required' },
  });
});

it('a cancellation returns canceled, also when it is repeated', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  const { body } = await tollgate.start(payment);
  const canceled = { status: 200, body: { status: 'canceled', reference: body['reference'] } };
  expect(await tollgate.cancel(payment.id)).toMatchObject(canceled);
  expect(await tollgate.cancel(payment.id)).toMatchObject(canceled);
  expect(await tollgate.start(payment)).toMatchObject(canceled);
  expect(processor.calls).toEqual([`start ${payment.id}`, `cancel ${payment.id}`]);
});

it('a cancellation returns the actual state when it is too late', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  processor.newState = () => ({ status: 'processing', reference: REFERENCE });
  await tollgate.start(payment);
  expect(await tollgate.cancel(payment.id)).toMatchObject({ status: 200, body: { status: 'processing' } });
});

it('a cancellation of a payment that was never started prevents its start', async () => {
  const { tollgate, processor } = await startAdapter();
  const payment = aPayment();
  const canceled = { status: 200, body: { status: 'canceled', reference: null } };
  expect(await tollgate.cancel(payment.id)).toMatchObject(canceled);
  expect(await tollgate.cancel(payment.id)).toMatchObject(canceled);
  expect(await tollgate.status(payment.id)).toMatchObject(canceled);
  expect(await tollgate.start(payment)).toMatchObject(canceled);
  expect(processor.calls).toEqual([]);
});

it('a cancellation is 400 when the path has no payment id', async () => {
  const { tollgate } = await startAdapter();
  expect(await tollgate.cancel('pay_1')).toMatchObject({ status: 400 });
});

it('a question about a payment that has ended is passed to the processor, without the payer, and changes nothing', async () => {
  const { tollgate, processor, restart } = await startAdapter();
  processor.newState = () => ({ status: 'succeeded', reference: REFERENCE, ...MONEY });
  const payment = aPayment();
  await tollgate.start(payment);
  await restart();
  processor.calls.length = 0;
  processor.payments.set(payment.id, { status: 'canceled', reference: 'another' });
  expect(await tollgate.status(payment.id, '?ask=processor')).toMatchObject({
    status: 200,
    body: { status: 'canceled', reference: REFERENCE },
  });
  expect(processor.calls).toEqual([`status ${payment.id}`]);
  expect(processor.asked).toMatchObject({
    id: payment.id,
    amount: payment.amount,
    payer: null,
    metadata: null,
  });
  expect(await tollgate.status(payment.id)).toMatchObject({ body: { status: 'succeeded' } });
});

it('a question about a payment that has ended is not passed on for a payment that the processor never had, and has no effect on an open one', async () => {
  const { tollgate, processor } = await startAdapter();
  const canceled = aPayment();
  await tollgate.cancel(canceled.id);
  expect(await tollgate.status(canceled.id, '?ask=processor')).toMatchObject({
    body: { status: 'canceled' },
  });
  expect(processor.calls).toEqual([]);
  const open = aPayment();
  await tollgate.start(open);
  processor.payments.set(open.id, { status: 'succeeded', reference: REFERENCE, ...MONEY });
  await tollgate.status(open.id, '?ask=processor');
  expect(await tollgate.status(open.id)).toMatchObject({ body: { status: 'succeeded' } });
  expect((await tollgate.status(aPayment().id, '?ask=processor')).status).toBe(404);
});

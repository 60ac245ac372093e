import type { Payment } from '@tollgate/contracts/payments/payment';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { isId, newId } from '@tollgate/contracts/platform/ids';
import { createLogger } from '@tollgate/runtime/logger';
import { recordSpans } from '@tollgate/tracing/span';
import { newTraceContext, traceHeaders } from '@tollgate/tracing/trace-context';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { aLivePrincipal, startWithAdapter } from './adapter-under-test.ts';
import { aPrincipal, type PaymentsUnderTest, START_TIMEOUT_MS } from './payments-under-test.ts';
import type { Fault, ScriptedAdapter } from './scripted-adapter.ts';
import { settleDue } from './settle-due.ts';

const principal = aLivePrincipal();

const lines: string[] = [];
const logger = createLogger({ service: 'payments', destination: { write: (line) => void lines.push(line) } });
const linesOf = (requestId: unknown) =>
  lines.map((line) => JSON.parse(line)).filter((line) => line.request_id === requestId);

let context: Awaited<ReturnType<typeof startWithAdapter>>;
let adapter: ScriptedAdapter;
let payments: PaymentsUnderTest;
beforeAll(async () => {
  context = await startWithAdapter({ logger });
  ({ adapter, payments } = context);
}, START_TIMEOUT_MS);
afterAll(() => context.stop());
beforeEach(() => adapter.fail(() => 'none'));

const started = (fields?: object) => context.started(principal, fields);
const askAfter = (ms: number, id: string) => context.askAfter(ms, principal, id);
const cancel = (id: string, key?: string) => context.cancel(principal, id, key);
const deliver: typeof context.deliver = (message, processor) => context.deliver(message, processor);
const historyOf = async (id: string) =>
  (await payments.stored(principal, id)).history.map(({ type }) => type.slice('payment.'.length));

test('a payment of an adapter is charged at once when it has a token', async () => {
  const payment = await started({ payment_method: 'tok_1' });
  expect(payment).toMatchObject({
    status: 'succeeded',
    version: 2,
    processor: 'acme',
    processor_reference: `ref_${payment.id.slice(-8)}`,
  });
  expect(adapter.callsOf(payment.id)).toEqual(['start']);
});

test('a payment of an adapter is called once when the adapter sends an informational response first', async () => {
  adapter.fail(() => 'continue');
  const payment = await started({ payment_method: 'tok_1' });
  expect(payment.status).toBe('succeeded');
  expect(adapter.callsOf(payment.id)).toEqual(['start']);
});

test('a payment of an adapter is started and polled in the trace of the request that created it', async () => {
  const trace = newTraceContext();
  const response = await payments.send(principal, {
    method: 'POST',
    path: '/v1/payments',
    body: { amount: 1_000, currency: 'EUR', payment_method: 'tok_slow' },
    headers: traceHeaders(trace),
  });
  const { id } = response.json<Payment>();
  await settleDue(payments.app);
  await payments.settleAfter(60_000);
  const calls = adapter.calls.filter(({ paymentId }) => paymentId === id);
  expect(calls).toMatchObject([
    { call: 'start', traceparent: trace.traceparent },
    { call: 'status', traceparent: trace.traceparent },
  ]);
});

test('a payment of an adapter sends the payer to the processor, and succeeds with the callback', async () => {
  const payment = await started({ return_url: 'https://shop.example/done' });
  expect(payment).toMatchObject({
    status: 'pending',
    version: 2,
    cancelable: true,
    return_url: 'https://shop.example/done',
    next_action: { type: 'redirect', url: `https://pay.example/${payment.id}` },
  });
  expect(adapter.entries.get(payment.id)?.payment).toMatchObject({
    return_url: 'https://shop.example/done',
  });
  adapter.act(payment.id, 'succeeded');
  expect((await deliver(adapter.callback(payment.id))).statusCode).toBe(204);
  expect(await payments.read(principal, payment.id)).toMatchObject({
    status: 'succeeded',
    version: 3,
    next_action: null,
  });
});

test('a payment of an adapter succeeds without the callback, within the longest interval between two questions', async () => {
  const { id } = await started();
  for (let waitedMs = 0; waitedMs < 3_600_000; waitedMs += 300_000) {
    expect((await askAfter(300_000, id)).status).toBe('pending');
  }
  adapter.act(id, 'succeeded');
  expect((await askAfter(300_000, id)).status).toBe('succeeded');
});

test('a payment of an adapter fails with the code of the processor when it is declined or rejected', async () => {
  const rejected = await started({ payment_method: 'tok_rejected' });
  expect(rejected).toMatchObject({ status: 'failed', failure: { code: 'unsupported_method' } });
  const { id } = await started();
  adapter.act(id, 'failed');
  expect(await askAfter(300_000, id)).toMatchObject({ status: 'failed', failure: { code: 'declined' } });
});

test('a payment of an adapter is canceled as abandoned when the payer leaves the page, and failed when it was processing', async () => {
  const left = await started();
  adapter.act(left.id, 'canceled');
  expect(await askAfter(300_000, left.id)).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'abandoned',
  });
  const processing = await started({ payment_method: 'tok_slow' });
  expect(processing).toMatchObject({ status: 'processing', cancelable: false });
  adapter.act(processing.id, 'canceled');
  expect(await askAfter(300_000, processing.id)).toMatchObject({
    status: 'failed',
    failure: { code: 'canceled_by_processor' },
  });
});

test.each<Fault>(['unreachable', 'lost', 'error', 'garbage', 'unsigned', 'replayed'])(
  'a payment of an adapter stays as it is when a response is %s, and is charged once in the end',
  async (fault) => {
    await started({ payment_method: 'tok_other' });
    adapter.fail(() => fault);
    const payment = await started({ payment_method: 'tok_1' });
    expect(payment).toMatchObject({ status: 'pending', version: 1 });
    const { processor_calls = [] } = await payments.stored(principal, payment.id);
    expect(processor_calls).toMatchObject([{ call: 'start', status: null, error: expect.any(String) }]);
    adapter.fail(() => 'none');
    expect((await askAfter(10_000, payment.id)).status).toBe('succeeded');
    expect(adapter.entries.get(payment.id)?.charges).toBe(1);
  },
);

test.each([
  ['less', { amount: 100 }],
  ['more', { amount: 1_001 }],
  ['nothing', { amount: 0 }],
  ['another currency', { currency: 'USD' }],
  ['another currency and its decimals', { amount: 1, currency: 'JPY' }],
])(
  'a payment of an adapter stays open while the processor reports success with %s, and ends with the right amount',
  async (_, other) => {
    const payment = await started();
    adapter.act(payment.id, 'succeeded');
    const entry = adapter.entries.get(payment.id);
    if (!entry) throw new Error('the payment was not started');
    const succeeded = entry.state;
    entry.state = { ...succeeded, ...other };

    expect((await deliver(adapter.callback(payment.id))).statusCode).toBe(204);
    expect(await askAfter(300_000, payment.id)).toEqual(payment);
    expect((await cancel(payment.id)).statusCode).toBe(202);
    const { processor_calls = [] } = await payments.stored(principal, payment.id);
    expect(processor_calls.at(-1)).toMatchObject({
      status: 'succeeded',
      error: expect.stringContaining('the payment has 1000 EUR'),
    });

    entry.state = succeeded;
    expect((await askAfter(300_000, payment.id)).status).toBe('succeeded');
  },
);

test('a payment of an adapter stays open while the processor reports a cancellation after a part of the money has moved', async () => {
  const { id } = await started({ payment_method: 'tok_slow' });
  const entry = adapter.entries.get(id);
  if (!entry) throw new Error('the payment was not started');
  entry.state = { ...entry.state, status: 'canceled', amount: 100, currency: 'EUR' };
  expect((await askAfter(300_000, id)).status).toBe('processing');
});

test('a payment of an adapter waits for an adapter that reports no amount, and says what to do', async () => {
  const payment = await started();
  adapter.act(payment.id, 'succeeded');
  const entry = adapter.entries.get(payment.id);
  if (!entry) throw new Error('the payment was not started');
  const { amount, currency, ...withoutAmount } = entry.state;
  entry.state = withoutAmount as typeof entry.state;
  expect(await askAfter(300_000, payment.id)).toEqual(payment);
  const { processor_calls = [] } = await payments.stored(principal, payment.id);
  expect(processor_calls.at(-1)?.error).toContain('Upgrade the adapter');
  entry.state = { ...withoutAmount, amount, currency } as typeof entry.state;
  expect((await askAfter(300_000, payment.id)).status).toBe('succeeded');
});

test('a payment of an adapter keeps the newest calls only, without the payer or a credential', async () => {
  const { id } = await started({ payer: { name: 'Ada', email: 'ada@example.com' } });
  for (let calls = 0; calls < 30; calls += 1) await payments.settleAfter(300_000);
  const { processor_calls = [] } = await payments.stored(principal, id);
  expect(processor_calls).toHaveLength(20);
  expect(JSON.stringify(processor_calls)).not.toMatch(/ada|whsec_|v1,/i);
});

test('the cancellation of a payment that was not started is immediate, and the processor is never called', async () => {
  const { id } = await payments.create(principal);
  const response = await cancel(id);
  expect([response.statusCode, response.json().status]).toEqual([200, 'canceled']);
  await settleDue(payments.app);
  expect(adapter.callsOf(id)).toEqual([]);
  expect(await historyOf(id)).toEqual(['created', 'canceled']);
});

test('the cancellation of a payment that waits for the payer is confirmed by the processor', async () => {
  const { id } = await started();
  const response = await cancel(id, 'k1');
  expect([response.statusCode, response.json().status]).toEqual([200, 'canceled']);
  expect(await historyOf(id)).toEqual(['created', 'action_required', 'cancellation_requested', 'canceled']);
  expect(adapter.entries.get(id)).toMatchObject({ state: { status: 'canceled' }, charges: 0 });
  const replay = await cancel(id, 'k1');
  expect([replay.statusCode, replay.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(replay.json()).toEqual(response.json());
});

test('the cancellation that comes too late returns 409, and the payment succeeds', async () => {
  const { id } = await started();
  adapter.act(id, 'succeeded');
  const response = await cancel(id, 'k2');
  expect(response.statusCode).toBe(409);
  expect(response.json()).toMatchObject({ code: 'payment-not-cancelable', payment_status: 'succeeded' });
  expect((await cancel(id, 'k2')).statusCode).toBe(409);
  expect(await payments.read(principal, id)).toMatchObject({
    status: 'succeeded',
    cancellation_reason: null,
    cancellation_requested_at: expect.any(String),
  });
});

test('the cancellation is processed before a start whose response was lost: the processor never charges the payment', async () => {
  adapter.fail((call) => (call === 'start' ? 'unreachable' : 'none'));
  const { id } = await started({ payment_method: 'tok_1' });
  expect((await cancel(id)).statusCode).toBe(200);
  adapter.fail(() => 'none');
  await payments.settleAfter(300_000);
  expect(adapter.entries.get(id)).toMatchObject({ state: { status: 'canceled' }, charges: 0 });
  expect((await payments.read(principal, id)).status).toBe('canceled');
});

test('the cancellation of a payment that the adapter has lost reaches the processor all the same', async () => {
  const { id } = await started();
  adapter.entries.delete(id);
  expect((await cancel(id)).statusCode).toBe(200);
  expect(adapter.callsOf(id)).toEqual(['start', 'status', 'start', 'cancel']);
});

test('the cancellation of an expired payment is confirmed by the processor as well', async () => {
  const open = await started();
  const paid = await started();
  adapter.act(paid.id, 'succeeded');
  payments.clock.advance(7 * 86_400_000);
  await payments.app.tasks.expirePayments();
  expect((await payments.read(principal, open.id)).status).toBe('pending');
  await settleDue(payments.app);
  expect(await payments.read(principal, open.id)).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'expired',
  });
  expect((await payments.read(principal, paid.id)).status).toBe('succeeded');
});

test('a callback that is repeated, late, or out of order changes nothing', async () => {
  const { id } = await started();
  const early = adapter.callback(id);
  adapter.act(id, 'processing');
  const processing = adapter.callback(id);
  adapter.act(id, 'succeeded');
  const succeeded = adapter.callback(id);
  for (const message of [succeeded, succeeded, processing, early]) {
    expect((await deliver(message)).statusCode).toBe(204);
  }
  await settleDue(payments.app);
  expect(await historyOf(id)).toEqual(['created', 'action_required', 'succeeded']);
});

test('a callback that repeats the current state does not postpone the next question', async () => {
  const { id } = await started({ payment_method: 'tok_slow' });
  const repeated = adapter.callback(id);
  for (let times = 0; times < 10; times += 1) await deliver(repeated);
  adapter.act(id, 'succeeded');
  expect((await askAfter(10_000, id)).status).toBe('succeeded');
});

test('a callback that repeats the current state during a call leaves the reply valid', async () => {
  const { id } = await started({ payment_method: 'tok_slow' });
  const repeated = adapter.callback(id);
  adapter.act(id, 'succeeded');
  adapter.delayBy(() => deliver(repeated));
  const payment = await askAfter(10_000, id).finally(() => adapter.delayBy(async () => {}));
  expect(payment.status).toBe('succeeded');
});

test('a callback about another action makes a worker ask, because it may be an old one', async () => {
  const { id } = await started();
  const state = adapter.entries.get(id)?.state;
  const next_action = { type: 'redirect', url: 'https://pay.example/old' } as const;
  await deliver(adapter.callback(id, { status: 'action_required', reference: null, next_action }));
  await settleDue(payments.app);
  expect((await payments.read(principal, id)).next_action).toEqual(state?.next_action);
  expect(adapter.callsOf(id)).toEqual(['start', 'status']);
  const { processor_calls = [] } = await payments.stored(principal, id);
  expect(processor_calls).toMatchObject([
    { call: 'start' },
    { call: 'callback', status: 'action_required', error: null },
    { call: 'status' },
  ]);
});

test('a callback never ends a payment twice: the first outcome stays', async () => {
  const { id } = await started({ payment_method: 'tok_1' });
  const failure = { code: 'declined', message: 'No.' };
  expect(
    (await deliver(adapter.callback(id, { status: 'failed', reference: null, failure }))).statusCode,
  ).toBe(204);
  expect(await historyOf(id)).toEqual(['created', 'succeeded']);
});

test('a callback is rejected without the signature of this processor', async () => {
  const { id } = await started();
  const { body, headers } = adapter.callback(id, { status: 'succeeded', reference: null });
  const forged = [
    { body, headers: {} },
    { body: body.replace(id, (await started()).id), headers },
    { body, headers: { ...headers, 'webhook-signature': 'v1,AAAA' } },
    { body, headers: { ...headers, 'webhook-timestamp': '1' } },
  ];
  for (const message of forged) expect((await deliver(message)).statusCode).toBe(401);
  for (const name of ['other', 'x'.repeat(1_000), '%zz']) {
    const response = await deliver({ body, headers }, name);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({
      code: 'route-not-found',
      request_id: response.headers[HEADERS.requestId],
    });
  }
  expect((await payments.read(principal, id)).status).toBe('pending');
});

test('a callback leaves a line in the log with the request id of its response', async () => {
  const { body, headers } = adapter.callback((await started()).id);
  const accepted = await deliver({ body, headers });
  const rejected = await deliver({ body, headers: { ...headers, 'webhook-signature': 'v1,AAAA' } });
  expect(rejected.json().request_id).toBe(rejected.headers[HEADERS.requestId]);
  for (const [response, status] of [
    [accepted, 204],
    [rejected, 401],
  ] as const) {
    const requestId = response.headers[HEADERS.requestId];
    expect(isId('request', String(requestId))).toBe(true);
    expect(linesOf(requestId)).toMatchObject([
      {
        msg: 'request',
        method: 'POST',
        route: '/v1/processor-events/:processor',
        status,
      },
    ]);
  }
});

test('a callback begins a trace, and is recorded as a span', async () => {
  const { body, headers } = adapter.callback((await started()).id);
  const trace = newTraceContext();
  const spans: unknown[] = [];
  recordSpans(({ name, parent }) => ({
    trace,
    end: (outcome) => void spans.push({ name, parent, outcome }),
  }));
  onTestFinished(() => recordSpans(null));
  const response = await deliver({ body, headers });
  expect(spans).toEqual([
    {
      name: 'POST /v1/processor-events/:processor',
      parent: null,
      outcome: { attributes: { 'http.response.status_code': 204 } },
    },
  ]);
  expect(linesOf(response.headers[HEADERS.requestId])).toMatchObject([{ trace_id: trace.traceId }]);
});

test('a callback ignores a request id that the adapter sends', async () => {
  const { body, headers } = adapter.callback((await started()).id);
  const sent = newId('request');
  const response = await deliver({ body, headers: { ...headers, [HEADERS.requestId]: sent } });
  const requestId = response.headers[HEADERS.requestId];
  expect(requestId).not.toBe(sent);
  expect([linesOf(sent), linesOf(requestId)]).toMatchObject([[], [{ status: 204 }]]);
});

test('a callback is rejected for a payment of another processor, and for one that does not exist', async () => {
  const sandbox = await payments.create(aPrincipal());
  const state = { status: 'succeeded', reference: null, amount: 1_000, currency: 'EUR' } as const;
  const unknown = `${sandbox.id.slice(0, -1)}${sandbox.id.endsWith('0') ? '1' : '0'}`;
  for (const id of [sandbox.id, unknown]) {
    expect((await deliver(adapter.callback(id, state))).statusCode).toBe(404);
  }
});

test.each([
  ['no JSON', 'x'],
  ['an unknown status', '{"payment_id":"%","status":"paid","reference":null}'],
  ['a failure without a code', '{"payment_id":"%","status":"failed","reference":null}'],
  ['a success without an amount', '{"payment_id":"%","status":"succeeded","reference":null}'],
  ['an action without a page', '{"payment_id":"%","status":"action_required","reference":null}'],
])('a callback with %s is rejected', async (_name, text) => {
  const { id } = await started();
  const body = text.replace('%', id);
  expect((await deliver(adapter.sign(body))).statusCode).toBe(400);
});

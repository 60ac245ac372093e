import { consume } from '@tollgate/bus/consumer';
import { PaymentEvent } from '@tollgate/contracts/payments/events';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { createLogger } from '@tollgate/runtime/logger';
import { eventually } from '@tollgate/test-kit/eventually';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { currentTrace, runInTrace } from '@tollgate/tracing/current-trace';
import { newTraceContext, type TraceContext, traceHeaders } from '@tollgate/tracing/trace-context';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SWEEP_AFTER_MS } from '../src/outbox/payment-outbox.ts';
import { aNewPayment } from './a-new-payment.ts';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';
import { settleDue } from './settle-due.ts';

let payments: PaymentsUnderTest;
let consumer: { stop(): Promise<void> };
/** The trace that each event continues. */
const traces = new Map<string, TraceContext | null>();
const lines: string[] = [];
let trace: TraceContext;

beforeAll(async () => {
  const logger = createLogger({
    service: 'payments',
    destination: { write: (line) => void lines.push(line) },
  });
  payments = await startPaymentsUnderTest({}, createFakeClock(), logger);
  consumer = consume(payments.bus, {
    stream: 'EVENTS',
    durable: 'test',
    schema: PaymentEvent,
    handle: async ({ body }) => void traces.set(`${body.data.id} ${body.type}`, currentTrace()),
    logger,
  });
}, START_TIMEOUT_MS);
beforeEach(() => {
  trace = newTraceContext();
});
afterAll(async () => {
  await consumer.stop();
  await payments.stop();
});

const create = () =>
  payments.send(aPrincipal(), {
    method: 'POST',
    path: '/v1/payments',
    body: { amount: 1_000, currency: 'EUR' },
    headers: traceHeaders(trace),
  });

async function traceOf(event: string): Promise<TraceContext | null | undefined> {
  await eventually(`the event ${event}`, () => traces.has(event));
  return traces.get(event);
}

it('a request is logged with its trace, and without the path', async () => {
  const response = await create();
  const line = lines.map((each) => JSON.parse(each)).find((each) => each.trace_id === trace.traceId);
  expect(line).toMatchObject({
    msg: 'request',
    level: 'info',
    request_id: response.headers[HEADERS.requestId],
    method: 'POST',
    route: '/v1/payments',
    status: 201,
    duration_ms: expect.any(Number),
  });
});

it('a request passes its trace on to the event of its change, and to those of the settlement', async () => {
  const { id } = (await create()).json<{ id: string }>();
  expect(await traceOf(`${id} payment.created`)).toEqual(trace);
  payments.clock.advance(5_000);
  await settleDue(payments.app);
  expect(await traceOf(`${id} payment.succeeded`)).toEqual(trace);
});

it('an event that another instance publishes later continues the trace of the change', async () => {
  const payment = runInTrace(trace, () => aNewPayment({ createdAt: new Date(payments.clock.now()) }));
  await payments.app.store.insert(payment);
  payments.clock.advance(SWEEP_AFTER_MS + 1);
  const other = await payments.anotherInstance();
  await other.app.tasks.sweepOutbox();
  expect(await traceOf(`${payment._id} payment.created`)).toEqual(trace);
  await other.stop();
});

it('a stored trace that is not valid is left out, and its event is published', async () => {
  const payment = aNewPayment({ createdAt: new Date(payments.clock.now()) });
  await payments.app.store.insert(payment);
  const altered = { $set: { 'history.0.traceparent': 'broken\r\nNats-Rollup: all' } };
  await payments.collection.updateOne({ _id: payment._id as never }, altered);
  payments.clock.advance(SWEEP_AFTER_MS + 1);
  await payments.app.tasks.sweepOutbox();
  expect(await traceOf(`${payment._id} payment.created`)).toBeNull();
});

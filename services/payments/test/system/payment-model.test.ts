import type { Payment } from '@tollgate/contracts/payments/payment';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentDocument } from '../../src/lifecycle/payment.ts';
import { paymentAtVersion } from '../../src/lifecycle/payment-at-version.ts';
import type { EndOutcome } from '../../src/settlement/end-payment.ts';
import { settlePayment } from '../../src/settlement/settle-payment.ts';
import { simulatePayment } from '../../src/settlement/simulate-payment.ts';
import {
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from '../payments-under-test.ts';
import { settleDue } from '../settle-due.ts';

let payments: PaymentsUnderTest;
let other: Awaited<ReturnType<PaymentsUnderTest['anotherInstance']>>;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  other = await payments.anotherInstance();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await other.stop();
  await payments.stop();
});

/** The concurrent operations of one round; `of` picks one of the payments created in earlier rounds. */
type Operation =
  | { do: 'create'; environment: 'live' | 'sandbox'; method: string | null; key: number | null }
  | { do: 'cancel'; of: number; key: number | null }
  | { do: 'decide'; of: number; outcome: 'succeeded' | 'failed' }
  | { do: 'simulate'; of: number; outcome: 'succeeded' | 'failed' | 'expired' }
  | { do: 'work' }
  | { do: 'expire' }
  | { do: 'read'; of: number };

interface Round {
  advanceMs: number;
  operations: Operation[];
}

const key = fc.option(fc.nat(2));
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    environment: fc.constantFrom('live' as const, 'sandbox' as const),
    method: fc.constantFrom(null, 'pm_decline', 'pm_slow', 'pm_hold'),
    key,
  }),
  fc.record({ do: fc.constant('cancel' as const), of: fc.nat(), key }),
  fc.record({
    do: fc.constant('decide' as const),
    of: fc.nat(),
    outcome: fc.constantFrom('succeeded' as const, 'failed' as const),
  }),
  fc.record({
    do: fc.constant('simulate' as const),
    of: fc.nat(),
    outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'expired' as const),
  }),
  fc.constant({ do: 'work' as const }),
  fc.constant({ do: 'expire' as const }),
  fc.record({ do: fc.constant('read' as const), of: fc.nat() }),
);
const round: fc.Arbitrary<Round> = fc.record({
  // Below and at the settlement delay, a lease, pm_slow's minute, and both expiries.
  advanceMs: fc.constantFrom(0, 1, 4_999, 5_000, 30_000, 60_000, 86_400_000, 604_800_000),
  operations: fc.array(operation, { minLength: 1, maxLength: 10 }),
});

const LEGAL_HISTORIES = [
  ['payment.created'],
  ['payment.created', 'payment.canceled'],
  ['payment.created', 'payment.processing'],
  ['payment.created', 'payment.processing', 'payment.succeeded'],
  ['payment.created', 'payment.processing', 'payment.failed'],
  // The sandbox had started the payment, but not replied yet.
  ['payment.created', 'payment.cancellation_requested'],
  ['payment.created', 'payment.cancellation_requested', 'payment.canceled'],
];

test('create, cancel, settle, simulate, and expire, all at once on two instances, never make an illegal transition, lose a version, or settle twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 8 }), async (rounds) => {
      const run = startRun();
      for (const { advanceMs, operations } of rounds) {
        payments.clock.advance(advanceMs);
        await Promise.all(operations.map((each, index) => run.carryOut(each, index)));
        await run.check();
      }
    }),
    { numRuns: 40 },
  );
}, 300_000);

function startRun() {
  const application = aPrincipal();
  const known: Payment[] = [];
  const seen: Payment[] = [];
  const changesReported = new Map<string, number>();
  let before = new Map<string, PaymentDocument>();

  function report(payment: Payment) {
    changesReported.set(payment.id, (changesReported.get(payment.id) ?? 0) + 1);
  }

  async function send(
    index: number,
    environment: 'live' | 'sandbox',
    method: 'GET' | 'POST',
    path: string,
    more: object,
  ) {
    const instance = index % 2 === 0 ? payments.app : other.app;
    const response = await payments.send(
      { ...application, environment },
      { method, path, ...more },
      instance,
    );
    const isFirst = response.headers['idempotent-replayed'] === undefined;
    if (response.statusCode < 300) seen.push(response.json());
    return { status: response.statusCode, isFirst, payment: response.json<Payment>() };
  }

  async function carryOut(operation: Operation, index: number): Promise<void> {
    const instance = index % 2 === 0 ? payments.app : other.app;
    if (operation.do === 'work') return settleDue(instance);
    if (operation.do === 'expire') return instance.tasks.expirePayments();
    if (operation.do === 'create') {
      const body = { amount: 100, currency: 'EUR', payment_method: operation.method };
      const more = { body, ...(operation.key !== null && { key: `${operation.key}` }) };
      const { status, payment } = await send(index, operation.environment, 'POST', '/v1/payments', more);
      expect([201, 422]).toContain(status);
      if (status === 201) known.push(payment);
      return;
    }
    const payment = known[operation.of % known.length];
    if (payment) await touch(payment, operation, index, instance);
  }

  async function touch(
    { id, environment }: Payment,
    operation: Exclude<Operation, { do: 'create' | 'work' | 'expire' }>,
    index: number,
    instance: PaymentsUnderTest['app'],
  ): Promise<void> {
    if (operation.do === 'read') {
      await send(index, environment, 'GET', `/v1/payments/${id}`, {});
    } else if (operation.do === 'cancel') {
      const more = operation.key === null ? {} : { key: `${operation.key}` };
      const { status } = await send(index, environment, 'POST', `/v1/payments/${id}/cancel`, more);
      expect([200, 202, 409, 422]).toContain(status);
    } else {
      await end(id, operation, instance);
    }
  }

  async function end(
    paymentId: string,
    { do: how, outcome: status }: Extract<Operation, { do: 'decide' | 'simulate' }>,
    instance: PaymentsUnderTest['app'],
  ) {
    const actor = anActor(application, 'admin');
    const requestId = newId('request');
    const outcome = outcomeOf(status);
    try {
      const ended =
        how === 'simulate' || outcome.status === 'expired'
          ? await simulatePayment(instance, actor, { payment_id: paymentId, outcome }, requestId)
          : await settlePayment(instance, actor, { payment_id: paymentId, outcome }, requestId);
      seen.push(ended);
      if (status === 'failed') report(ended);
    } catch (error) {
      if (!(error instanceof Problem) || error.details.code !== 'conflict') throw error;
    }
  }

  async function check(): Promise<void> {
    const documents = await payments.collection
      .find<PaymentDocument>({ application_id: application.application_id })
      .toArray();
    const now = new Map(documents.map((document) => [document._id, document]));
    for (const document of documents) {
      const types = document.history.map(({ type }) => type);
      expect(LEGAL_HISTORIES).toContainEqual(types);
      expect(document.history.map(({ version }) => version)).toEqual(types.map((_, index) => index + 1));
      expect(document.version).toBe(types.length);
      expect(document.status).toBe(paymentAtVersion(document).status);
      const earlier = before.get(document._id)?.history ?? [];
      expect(types.slice(0, earlier.length)).toEqual(earlier.map(({ type }) => type));
      // Each decision to fail has its own code: two that both report success would be two settlements.
      expect(changesReported.get(document._id) ?? 0).toBeLessThanOrEqual(1);
    }
    // All readers of a version saw the same state, and no reader saw a state that never existed.
    for (const payment of seen) {
      const document = now.get(payment.id);
      expect(payment).toMatchObject(document ? paymentAtVersion(document, payment.version) : {});
    }
    expect(new Set(known.map(({ id }) => id))).toEqual(new Set(now.keys()));
    before = now;
  }

  return { carryOut, check };
}

/** Each failure has its own code. */
function outcomeOf(status: EndOutcome['status']): EndOutcome {
  if (status !== 'failed') return { status };
  return { status, failure: { code: `code_${newId('request').slice(-26)}`, message: 'No.' } };
}

import type { PaymentStatus } from '@tollgate/contracts/payments/payment';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentDocument } from '../../src/lifecycle/payment.ts';
import { MAX_INTERVAL_MS } from '../../src/processing/apply-state.ts';
import { aLivePrincipal, startWithAdapter } from '../adapter-under-test.ts';
import { START_TIMEOUT_MS } from '../payments-under-test.ts';
import type { Fault, ScriptedAdapter } from '../scripted-adapter.ts';
import { settleDue } from '../settle-due.ts';

const PAYMENTS = Number(process.env['FAULT_PAYMENTS'] ?? 150);
const SEED = Number(process.env['FAULT_SEED'] ?? 1);
/** Payments that are created before each round of faults. */
const ROUND_SIZE = 50;
const METHODS = [null, null, 'tok_1', 'tok_slow', 'tok_rejected'];
/** How long a call waits for an adapter that hangs. A busy machine is slow, too. */
const HANG_MS = 1_000;
const FAULTS: Fault[] = ['unreachable', 'lost', 'error', 'garbage', 'unsigned', 'replayed', 'hang'];
const TIMEOUT_MS = 60_000 + PAYMENTS * 100;

const principal = aLivePrincipal();
const random = seededRandom(SEED);
const chance = (probability: number) => random() < probability;
const oneOf = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;

let context: Awaited<ReturnType<typeof startWithAdapter>>;
let other: Awaited<ReturnType<typeof context.payments.anotherInstance>>;
beforeAll(async () => {
  context = await startWithAdapter({ deadlineMs: HANG_MS });
  other = await context.payments.anotherInstance();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await other.stop();
  await context.stop();
});

test(
  `${PAYMENTS} payments at an adapter that fails in every way are charged at most once, and none is ended by a guess`,
  async () => {
    const { adapter, payments, cancel, deliver } = context;
    const delayed: ReturnType<ScriptedAdapter['callback']>[] = [];
    const ids: string[] = [];
    let faults = 0;
    adapter.fail(() => {
      // A hanging call costs its whole deadline, so there are fewer of them.
      const fault = chance(0.4) ? oneOf(FAULTS) : 'none';
      const isUsed = fault !== 'hang' || chance(0.1);
      if (fault !== 'none' && isUsed) faults += 1;
      return isUsed ? fault : 'none';
    });

    /** The payer acts; the callback is lost, sent at once, repeated, or sent much later. */
    async function pay(id: string): Promise<void> {
      if (
        !adapter.entries.has(id) ||
        !adapter.act(id, oneOf(['succeeded', 'succeeded', 'failed', 'canceled']))
      )
        return;
      const callback = adapter.callback(id);
      if (chance(0.3)) return;
      if (chance(0.5)) delayed.push(callback);
      if (chance(0.5)) await deliver(callback);
    }

    async function round(): Promise<void> {
      const created = Array.from({ length: Math.min(ROUND_SIZE, PAYMENTS - ids.length) }, () =>
        payments.create(principal, { payment_method: oneOf(METHODS) }),
      );
      for (const { id } of await Promise.all(created)) ids.push(id);
      const isDown = chance(0.2);
      if (isDown) await adapter.kill();
      const touched = Array.from({ length: ROUND_SIZE }, () => oneOf(ids));
      await Promise.all([
        settleDue(payments.app),
        settleDue(other.app),
        ...touched.map((id) => (chance(0.2) ? cancel(principal, id) : pay(id))),
      ]);
      if (isDown) await adapter.restart();
      // Out of order: the newest of the delayed ones first.
      while (delayed.length > ROUND_SIZE) await deliver(delayed.pop() as (typeof delayed)[number]);
      payments.clock.advance(oneOf([1_000, 5_000, 30_000]));
    }

    while (ids.length < PAYMENTS) await round();
    for (let more = 0; more < 5; more += 1) await round();
    adapter.fail(() => 'none');
    await settleOnce(MAX_INTERVAL_MS);

    expect(faults).toBeGreaterThan(PAYMENTS / 5);
    const statuses = await checkAll(ids);
    // All outcomes occurred, so that the checks had something to find.
    for (const status of ['pending', 'processing', 'succeeded', 'failed', 'canceled'] as const) {
      expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
    }
  },
  TIMEOUT_MS,
);

/** After this long without faults, Tollgate must know everything. The breaker's wait is real time, so a trial may be needed. */
async function settleOnce(ms: number): Promise<void> {
  const { payments } = context;
  payments.clock.advance(ms);
  await settleDue(payments.app);
  await settleDue(other.app);
}

/** Compares every payment with the processor's ledger. Returns the number of payments by status. */
async function checkAll(ids: string[]): Promise<Map<PaymentStatus, number>> {
  const { adapter, payments } = context;
  const documents = await payments.collection
    .find<PaymentDocument>({ application_id: principal.application_id })
    .toArray();
  expect(new Set(documents.map(({ _id }) => _id))).toEqual(new Set(ids));
  const statuses = new Map<PaymentStatus, number>();
  for (const { _id, status, settlement, history } of documents) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const entry = adapter.entries.get(_id);
    const seen = {
      id: _id,
      status,
      charges: entry?.charges ?? 0,
      processor: entry?.state.status ?? 'never started',
    };
    expect(seen).toEqual({ ...seen, charges: status === 'succeeded' ? 1 : 0 });
    expect(seen).toEqual({ ...seen, processor: expect.stringMatching(EXPECTED[status]) });
    const wasNeverStarted = settlement.started_at === undefined;
    if (wasNeverStarted)
      expect(history.map(({ type }) => type)).toEqual(['payment.created', 'payment.canceled']);
  }
  return statuses;
}

/** What the processor may say about a payment in each status. It keeps no record of a payment that it rejects. */
const EXPECTED: Record<PaymentStatus, RegExp> = {
  pending: /^action_required$/,
  processing: /^processing$/,
  succeeded: /^succeeded$/,
  failed: /^(failed|canceled|never started)$/,
  canceled: /^(canceled|never started)$/,
};

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ProcessorStatus } from '@tollgate/contracts/payments/payment';
import { expect, it } from 'vitest';
import { isFinal } from '../src/contract/final-status.ts';
import type { PaymentState } from '../src/contract/payment-state.ts';
import { type AdapterUnderTest, startAdapter } from './support/adapter-under-test.ts';
import { PAY_HERE } from './support/scripted-processor.ts';
import { aPayment, MONEY } from './support/tollgate.ts';

const ROUNDS = 6;
const OPERATIONS = 60;
const PAYMENTS = 4;

/** Reproduces a failure: `SEED=… npx vitest run packages/processor-adapter/test/random-operations.test.ts`. */
const SEED = Number(process.env['SEED'] ?? randomInt(1_000_000));

/** Mulberry32. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (share: number) => next() < share,
    pick: <T>(from: readonly T[]) => from[Math.floor(next() * from.length)] as T,
  };
}

const RANK: Record<ProcessorStatus, number> = {
  action_required: 0,
  processing: 1,
  succeeded: 2,
  failed: 2,
  canceled: 2,
};

/** What happens at the processor without the adapter. */
function payerActs({ processor }: AdapterUnderTest, id: string, status: 'processing' | 'succeeded'): void {
  const state = processor.payments.get(id);
  if (state && !isFinal(state)) processor.payments.set(id, { status, reference: state.reference, ...MONEY });
}

it(`random calls, webhooks, payers, failures, and restarts never lose a payment, charge a canceled one, or go back (seed ${SEED})`, {
  timeout: 60_000,
}, async () => {
  for (let round = 0; round < ROUNDS; round += 1) await runRound(SEED + round);
});

async function runRound(seed: number): Promise<void> {
  const random = createRandom(seed);
  const adapter = await startAdapter();
  const { processor, tollgate, receiver, clock } = adapter;
  const payments = Array.from({ length: PAYMENTS }, () => aPayment());
  const reported = new Map<string, PaymentState>();
  /** A request to the processor takes a while, and fails with this probability. */
  const unreliable = (share: number) => async () => {
    while (random.chance(0.7)) await setImmediate();
    if (random.chance(share)) throw new Error('connection reset');
  };
  processor.newState = ({ id }) => ({
    status: 'action_required',
    reference: `ref_${id}`,
    next_action: PAY_HERE,
  });

  function check(id: string, { status, body }: { status: number; body: Record<string, unknown> }): void {
    if (status !== 200) {
      expect([404, 502]).toContain(status);
      return;
    }
    const [before, now] = [reported.get(id), body as PaymentState];
    if (before && isFinal(before)) expect(now).toEqual(before);
    else if (before) expect(RANK[now.status]).toBeGreaterThanOrEqual(RANK[before.status]);
    reported.set(id, now);
  }

  for (let step = 0; step < OPERATIONS; step += 1) {
    processor.before = unreliable(0.15);
    processor.after = unreliable(0.15);
    receiver.status = random.chance(0.3) ? 503 : 204;
    const payment = random.pick(payments);
    const { id } = payment;
    const operation = random.pick([
      'start',
      'start',
      'status',
      'cancel',
      'pay',
      'webhook',
      'restart',
      'wait',
      'race',
    ]);
    if (operation === 'start') check(id, await tollgate.start(payment));
    if (operation === 'status') check(id, await tollgate.status(id));
    if (operation === 'cancel' && random.chance(0.4)) check(id, await tollgate.cancel(id));
    if (operation === 'pay') payerActs(adapter, id, random.pick(['processing', 'succeeded']));
    if (operation === 'webhook') await adapter.webhook({ paymentId: id });
    if (operation === 'restart' && random.chance(0.3)) await adapter.restart();
    if (operation === 'wait') clock.advance(60_000);
    if (operation === 'race') {
      const calls = [tollgate.start(payment), tollgate.start(payment), adapter.webhook({ paymentId: id })];
      if (random.chance(0.3)) calls.push(tollgate.cancel(id));
      for (const { status } of await Promise.all(calls)) expect([200, 502]).toContain(status);
    }
  }

  expect(processor.overlaps).toBe(0);
  processor.before = () => {};
  processor.after = () => {};
  for (const payment of payments) {
    const { status, body } = await tollgate.start(payment);
    expect(status).toBe(200);
    check(payment.id, { status, body });
    const actual = processor.payments.get(payment.id);
    // Without the payment at the processor, no money can move.
    if (actual === undefined) expect(body).toMatchObject({ status: 'canceled' });
    else expect(body['status']).toBe(actual.status);
  }
  // The adapter never contradicts its callback.
  for (const { body } of receiver.received) {
    const last = reported.get(String(body['payment_id'])) as PaymentState;
    expect(RANK[body['status'] as ProcessorStatus]).toBeLessThanOrEqual(RANK[last.status]);
    if (isFinal(body as PaymentState)) expect(body['status']).toBe(last.status);
  }
}

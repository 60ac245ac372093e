import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import { describe, expect, it } from 'vitest';
import { processorPayment, recurringPayment, setUp } from './support.ts';

const RUNS = 300;
const STEPS = 12;
const MINUTE_MS = 60_000;
const FINAL = ['succeeded', 'failed', 'canceled'];

/**
 * Random calls, failures, and moments: requests that are lost, carried out without a response, or carried out late; hours that
 * pass; payers and banks that act in between. Each run is repeatable by its seed.
 */
describe('whatever fails', () => {
  it.each(Array.from({ length: RUNS }, (_, seed) => seed))(
    'charges at most once, and reports what was charged (seed %i)',
    async (seed) => {
      const run = await createRun(createRandom(seed));

      for (let step = 0; step < STEPS && !run.isFinal(); step++) await run.step();
      await run.settle();

      const { account } = run.mollie;
      expect(account.charges.length).toBeLessThanOrEqual(1);
      expect(run.state?.status === 'succeeded', JSON.stringify(run.state)).toBe(account.charges.length === 1);
    },
  );
});

async function createRun(random: Random) {
  const { adapter, mollie, clock } = await setUp();
  const { account } = mollie;
  const payment = random.chance(0.7) ? recurringPayment() : processorPayment();
  const firstStartedAt = new Date(clock.now());
  account.recurringStatus = random.pick(['paid', 'paid', 'pending', 'failed']);
  let state: PaymentState | null = null;
  let isCanceling = false;
  let releaseLateRequest = (): void => undefined;

  /** What Tollgate and the runtime do: no start after a cancellation, and no call after a final state. */
  async function call(): Promise<void> {
    const aborted = new AbortController();
    const { signal } = aborted;
    addFault(aborted);
    isCanceling ||= random.chance(0.15);
    const started = { payment, reference: state?.reference ?? null, firstStartedAt };
    try {
      if (isCanceling) state = await adapter.cancel(started, { signal });
      else if (state) state = await adapter.status(started, { signal });
      else state = await adapter.start(payment, { firstStartedAt, signal });
    } catch {
      // The outcome is unknown, and the call is repeated.
    }
    mollie.faults.length = 0;
  }

  function addFault(aborted: AbortController): void {
    const method = random.pick(['POST', 'POST', 'POST', 'GET', 'DELETE'] as const);
    if (random.chance(0.3)) {
      const late = Promise.withResolvers<void>();
      const releaseEarlier = releaseLateRequest;
      releaseLateRequest = () => [releaseEarlier, late.resolve].forEach((release) => void release());
      const before = () => {
        aborted.abort();
        return late.promise;
      };
      mollie.faults.push({ method, before });
    } else if (random.chance(0.9)) {
      const kind = random.pick([
        'lost-request',
        'lost-response',
        'lost-response',
        'garbage',
        'proxy-error',
        409,
        429,
        500,
      ] as const);
      mollie.faults.push({ method, kind });
    }
  }

  /** A request reaches Mollie late, but within minutes. */
  async function carryOutLateRequests(): Promise<void> {
    releaseLateRequest();
    await mollie.idle();
  }

  /** Nobody can pay a payment on a checkout page whose address Tollgate does not have. */
  function actAsPayerOrBank(): void {
    const { id } = account.payments.find(({ request }) => request.metadata?.['payment_id']) ?? {};
    const stored = account.payments.find((candidate) => candidate.id === id);
    if (!stored || !['open', 'pending'].includes(stored.status)) return;
    const canBePaid = stored.request.customerId !== undefined || state?.status === 'action_required';
    if (random.chance(0.3)) account.allowCancel(stored.id);
    else
      account.settle(
        stored.id,
        canBePaid ? random.pick(['paid', 'failed', 'pending', 'expired']) : 'expired',
      );
  }

  return {
    mollie,
    get state() {
      return state;
    },
    isFinal: () => state !== null && FINAL.includes(state.status),
    async step(): Promise<void> {
      await call();
      if (random.chance(0.3)) actAsPayerOrBank();
      if (random.chance(0.3)) await carryOutLateRequests();
      if (random.chance(0.4)) {
        await carryOutLateRequests();
        clock.advance(random.pick([1, 20, 45, 61, 600]) * MINUTE_MS);
      }
    },
    /** Nothing fails any more, and the bank or the payer decides. */
    async settle(): Promise<void> {
      await carryOutLateRequests();
      for (const { id, status } of account.payments) {
        if (['open', 'pending'].includes(status)) account.settle(id, 'expired');
      }
      if (state !== null && FINAL.includes(state.status)) return;
      const { signal } = new AbortController();
      // An idempotency key that belongs to another request is free again after an hour.
      clock.advance(120 * MINUTE_MS);
      const started = {
        payment,
        reference: (state as PaymentState | null)?.reference ?? null,
        firstStartedAt,
      };
      state = isCanceling
        ? await adapter.cancel(started, { signal })
        : await adapter.status(started, { signal });
    },
  };
}

type Random = ReturnType<typeof createRandom>;

/** Mulberry32: small, and the same on every machine. */
function createRandom(seed: number) {
  let value = seed;
  function next(): number {
    value = (value + 0x6d2b79f5) | 0;
    let mixed = Math.imul(value ^ (value >>> 15), 1 | value);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    chance: (probability: number) => next() < probability,
    pick: <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)] as Value,
  };
}

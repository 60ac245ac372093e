import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aLivePrincipal, startWithAdapter } from '../adapter-under-test.ts';
import { START_TIMEOUT_MS } from '../payments-under-test.ts';
import { settleDue } from '../settle-due.ts';

const RUNS = Number(process.env['INTERLEAVINGS'] ?? 100);
const principal = aLivePrincipal();

let context: Awaited<ReturnType<typeof startWithAdapter>>;
beforeAll(async () => {
  context = await startWithAdapter();
}, START_TIMEOUT_MS);
afterAll(() => context.stop());

/**
 * The payer pays right before one of the calls to the adapter takes effect, or after all of them. Every other step waits a
 * number of turns of the event loop.
 */
const interleaving = fc.record({
  paysBeforeCall: fc.nat(4),
  adapterTurns: fc.nat(12),
  callbackTurns: fc.nat(10),
  cancelTurns: fc.nat(25),
  workerTurns: fc.nat(25),
  secondCancelTurns: fc.option(fc.nat(40)),
  isCallbackLost: fc.boolean(),
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

test(`a payment that is canceled at the moment of paying is either canceled or paid, in ${RUNS} interleavings`, async () => {
  const { adapter, payments, cancel, deliver } = context;
  const outcomes = { canceled: 0, succeeded: 0 };
  await fc.assert(
    fc.asyncProperty(interleaving, async (steps) => {
      adapter.delayBy(() => turns(0));
      const { id } = await payments.create(principal);
      await settleDue(payments.app);
      let calls = 0;
      let paying: Promise<void> | null = null;
      adapter.delayBy(async () => {
        const isMomentToPay = calls === steps.paysBeforeCall;
        calls += 1;
        await turns(steps.adapterTurns);
        if (isMomentToPay) paying = pay();
      });

      const canceling = async (waitTurns: number) => {
        await turns(waitTurns);
        return cancel(principal, id);
      };
      const pay = async () => {
        if (!adapter.act(id, 'succeeded') || steps.isCallbackLost) return;
        await turns(steps.callbackTurns);
        expect((await deliver(adapter.callback(id))).statusCode).toBe(204);
      };
      const working = async () => {
        await turns(steps.workerTurns);
        await settleDue(payments.app);
      };
      const responses = await Promise.all([
        canceling(steps.cancelTurns),
        ...(steps.secondCancelTurns === null ? [] : [canceling(steps.secondCancelTurns)]),
        working(),
      ]);
      await (paying ?? pay());
      await payments.settleAfter(300_000);

      const charges = adapter.entries.get(id)?.charges;
      const payment = await payments.read(principal, id);
      expect(payment.status).toBe(charges === 1 ? 'succeeded' : 'canceled');
      expect(adapter.entries.get(id)?.state.status).toBe(payment.status);
      const statusCodes = responses.flatMap((response) => (response ? [response.statusCode] : []));
      const allowed = payment.status === 'canceled' ? [200, 202] : [409, 202];
      for (const statusCode of statusCodes) expect(allowed).toContain(statusCode);
      const ends = (await payments.stored(principal, id)).history.filter(({ type }) =>
        ['payment.succeeded', 'payment.canceled', 'payment.failed'].includes(type),
      );
      expect(ends).toHaveLength(1);
      outcomes[payment.status as keyof typeof outcomes] += 1;
    }),
    { numRuns: RUNS },
  );
  // Otherwise the steps do not overlap, and the test proves nothing.
  expect(Math.min(outcomes.canceled, outcomes.succeeded)).toBeGreaterThan(RUNS / 20);
}, 600_000);

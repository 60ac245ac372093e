import type { AdapterRule } from '@tollgate/processor-adapter/contract/rules';
import type { Exchange } from '../adapter-caller.ts';
import type { Check } from '../check.ts';
import { Finding } from '../finding.ts';
import type { Handle } from '../relay.ts';
import { type Suite, stateOf } from '../suite.ts';

const AT_ONCE = 5;

/** @param rule what a response without a state breaks, by default the rule of the check */
function expectState(exchange: Exchange, status: string, why: string, rule?: AdapterRule): void {
  if (stateOf(exchange, rule).status !== status) throw new Finding(`the status ${status}, ${why}`, exchange);
}

/**
 * The state that the adapter has stored proves nothing, so the processor is asked again.
 *
 * @throws Finding when money can move, although the cancellation responded that it cannot
 */
export async function expectNoMoney(suite: Suite, id: string): Promise<void> {
  let questions = 0;
  const counting: Handle = (_, pass) => {
    questions += 1;
    return pass();
  };
  const ask = () => suite.status(id, { asksAgain: true });
  const { processor } = suite.relays;
  const exchange = await (processor ? processor.during(counting, ask) : ask());
  const { status, reference } = stateOf(exchange, 'status-asks-again');
  if (processor && questions === 0 && reference !== null)
    throw new Finding('a question to the processor', exchange, 'status-asks-again');
  if (status !== 'canceled' && status !== 'failed')
    throw new Finding('canceled or failed from the processor, as the cancellation responded', exchange);
}

export const CANCEL_CHECKS: Check[] = [
  {
    name: 'responds to a cancellation with canceled, or with the actual status',
    rule: 'cancel-too-late-reports-state',
    async run(suite) {
      const { payment } = await suite.started();
      const exchange = await suite.cancel(payment.id);
      const { status } = stateOf(exchange);
      if (status !== 'action_required') return;
      // Some processors cannot cancel while the payer may be paying.
      expectState(await suite.status(payment.id), status, 'as the cancellation responded');
    },
  },
  {
    name: 'keeps a canceled payment canceled',
    rule: 'cancel-prevents-money',
    async run(suite) {
      const { payment } = await suite.started();
      const canceled = stateOf(await suite.cancel(payment.id), 'cancel-too-late-reports-state');
      if (canceled.status !== 'canceled') return;
      expectState(await suite.status(payment.id), 'canceled', 'as the cancellation responded');
      await expectNoMoney(suite, payment.id);
    },
  },
  {
    name: 'does not start a canceled payment again',
    rule: 'status-does-not-regress',
    async run(suite) {
      const { payment } = await suite.started();
      const canceled = stateOf(await suite.cancel(payment.id), 'cancel-too-late-reports-state');
      if (canceled.status !== 'canceled') return;
      expectState(
        await suite.start(payment, { note: 'after its cancellation' }),
        'canceled',
        'which is final',
        'start-is-idempotent',
      );
    },
  },
  {
    name: 'returns the same result when a cancellation is repeated',
    rule: 'cancel-is-idempotent',
    async run(suite) {
      const { payment } = await suite.started();
      const { status } = stateOf(await suite.cancel(payment.id), 'cancel-too-late-reports-state');
      const repeated = await Promise.all(Array.from({ length: AT_ONCE }, () => suite.cancel(payment.id)));
      for (const exchange of repeated) {
        const again = stateOf(exchange).status;
        if (status === 'canceled' && again !== status)
          throw new Finding('the status canceled, as the first cancellation responded', exchange);
      }
    },
  },
  {
    name: 'keeps a payment canceled that is started after its cancellation',
    rule: 'cancel-before-start-holds',
    async run(suite) {
      const payment = suite.payment();
      expectState(await suite.cancel(payment.id), 'canceled', 'because it was never started');
      const note = 'after a cancellation';
      expectState(await suite.start(payment, { note }), 'canceled', 'because it was canceled before');
      expectState(await suite.status(payment.id), 'canceled', 'because it was canceled before');
    },
  },
  {
    name: 'reports that a succeeded payment cannot be canceled',
    rule: 'cancel-too-late-reports-state',
    scenario: 'succeeded',
    async run(suite) {
      const { payment } = await suite.started('succeeded');
      await suite.settled(payment, 'succeeded');
      expectState(await suite.cancel(payment.id), 'succeeded', 'because the money has moved');
    },
  },
];

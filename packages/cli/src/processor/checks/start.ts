import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import type { Exchange } from '../adapter-caller.ts';
import type { Check } from '../check.ts';
import { Finding } from '../finding.ts';
import { stateOf } from '../suite.ts';

const AT_ONCE = 10;

function expectSamePayment(exchange: Exchange, { reference }: PaymentState): void {
  // Not the status: the payment may have changed in the meantime.
  if (stateOf(exchange).reference !== reference)
    throw new Finding(`the reference ${JSON.stringify(reference)} of the same payment`, exchange);
}

export const START_CHECKS: Check[] = [
  {
    name: 'starts a payment',
    rule: 'start-responds-with-state',
    run: async (suite) => void (await suite.started()),
  },
  {
    name: 'starts a payment once when the start is repeated',
    rule: 'start-is-idempotent',
    async run(suite) {
      const { payment, state } = await suite.started();
      expectSamePayment(await suite.start(payment, { note: 'again' }), state);
    },
  },
  {
    name: `starts a payment once when it is started ${AT_ONCE} times at once`,
    rule: 'start-is-idempotent',
    async run(suite) {
      await suite.started();
      const payment = suite.payment();
      const note = `${AT_ONCE} times at once`;
      const exchanges = await Promise.all(
        Array.from({ length: AT_ONCE }, () => suite.start(payment, { note })),
      );
      const first = stateOf(exchanges[0] as Exchange);
      for (const exchange of exchanges) expectSamePayment(exchange, first);
    },
  },
];

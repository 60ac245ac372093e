import type { Check } from '../check.ts';
import { Finding } from '../finding.ts';
import { expectStatus, stateOf } from '../suite.ts';

export const STATUS_CHECKS: Check[] = [
  {
    name: 'reports the status of a started payment',
    rule: 'status-is-current',
    async run(suite) {
      const { payment, state } = await suite.started();
      const exchange = await suite.status(payment.id);
      if (stateOf(exchange).reference !== state.reference)
        throw new Finding(
          `the reference ${JSON.stringify(state.reference)} that the start returned`,
          exchange,
        );
    },
  },
  {
    name: 'responds with 404 about a payment that was never started',
    rule: 'status-of-unknown-is-404',
    run: async (suite) => expectStatus(await suite.status(suite.payment().id), 404),
  },
];

import type { ProcessorStatus } from '@tollgate/contracts/payment';
import { hasMoneyOf } from '@tollgate/processor-adapter/contract/has-money-of';
import { MalformedBody, readRejection } from '@tollgate/processor-adapter/contract/read-state';
import type { Check } from '../check.ts';
import { Finding } from '../finding.ts';
import { expectStatus, type Suite, stateOf } from '../suite.ts';
import { expectSigned } from './signatures.ts';

/** Reports these outcomes, at once or after a while. */
function reports(
  status: ProcessorStatus & ('succeeded' | 'failed' | 'action_required' | 'processing'),
): Check {
  return {
    name: `reports the status ${status}`,
    rule: 'status-is-current',
    scenario: status,
    async run(suite) {
      const { payment, state } = await suite.started(status);
      if (state.status !== status) await suite.settled(payment.id, status);
    },
  };
}

function keeps(status: 'succeeded' | 'failed'): Check {
  return {
    name: `never changes the status ${status}`,
    rule: 'status-does-not-regress',
    scenario: status,
    async run(suite) {
      const { payment } = await suite.started(status);
      await suite.settled(payment.id, status);
      await suite.cancel(payment.id);
      const started = await suite.start(payment, { note: `after ${status}` });
      stateOf(started, 'start-is-idempotent');
      for (const exchange of [await suite.status(payment.id), started]) {
        if (stateOf(exchange).status !== status)
          throw new Finding(`the status ${status}, which is final`, exchange);
      }
    },
  };
}

export const OUTCOME_CHECKS: Check[] = [
  reports('succeeded'),
  reports('failed'),
  reports('action_required'),
  reports('processing'),
  {
    name: 'reports the amount and the currency that have moved',
    rule: 'success-has-amount',
    scenario: 'succeeded',
    async run(suite) {
      const { payment } = await suite.started('succeeded');
      await suite.settled(payment.id, 'succeeded');
      const exchange = await suite.status(payment.id);
      if (!hasMoneyOf(payment, stateOf(exchange)))
        throw new Finding(`the amount ${payment.amount} and the currency ${payment.currency}`, exchange);
    },
  },
  keeps('succeeded'),
  keeps('failed'),
  {
    name: 'asks the processor again about a payment that has ended',
    rule: 'status-asks-again',
    scenario: 'succeeded',
    async run(suite) {
      const { payment } = await suite.started('succeeded');
      await suite.settled(payment.id, 'succeeded');
      const exchange = await suite.status(payment.id, { asksAgain: true });
      if (stateOf(exchange, 'status-asks-again').status !== 'succeeded')
        throw new Finding('the status succeeded, because nothing has changed at the processor', exchange);
    },
  },
  {
    name: 'never asks the payer to act after processing',
    rule: 'status-does-not-regress',
    scenario: 'processing',
    async run(suite) {
      const { payment } = await suite.started('processing');
      await suite.settled(payment.id, 'processing');
      await suite.cancel(payment.id);
      const exchange = await suite.status(payment.id);
      if (stateOf(exchange).status === 'action_required')
        throw new Finding('processing or a final status', exchange);
    },
  },
  {
    name: 'rejects a payment that the processor does not accept',
    rule: 'start-rejects-with-422',
    scenario: 'rejected',
    async run(suite) {
      const exchange = await suite.start(suite.payment('rejected'));
      expectStatus(exchange, 422);
      try {
        readRejection(exchange.body);
      } catch (error) {
        if (!(error instanceof MalformedBody)) throw error;
        throw new Finding(`a failure. ${error.message}`, exchange);
      }
      expectSigned(suite, exchange);
    },
  },
  {
    name: 'leaves the outcome open when the processor fails',
    rule: 'errors-decide-nothing',
    scenario: 'error',
    run: expectUndecided,
  },
  {
    name: 'responds in time while the processor is slow',
    rule: 'responds-in-time',
    scenario: 'slow',
    // Any response will do. The caller reports one that takes too long.
    run: async (suite) => void (await suite.start(suite.payment('slow'))),
  },
];

async function expectUndecided(suite: Suite): Promise<void> {
  const exchange = await suite.start(suite.payment('error'));
  if (exchange.status === null || exchange.status < 500)
    throw new Finding('status 5xx, because the outcome is unknown', exchange);
}

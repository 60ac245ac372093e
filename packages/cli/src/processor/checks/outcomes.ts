import type { ProcessorStatus } from '@tollgate/contracts/payments/payment';
import { MalformedBody, readRejection } from '@tollgate/processor-adapter/contract/read-state';
import type { Check } from '../check.ts';
import { Finding } from '../finding.ts';
import { expectStatus, stateOf } from '../suite.ts';
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
      if (state.status !== status) await suite.settled(payment, status);
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
      await suite.settled(payment, status);
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
  keeps('succeeded'),
  keeps('failed'),
  {
    name: 'asks the processor again about a payment that has ended',
    rule: 'status-asks-again',
    scenario: 'succeeded',
    async run(suite) {
      const { payment } = await suite.started('succeeded');
      await suite.settled(payment, 'succeeded');
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
      await suite.settled(payment, 'processing');
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
];

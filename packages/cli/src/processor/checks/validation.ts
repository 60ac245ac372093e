import { ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import type { Check } from '../check.ts';
import { expectStatus, type Suite, stateOf } from '../suite.ts';

/** Fields of a start that break the contract, by what is wrong. */
const INVALID: Record<string, object> = {
  'an amount in a string': { amount: '1250' },
  'an amount of 0': { amount: 0 },
  'a fraction of a minor unit': { amount: 12.5 },
  'a currency in lowercase': { currency: 'eur' },
  'metadata with a number': { metadata: { order: 1 } },
};

async function expectRejected(suite: Suite, id: string, body: string, note: string): Promise<void> {
  expectStatus(await suite.caller.call('start', id, body, { note }), 400);
}

export const VALIDATION_CHECKS: Check[] = [
  {
    name: 'rejects a body that is not JSON',
    rule: 'requests-are-validated',
    async run(suite) {
      const { id } = suite.payment();
      const response = await suite.caller.call('start', id, `{"id":"${id}",`, { note: 'malformed JSON' });
      // 401 is also right: without a payment, the id of the signature cannot be compared.
      if (response.status !== 401) expectStatus(response, 400);
    },
  },
  {
    name: 'rejects a payment without a required field',
    rule: 'requests-are-validated',
    async run(suite) {
      for (const field of Object.keys(ProcessorPayment.properties).filter((name) => name !== 'id')) {
        const payment = suite.payment();
        const body = JSON.stringify({ ...payment, [field]: undefined });
        await expectRejected(suite, payment.id, body, `without ${field}`);
      }
    },
  },
  {
    name: 'rejects a payment with an invalid field',
    rule: 'requests-are-validated',
    async run(suite) {
      for (const [note, fields] of Object.entries(INVALID)) {
        const payment = suite.payment();
        await expectRejected(suite, payment.id, JSON.stringify({ ...payment, ...fields }), note);
      }
    },
  },
  {
    name: 'rejects a payment of the other environment',
    rule: 'requests-are-validated',
    async run(suite) {
      const environment = suite.options.environment === 'live' ? 'sandbox' : 'live';
      const payment = { ...suite.payment(), environment };
      await expectRejected(suite, payment.id, JSON.stringify(payment), `a ${environment} payment`);
    },
  },
  {
    name: 'rejects another payment with the same id',
    rule: 'requests-are-validated',
    async run(suite) {
      const { payment } = await suite.started();
      const other = { ...payment, amount: payment.amount + 1 };
      await expectRejected(suite, payment.id, JSON.stringify(other), 'the same id with another amount');
    },
  },
  {
    name: 'ignores unknown fields',
    rule: 'unknown-fields-are-ignored',
    async run(suite) {
      const { payment: known } = await suite.started();
      const payment = { ...known, id: suite.payment().id, a_later_field: { nested: true } };
      stateOf(await suite.start(payment, { note: 'with an unknown field' }));
    },
  },
];

import { MINUTE_MS } from '@tollgate/contracts/durations';
import { freePort, testAdapter } from '@tollgate/processor-adapter/test/support/conformance';
import { expect, it } from 'vitest';
import { startAdapterProcess } from './adapter-process.ts';

/** Handled by the double alone. */
const FAILING = 4_321;
const SLOW = 4_322;

it('conforms to the adapter contract', { timeout: 3 * MINUTE_MS }, async () => {
  const port = await freePort();
  const callbackUrl = `http://127.0.0.1:${port}/v1/processor-events/stripe`;
  const { stripe, secret, callsUrl, webhooksUrl } = await startAdapterProcess({ callbackUrl });
  stripe.payer.webhooksUrl = webhooksUrl();
  const never = new Promise(() => {});
  stripe.faults.push(
    { at: /^POST/, body: new RegExp(`amount=${FAILING}|unit_amount%5D=${FAILING}`), kind: 503 },
    { at: /^POST/, body: new RegExp(`amount=${SLOW}`), before: () => never },
  );
  const scenarios = {
    succeeded: { payment_method: 'pm_card_visa' },
    failed: { payment_method: 'pm_card_chargeDeclined' },
    processing: { payment_method: 'pm_usBankAccount_success' },
    action_required: {
      payment_method: 'pm_card_authenticationRequired',
      pay: { post: `${stripe.url}/payer/{reference}/pay` },
      decline: { post: `${stripe.url}/payer/{reference}/decline` },
    },
    rejected: { amount: 1 },
    error: { payment_method: 'pm_card_visa', amount: FAILING },
    slow: { payment_method: 'pm_card_visa', amount: SLOW },
  };

  const { conforms, results } = await testAdapter(callsUrl(), { secret, port, scenarios });

  expect(results).not.toEqual([]);
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(conforms).toBe(true);
});

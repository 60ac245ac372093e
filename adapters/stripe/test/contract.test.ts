import { MINUTE_MS } from '@tollgate/contracts/durations';
import { testAdapter } from '@tollgate/processor-adapter/test/support/conformance';
import { expect, it, onTestFinished } from 'vitest';
import { readStripeConfig } from '../src/config.ts';
import { createStripeAdapter } from '../src/stripe-adapter.ts';
import { startStripeDouble } from './double/stripe-double.ts';

/** Handled by the double alone. */
const FAILING = 4_321;
const SLOW = 4_322;

it('conforms to the adapter contract', { timeout: 3 * MINUTE_MS }, async () => {
  const stripe = await startStripeDouble({ now: Date.now });
  onTestFinished(() => stripe.close());
  const never = new Promise(() => {});
  stripe.faults.push(
    { at: /^POST/, body: new RegExp(`amount=${FAILING}|unit_amount%5D=${FAILING}`), kind: 503 },
    { at: /^POST/, body: new RegExp(`amount=${SLOW}`), before: () => never },
  );
  const adapter = createStripeAdapter(
    readStripeConfig({
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_URL: stripe.url,
    }),
  );
  const scenarios = {
    succeeded: { payment_method: 'pm_card_visa' },
    failed: { payment_method: 'pm_card_chargeDeclined' },
    processing: { payment_method: 'pm_usBankAccount_success' },
    action_required: {
      payment_method: 'pm_card_authenticationRequired',
      pay: { post: `${stripe.url}/payer/{reference}/pay` },
      decline: { post: `${stripe.url}/payer/{reference}/decline` },
      refund: { post: `${stripe.url}/payer/{reference}/refund` },
    },
    rejected: { amount: 1 },
    error: { payment_method: 'pm_card_visa', amount: FAILING },
    slow: { payment_method: 'pm_card_visa', amount: SLOW },
  };

  const { conforms, results } = await testAdapter(adapter, {
    scenarios,
    onServing(webhooksUrl) {
      stripe.payer.webhooksUrl = webhooksUrl;
    },
  });

  expect(results).not.toEqual([]);
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(conforms).toBe(true);
});

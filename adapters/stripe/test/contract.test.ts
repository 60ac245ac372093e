import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { testAdapter } from '@tollgate/processor-adapter/test/support/conformance';
import { expect, it, onTestFinished } from 'vitest';
import { readStripeConfig } from '../src/config.ts';
import { createStripeAdapter } from '../src/stripe-adapter.ts';
import { startStripeDouble } from './double/stripe-double.ts';

it('the adapter for Stripe conforms to the adapter contract', { timeout: 3 * MINUTE_MS }, async () => {
  const stripe = await startStripeDouble({ now: Date.now });
  onTestFinished(() => stripe.close());
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
  };

  const { conforms, results } = await testAdapter({
    createAdapter: (processorOrigin) =>
      createStripeAdapter(
        readStripeConfig({
          STRIPE_SECRET_KEY: stripe.secretKey,
          STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
          STRIPE_API_URL: processorOrigin,
        }),
      ),
    processorOrigin: stripe.url,
    scenarios,
    onServing(webhooksOrigin) {
      stripe.payer.webhooksUrl = webhooksOrigin;
    },
  });

  expect(results).not.toEqual([]);
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(conforms).toBe(true);
});

import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { testAdapter } from '@tollgate/processor-adapter/test/support/conformance';
import { expect, it, onTestFinished } from 'vitest';
import { readMollieConfig } from '../src/config.ts';
import { createMollieAdapter } from '../src/mollie-adapter.ts';
import { startMollieDouble } from './double/mollie-double.ts';

const CUSTOMER = 'cst_8wmqcHMN4U';
/** Handled by the double alone. */
const [DECLINED, PENDING] = [4_323, 4_324];

it('the adapter for Mollie conforms to the adapter contract', { timeout: 3 * MINUTE_MS }, async () => {
  const mollie = await startMollieDouble({ now: Date.now });
  onTestFinished(() => mollie.close());
  mollie.account.recurringStatuses.set('43.23', 'failed').set('43.24', 'pending');
  const scenarios = {
    succeeded: { payment_method: CUSTOMER },
    failed: { payment_method: CUSTOMER, amount: DECLINED },
    processing: { payment_method: CUSTOMER, amount: PENDING },
    action_required: {
      pay: { post: `${mollie.payerUrl}/{reference}/pay` },
      decline: { post: `${mollie.payerUrl}/{reference}/decline` },
      refund: { post: `${mollie.payerUrl}/{reference}/refund` },
    },
    rejected: { payment_method: 'card_1' },
  };

  const { conforms, results } = await testAdapter({
    createAdapter: (processorOrigin) =>
      createMollieAdapter(
        readMollieConfig({
          MOLLIE_API_KEY: mollie.apiKey,
          MOLLIE_API_URL: `${processorOrigin}/v2/`,
          MOLLIE_WEBHOOK_URL: 'https://adapter.example/webhooks',
        }),
      ),
    processorOrigin: new URL(mollie.url).origin,
    scenarios,
    onServing(webhooksOrigin) {
      mollie.payer.webhooksUrl = webhooksOrigin;
    },
  });

  expect(results).not.toEqual([]);
  // Mollie does not sign the webhooks of payments.
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([
    expect.objectContaining({ check: 'rejects a webhook without a signature', outcome: 'not tested' }),
    expect.objectContaining({ check: 'rejects a webhook with a wrong signature', outcome: 'not tested' }),
  ]);
  expect(conforms).toBe(true);
});

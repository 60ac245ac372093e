import { MINUTE_MS } from '@tollgate/contracts/durations';
import { testAdapter } from '@tollgate/processor-adapter/test/support/conformance';
import { expect, it, onTestFinished } from 'vitest';
import { readMollieConfig } from '../src/config.ts';
import { createMollieAdapter } from '../src/mollie-adapter.ts';
import { startMollieDouble } from './double/mollie-double.ts';

const CUSTOMER = 'cst_8wmqcHMN4U';
/** Handled by the double alone. */
const [FAILING, SLOW, DECLINED, PENDING] = [4_321, 4_322, 4_323, 4_324];

it('conforms to the adapter contract', { timeout: 3 * MINUTE_MS }, async () => {
  const mollie = await startMollieDouble({ now: Date.now });
  onTestFinished(() => mollie.close());
  const never = new Promise(() => {});
  mollie.faults.push(
    { method: 'POST', always: /43\.21/, kind: 503 },
    { method: 'POST', always: /43\.22/, before: () => never },
  );
  mollie.account.recurringStatuses.set('43.23', 'failed').set('43.24', 'pending');
  const adapter = createMollieAdapter(
    readMollieConfig({
      MOLLIE_API_KEY: mollie.apiKey,
      MOLLIE_API_URL: mollie.url,
      MOLLIE_WEBHOOK_URL: 'https://adapter.example/webhooks',
    }),
  );
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
    error: { payment_method: CUSTOMER, amount: FAILING },
    slow: { payment_method: CUSTOMER, amount: SLOW },
  };

  const { conforms, results } = await testAdapter(adapter, {
    scenarios,
    onServing(webhooksUrl) {
      mollie.payer.webhooksUrl = webhooksUrl;
    },
  });

  expect(results).not.toEqual([]);
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(conforms).toBe(true);
});

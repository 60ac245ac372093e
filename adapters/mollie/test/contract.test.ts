import { MINUTE_MS } from '@tollgate/contracts/durations';
import { freePort, testAdapter } from '@tollgate/processor-adapter/test/support/conformance';
import { expect, it } from 'vitest';
import { startAdapterProcess } from './adapter-process.ts';

const CUSTOMER = 'cst_8wmqcHMN4U';
/** Handled by the double alone. */
const [FAILING, SLOW, DECLINED, PENDING] = [4_321, 4_322, 4_323, 4_324];

it('conforms to the adapter contract', { timeout: 3 * MINUTE_MS }, async () => {
  const port = await freePort();
  const { mollie, secret, callsUrl, webhooksUrl } = await startAdapterProcess({
    TOLLGATE_CALLBACK_URL: `http://127.0.0.1:${port}/v1/processor-events/mollie`,
  });
  mollie.payer.webhooksUrl = webhooksUrl();
  const never = new Promise(() => {});
  mollie.faults.push(
    { method: 'POST', always: /43\.21/, kind: 503 },
    { method: 'POST', always: /43\.22/, before: () => never },
  );
  mollie.account.recurringStatuses.set('43.23', 'failed').set('43.24', 'pending');
  const scenarios = {
    succeeded: { payment_method: CUSTOMER },
    failed: { payment_method: CUSTOMER, amount: DECLINED },
    processing: { payment_method: CUSTOMER, amount: PENDING },
    action_required: {
      pay: { post: `${mollie.payerUrl}/{reference}/pay` },
      decline: { post: `${mollie.payerUrl}/{reference}/decline` },
    },
    rejected: { payment_method: 'card_1' },
    error: { payment_method: CUSTOMER, amount: FAILING },
    slow: { payment_method: CUSTOMER, amount: SLOW },
  };

  const { conforms, results } = await testAdapter(callsUrl(), { secret, port, scenarios });

  expect(results).not.toEqual([]);
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(conforms).toBe(true);
});

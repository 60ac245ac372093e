import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { reconcileUsage } from '../../support/platform/reconcile-usage.ts';
import { COUNTED_WITHIN, usageByOperation } from '../../support/platform/usage-totals.ts';

const HELD = { amount: 100, currency: 'EUR', payment_method: 'pm_hold' };

let platform: Platform;
let application: TestApplication;

beforeAll(async () => {
  platform = await startPlatform();
  application = await platform.createApplication();
});
afterAll(() => platform?.stop());

const api = () => apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
const totals = () => usageByOperation(platform.owner, application.id);
/** Two days, in case midnight falls within the test. */
function theseDays() {
  const day = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
  return { from: day(Date.now() - 24 * 3_600_000), to: day(Date.now()) };
}

it('usage agrees with payments, including a failed request, as the command confirms', async () => {
  for (const key of ['order-1', 'order-2', 'order-2']) await api().create(HELD, key);
  const { body } = await api().create(HELD);
  await api().cancel(body.id);
  await platform.processes.payments.stop();
  const failed = await api().create({ amount: 5, currency: 'EUR' });
  expect(failed.status).toBe(503);
  await platform.processes.payments.start();
  await eventually(
    'all requests are counted',
    async () =>
      (await totals()).create_payment?.requests === 5 && (await totals()).cancel_payment?.requests === 1,
    COUNTED_WITHIN,
  );
  expect((await totals()).create_payment).toMatchObject({ succeeded: 3, replayed: 1, server_errors: 1 });
  const { code, output } = await reconcileUsage(platform, theseDays());
  expect(output).toMatch(/server_error\s+none/);
  expect(output).toContain('every difference is explained');
  expect(code).toBe(0);
});

it('usage without a payment that bypassed the gateway is reported by the command', async () => {
  const path = '/v1/payments';
  const body = JSON.stringify({ amount: 5, currency: 'EUR' });
  const headers = platform.signedHeaders(application, 'sandbox', { method: 'POST', path, body });
  const response = await fetch(`${platform.paymentsUrl}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  expect(response.status).toBe(201);
  const { code, output } = await reconcileUsage(platform, theseDays());
  expect(output).toMatch(
    new RegExp(`DIFFERENCE \\S+, ${application.id}, sandbox, create_payment: payments has 1 more than usage`),
  );
  expect(code).toBe(1);
});

it('usage is not compared for an invalid day, and the command says which format it requires', async () => {
  const { code, output } = await reconcileUsage(platform, { from: 'yesterday', to: '2026-11-20' });
  expect(code).toBe(2);
  expect(output).toContain('--from must be a date');
});

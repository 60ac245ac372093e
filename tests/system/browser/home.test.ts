import { isDeepStrictEqual } from 'node:util';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { createEndpoint, disableEndpoint } from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { describeInBrowser, openVisitor } from '../../support/browser/browser.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/platform/webhook-receiver.ts';
import { report } from '../../support/report.ts';

const PAYMENTS = 20;
const REFRESH_EVERY_MS = 2_000;
/** A page that has called nothing for so long reloads no more. */
const QUIET_MS = 7_000;

/** It has its own platform, whose admin API nobody else calls. */
describeInBrowser('an open home page', () => {
  let platform: Platform;
  let page: Page;
  let api: ApiClient;
  let receiver: WebhookReceiver;
  let endpointId: string;

  beforeAll(async () => {
    platform = await startPlatform({ dashboard: true });
    const application = await platform.createApplication();
    api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
    receiver = await startWebhookReceiver();
    const { id, secret } = await platform.call(createEndpoint, {
      application_id: application.id,
      environment: 'sandbox',
      url: receiver.url,
      event_types: ['payment.created', 'payment.succeeded'],
    });
    endpointId = id;
    receiver.trust(shownOnce(secret));
    await pay();
    await eventually('its webhooks have arrived', async () => receiver.received.length === 2);
    const { dashboardUrl, owner: member } = platform;
    ({ page } = await openVisitor({ dashboardUrl, member }));
    await page.goto('/sandbox');
    await page.getByText('Real time').waitFor();
  });
  afterAll(async () => {
    await receiver?.close();
    await platform?.stop();
  });

  const pay = () => api.create({ amount: 100, currency: 'EUR' });

  /** The calls of the admin API, once there are no more for a while: a reload may be in flight. */
  async function settledCalls(): ReturnType<typeof callsByOperation> {
    let calls = await callsByOperation();
    let previous: typeof calls;
    do {
      previous = calls;
      await page.waitForTimeout(QUIET_MS);
      calls = await callsByOperation();
    } while (!isDeepStrictEqual(calls, previous));
    return calls;
  }

  test('an open home page reloads at most every two seconds while payments change, and only what they can affect', async () => {
    const before = await settledCalls();
    const begunAt = performance.now();
    await Promise.all(Array.from({ length: PAYMENTS }, pay));
    let after = before;
    while (isDeepStrictEqual(after, before)) after = await settledCalls();

    const calls: Record<string, number> = {};
    for (const [operation, count] of Object.entries(after)) {
      const added = count - (before[operation] ?? 0);
      if (added > 0) calls[operation] = added;
    }
    const { 'payments.summarize': reloads = 0, 'usage.query': usageReloads = 0 } = calls;
    const total = Object.values(calls).reduce((sum, count) => sum + count, 0);
    report(`${PAYMENTS} payments with their deliveries: ${total} calls of the admin API by the home page`);
    expect(calls).toEqual({
      'payments.summarize': reloads,
      'payments.list': reloads,
      'payments.processors': reloads,
      'webhooks.list_endpoints': reloads,
      'webhooks.list_deliveries': reloads,
      'usage.query': usageReloads,
      'usage.total': 2 * usageReloads,
      'usage.list_requests': 2 * usageReloads,
      'applications.list_keys': 2 * usageReloads,
      // The rejected requests on the page have one key, which is named.
      'applications.get_key': usageReloads,
    });
    expect(reloads).toBeLessThanOrEqual((performance.now() - begunAt) / REFRESH_EVERY_MS);
    expect(usageReloads).toBeLessThanOrEqual(2);
  });

  test('an open home page shows new payments, changed endpoints, and new API errors', async () => {
    const payments = page.locator('p', { hasText: /^Payments$/ }).locator('+ p');
    const disabled = page.locator('dt', { hasText: 'Disabled endpoints' }).locator('+ dd');
    const rejected = page
      .getByRole('table', { name: 'Recent requests that were rejected or failed' })
      .getByRole('link', { name: 'Create payment' });
    expect(await payments.textContent()).toBe(String(PAYMENTS + 1));
    expect(await disabled.textContent()).toBe('0');
    expect(await rejected.count()).toBe(0);

    expect((await api.create({ amount: -1, currency: 'EUR' })).status).toBe(422);
    await pay();
    await expect.poll(() => payments.textContent()).toBe(String(PAYMENTS + 2));
    await page.getByRole('status').getByText('Payment updated.').waitFor({ state: 'attached' });
    await rejected.waitFor({ timeout: QUIET_MS });

    await platform.call(disableEndpoint, { endpoint_id: endpointId, reason: 'Moves to another host' });
    await expect.poll(() => disabled.textContent()).toBe('1');
  });

  async function callsByOperation(): Promise<Record<string, number>> {
    const metrics = await (await fetch(`${platform.processes.gateway.opsUrl}/metrics`)).text();
    const calls: Record<string, number> = {};
    for (const [, labels = '', count] of metrics.matchAll(
      /^tollgate_gateway_requests_total\{(.+)\} (\d+)$/gm,
    )) {
      const operation = /operation="([^"]+)"/.exec(labels)?.[1] ?? 'other';
      if (labels.includes('listener="admin"')) calls[operation] = (calls[operation] ?? 0) + Number(count);
    }
    return calls;
  }
});

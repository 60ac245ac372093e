import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCaller, apiCaller } from '../../support/browser/api-requests.ts';
import { describeInBrowser, openVisitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

/** More than the payments that a count looks at. */
const MANY = 1_001;
const AT_ONCE = 20;

describeInBrowser('the totals of payments', () => {
  let platform: SharedPlatform;
  let api: ApiCaller;
  let page: Page;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const team = await platform.createTeam();
    const { keys } = await platform.createApplication(team);
    api = apiCaller(platform.baseUrl.sandbox, keys.sandbox);
    ({ page } = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner }));
  });
  afterAll(() => platform?.leave());

  const totals = () => page.getByRole('list', { name: 'Totals' }).getByRole('listitem').allInnerTexts();

  test('the totals of payments name every outcome and currency apart', async () => {
    await api.createPayment({ amount: 100_00, currency: 'EUR', payment_method: 'pm_succeed' });
    for (const currency of ['EUR', 'EUR', 'USD'])
      await api.createPayment({ amount: 129_90, currency, payment_method: 'pm_decline' });
    await page.goto('/sandbox/payments');
    await expect
      .poll(totals)
      .toEqual(['Succeeded: 100.00 EUR (1 payment)', 'Failed: 259.80 EUR and 129.90 USD (3 payments)']);
  });

  test('the totals of payments are exact above a thousand payments', async () => {
    const held = { amount: 100, currency: 'EUR', payment_method: 'pm_hold' };
    let left = MANY;
    const create = async () => {
      while (left > 0) {
        left -= 1;
        await api.createPayment(held);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, create));
    await page.goto('/sandbox/payments?period=month');
    await expect.poll(totals).toContain('Pending: 1,001.00 EUR (1,001 payments)');
    await page.getByRole('link', { name: 'Pending 1,001' }).waitFor();
  });
});

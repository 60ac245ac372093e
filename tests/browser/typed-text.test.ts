import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../platform/shared-platform.ts';
import { apiCaller } from './support/api-requests.ts';
import { describeInBrowser, openVisitor, startBrowser, waitForScripts } from './support/browser.ts';

describeInBrowser('typed text', () => {
  let platform: SharedPlatform;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [platform, browser] = await Promise.all([joinSharedPlatform(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.leave();
  });

  test('stays in its field while the page is updated', async () => {
    const team = await platform.createTeam();
    const { keys } = await platform.createApplication(team);
    const api = apiCaller(platform.baseUrl.sandbox, keys.sandbox);
    const pay = (amount: number) => api.createPayment({ amount, currency: 'EUR', payment_method: 'pm_hold' });
    await pay(100);
    ({ page } = await openVisitor(browser, { dashboardUrl: platform.dashboardUrl, member: team.owner }));
    await page.goto('/sandbox/payments');
    await waitForScripts(page);
    await page.getByText('Real time', { exact: true }).waitFor();
    await page.getByLabel('Reference').fill('order 17');
    await pay(200);
    await page.getByRole('row', { name: /2\.00/ }).waitFor();
    expect(await page.getByLabel('Reference').inputValue()).toBe('order 17');
  });
});

import { cancelPayment, getPayment } from '@tollgate/contracts/payments/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, waitForScripts } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('several payments', () => {
  let platform: SharedPlatform;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  afterAll(() => platform?.leave());

  test('several payments are not selected by a filter that is invalid', async () => {
    const team = await platform.createTeam();
    const application = await platform.createApplication(team);
    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    await api.createPayment({ amount: 1_000, currency: 'EUR', payment_method: 'pm_hold' });
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    await visitor.page.goto('/sandbox/payments/bulk?currency=EUR');
    await visitor.page.getByRole('heading', { name: 'Change 1 payment' }).waitFor();
    await visitor.page.goto('/sandbox/payments/bulk?currency=XXX');
    await visitor.page.getByText('No payment is selected.').waitFor();
    await visitor.close();
  });

  test('several payments of a filter are changed in parts, with progress, and then the next ones', async () => {
    const team = await platform.createTeam();
    const application = await platform.createApplication(team);
    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    const held = { amount: 1_000, currency: 'EUR', payment_method: 'pm_hold' };
    for (let batch = 0; batch < 6; batch += 1)
      await Promise.all(Array.from({ length: 20 }, () => api.createPayment(held)));
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    const { page } = visitor;
    await page.goto('/sandbox/payments?status=pending');
    await page.getByText('Pending: 1,200.00 EUR (120 payments)').waitFor();
    await page.getByRole('link', { name: 'All 120' }).waitFor();
    await waitForScripts(page);
    await page.locator("input[name='payment']").first().check();
    await page.getByRole('link', { name: 'Change all that match' }).click();
    await page.getByRole('heading', { name: 'Change 100 payments' }).waitFor();
    await page.getByLabel('Cancel: 100 payments').check();
    const sizes: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sizes.push((request.postData()?.match(/payment=/g) ?? []).length);
    });
    const seen = Promise.withResolvers<void>();
    await page.route('**/payments/bulk*', async (route) => {
      if (route.request().method() === 'POST') await seen.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Change sandbox payments' }).click();
    await page.getByRole('progressbar').waitFor();
    seen.resolve();
    await page.getByText('100 payments changed.').waitFor({ timeout: 30_000 });
    expect(Math.max(...sizes)).toBeLessThan(10);
    await page.getByRole('link', { name: 'Change other matching payments' }).click();
    await page.getByRole('heading', { name: 'Change 20 payments' }).waitFor();
    await visitor.close();
  });

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'several payments are selected in the list and canceled, each with its result, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const team = await platform.createTeam();
      const application = await platform.createApplication(team);
      const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
      const held = { amount: 1_000, currency: 'EUR', payment_method: 'pm_hold' };
      const ids = await Promise.all([1, 2, 3].map(() => api.createPayment(held)));
      const [first, second, other] = ids as [string, string, string];
      const visitor = await openVisitor({
        dashboardUrl: platform.dashboardUrl,
        member: team.owner,
        javaScriptEnabled,
      });
      const { page } = visitor;
      await page.goto('/sandbox/payments');
      if (javaScriptEnabled) await waitForScripts(page);
      expect(await page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(0);
      for (const id of [first, second]) await page.locator(`input[value='${id}']`).check();
      if (javaScriptEnabled) {
        await page.getByText('2 selected').waitFor();
        await auditLook(visitor, 'selected-payments');
      }
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await page.getByRole('heading', { name: 'Change 2 payments' }).waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'bulk-actions');

      // Meanwhile, another member cancels one of them.
      await team.owner.call(cancelPayment, { payment_id: first });
      await page.getByLabel('Cancel: 2 payments').check();
      await page.getByRole('button', { name: 'Change sandbox payments' }).click();
      await page.getByText('1 payment changed, 1 payment not. The table shows why.').waitFor();
      await page.getByText('Not changed: this is not possible for the payment.').waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'bulk-result');

      const statuses = await Promise.all(
        ids.map(async (payment_id) => (await team.owner.call(getPayment, { payment_id })).status),
      );
      expect([first, second, other].map((id) => statuses[ids.indexOf(id)])).toEqual([
        'canceled',
        'canceled',
        'pending',
      ]);
      await visitor.close();
    },
  );
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, waitForScripts } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

describeInBrowser('the list of payments', () => {
  let platform: SharedPlatform;
  let team: TestTeam;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    const application = await platform.createApplication(team);
    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    for (const reference of ['order-1', 'order-2', 'order-3'])
      await api.createPayment({ amount: 100, currency: 'EUR', reference, payment_method: 'pm_hold' });
  });
  afterAll(() => platform?.leave());

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'the list of payments shows the columns and rows that a member chooses, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const visitor = await openVisitor({
        dashboardUrl: platform.dashboardUrl,
        member: team.owner,
        javaScriptEnabled,
      });
      const { page } = visitor;
      const columns = () => page.getByRole('columnheader').allTextContents();
      const rowHeight = async () => (await page.getByRole('row').nth(1).boundingBox())?.height ?? 0;
      await page.goto('/sandbox/payments?search=order');
      if (javaScriptEnabled) await waitForScripts(page);
      await page.getByRole('row').nth(2).waitFor();
      const shown = async () => (await columns()).map((text) => text.trim()).filter(Boolean);
      expect(await shown()).toEqual([
        'Amount',
        'Status',
        'Reference',
        'Payer',
        'Failure',
        'Application',
        'Created',
      ]);
      const comfortable = await rowHeight();

      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('switch', { name: 'ID', exact: true }).check();
      await page.getByRole('switch', { name: 'Payer' }).uncheck();
      await page.getByRole('switch', { name: 'Compact table' }).check();
      if (javaScriptEnabled) await auditLook(visitor, 'payment-columns');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('columnheader', { name: 'ID', exact: true }).waitFor();
      expect(new URL(page.url()).search).toBe('?search=order');
      await page.reload();
      expect(await shown()).toEqual([
        'Amount',
        'Status',
        'ID',
        'Reference',
        'Failure',
        'Application',
        'Created',
      ]);
      expect(await rowHeight()).toBeLessThan(comfortable);
      await visitor.close();
    },
  );
});

import { getPayment } from '@tollgate/contracts/payments/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, waitForScripts } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('the page of a pending payment', () => {
  let platform: SharedPlatform;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  afterAll(() => platform?.leave());

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'the page of a pending payment cancels the payment after a confirmation, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const team = await platform.createTeam();
      const application = await platform.createApplication(team);
      const payment_id = await apiCaller(platform.baseUrl.live, application.keys.live).createPayment({
        amount: 1_999,
        currency: 'EUR',
      });
      const { dashboardUrl } = platform;
      const visitor = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled });
      const { page } = visitor;
      await page.goto(`/live/payments/${payment_id}`);
      if (javaScriptEnabled) await waitForScripts(page);
      await page.getByRole('button', { name: 'Cancel payment' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel the payment of 19.99 EUR?' });
      await dialog.getByLabel('Reason').selectOption('Duplicate');
      if (javaScriptEnabled) await auditLook(visitor, 'payment-cancellation');
      await dialog.getByRole('button', { name: 'Cancel payment' }).click();
      await page.getByText('Canceled', { exact: true }).first().waitFor();
      expect(await page.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0);
      expect(await team.owner.call(getPayment, { payment_id })).toMatchObject({
        status: 'canceled',
        cancellation_reason: 'duplicate',
      });
      await visitor.close();
    },
  );
});

import { getPayment } from '@tollgate/contracts/payments/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';

describeInBrowser('a settlement that needs a second member', () => {
  let platform: SharedPlatform;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  afterAll(() => platform?.leave());

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'a settlement that needs a second member is requested by one member and approved by another, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const team = await platform.createTeam();
      const application = await platform.createApplication(team);
      const payment_id = await apiCaller(platform.baseUrl.live, application.keys.live).createPayment({
        amount: 123_456,
        currency: 'EUR',
      });
      const admin = await team.createMember('admin');
      const status = async () => (await team.owner.call(getPayment, { payment_id })).status;
      const visit = (member: TestMember): Promise<Visitor> =>
        openVisitor({ dashboardUrl: platform.dashboardUrl, member, javaScriptEnabled });
      const [requester, approver] = [await visit(team.owner), await visit(admin)];

      const { page } = requester;
      await page.goto('/team/policies');
      if (javaScriptEnabled) await waitForScripts(page);
      await page.getByLabel('Currency').fill('EUR');
      await page.getByLabel('Approval above').fill('a lot');
      await page.getByRole('button', { name: 'Save approval policy' }).click();
      await page.getByText('Enter an amount such as 1,000.00.').waitFor();
      if (javaScriptEnabled) await auditLook(requester, 'approval-policy-rejected');
      await page.getByLabel('Approval above').fill('1000');
      await page.getByRole('button', { name: 'Save approval policy' }).click();
      await page.getByText('Approval policy saved.').waitFor();
      expect(await page.getByLabel('Approval above').first().inputValue()).toBe('1,000.00');
      if (javaScriptEnabled) await auditLook(requester, 'approval-policy-saved');

      await page.goto(`/live/payments/${payment_id}`);

      if (javaScriptEnabled) await waitForScripts(page);
      await page.getByText('another admin or owner must approve the settlement').first().waitFor();
      await page.getByRole('button', { name: 'Mark as succeeded' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Request approval' }).click();
      await page.getByText('Another admin or owner must approve it.').waitFor();
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      expect(await status()).toBe('pending');
      if (javaScriptEnabled) await auditLook(requester, 'approval-requested');

      const other = approver.page;
      await other.goto('/live');
      await other.getByRole('link', { name: 'Settlement of 1,234.56 EUR needs approval' }).click();
      await other.waitForURL(`**/live/payments/${payment_id}`);
      if (javaScriptEnabled) await waitForScripts(other);
      await other.getByRole('button', { name: 'Approve' }).click();
      if (javaScriptEnabled) await auditLook(approver, 'approval-confirmed');
      await other.getByRole('button', { name: 'Approve and settle' }).click();
      // Offered once the payment has ended. The requested outcome was on the page before.
      await other.getByRole('button', { name: 'Erase personal data' }).first().waitFor();
      expect(await status()).toBe('succeeded');
      await requester.close();
      await approver.close();
    },
  );
});

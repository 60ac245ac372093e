import { simulatePayment } from '@tollgate/contracts/payments/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const PAYER = 'Ada Lovelace';

describeInBrowser('the personal data of a payment', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let application: TestApplication;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
  });
  afterAll(() => platform?.leave());

  async function aFailedPayment(): Promise<string> {
    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    const payment_id = await api.createPayment({
      amount: 1_999,
      currency: 'EUR',
      payment_method: 'pm_hold',
      payer: { name: PAYER, email: 'ada@example.com' },
      metadata: { order: '1001' },
    });
    const failure = { code: 'card_stolen', message: `Reported by ${PAYER}.` };
    await team.owner.call(simulatePayment, { payment_id, outcome: { status: 'failed', failure } });
    return payment_id;
  }

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'the personal data of a payment is erased after a confirmation, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const paymentId = await aFailedPayment();
      const { dashboardUrl } = platform;
      const visitor = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled });
      const { page } = visitor;
      await page.goto(`/sandbox/payments/${paymentId}`);
      await page.getByText(PAYER, { exact: true }).waitFor();
      const button = page.getByRole('main').getByRole('button', { name: 'Erase personal data' });
      if (javaScriptEnabled) await auditLook(visitor, 'payment-before-erasure');
      await button.first().click();
      const dialog = page.getByRole('dialog', { name: 'Erase the personal data of this payment?' });
      await dialog.waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'payment-erase-dialog');
      await dialog.getByRole('button', { name: 'Erase personal data' }).click();

      await page.getByRole('heading', { name: 'Personal data erased' }).waitFor();
      await page.getByText('Erased (card_stolen)').waitFor();
      expect(await page.getByRole('main').innerText()).not.toContain(PAYER);
      expect(await button.count()).toBe(0);
      if (javaScriptEnabled) await auditLook(visitor, 'payment-erased');
      await visitor.close();
    },
  );

  test('the personal data of a payment is not erased by a viewer', async () => {
    const paymentId = await aFailedPayment();
    const viewer = await team.createMember('viewer');
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: viewer });
    await visitor.page.goto(`/sandbox/payments/${paymentId}`);
    await visitor.page.getByText(PAYER, { exact: true }).waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Erase personal data' }).count()).toBe(0);
    await visitor.close();
  });
});

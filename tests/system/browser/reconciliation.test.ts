import { simulatePayment } from '@tollgate/contracts/payments/rpc';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, holdScripts, openVisitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import {
  COMPARED_DAY,
  storeComparison,
  storeDifference,
  storeReversals,
} from '../../support/platform/stored-differences.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const LIST = '/sandbox/processors/acme/reconciliation';

describeInBrowser('payments that their processor reports otherwise', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let application: TestApplication;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    await storeComparison(platform, { teamId: team.id, payments: 1_203 });
  });
  afterAll(() => platform?.leave());

  async function aDifference(
    amount: number,
    reply: Pick<Parameters<typeof storeDifference>[1], 'reported' | 'money'> = { reported: 'failed' },
  ): Promise<string> {
    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    const paymentId = await api.createPayment({ amount, currency: 'EUR', payment_method: 'pm_hold' });
    await team.owner.call(simulatePayment, { payment_id: paymentId, outcome: { status: 'succeeded' } });
    const found = { teamId: team.id, applicationId: application.id, environment: 'sandbox' } as const;
    await storeDifference(platform, {
      ...found,
      paymentId,
      amount,
      status: 'succeeded',
      ...reply,
    });
    return paymentId;
  }

  test('payments that their processor reports otherwise show refunds and disputes in the timeline, and in the list', async () => {
    const money = { amount: 10_000, currency: 'EUR', refunded_amount: 2_500, disputed_amount: 7_500 };
    const paymentId = await aDifference(10_000, { reported: 'succeeded', money });
    const at = (minute: number) => new Date(Date.now() + minute * MINUTE_MS);
    await storeReversals(platform, paymentId, [
      { at: at(1), type: 'refund', amount: 2_500, currency: 'EUR' },
      { at: at(2), type: 'dispute', amount: 7_500, currency: 'EUR' },
      { at: at(3), type: 'dispute', amount: 0, currency: 'EUR' },
    ]);
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    const { page } = visitor;
    await page.goto(LIST);
    const row = page.getByRole('row', { name: '100.00' });
    await row.getByText('25.00 EUR refunded').waitFor();
    await auditLook(visitor, 'reconciliation-refund');
    await row.getByRole('link').click();
    await page
      .getByText('acme reports this payment as succeeded: 25.00 EUR refunded, 75.00 EUR disputed.')
      .waitFor();
    const timeline = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
    const titles = ['Refunded', 'Disputed', 'No longer disputed'];
    for (const title of titles) await timeline.getByText(title, { exact: true }).waitFor();
    await timeline.getByText('25.00 EUR of 100.00 EUR').waitFor();
    await auditLook(visitor, 'payment-reversals');
    await page.getByRole('textbox', { name: 'What did you do?' }).fill('Refunded a part.');
    await page.getByRole('button', { name: 'Mark as resolved' }).click();
    await page.getByText('Refunded a part.', { exact: true }).waitFor();
    await visitor.close();
  });

  test.each([
    ['with', true, 4_990, '49.90'],
    ['without', false, 1_250, '12.50'],
  ])(
    'payments that their processor reports otherwise are found in the list, resolved with a note, and audited %s JavaScript',
    async (_name, javaScriptEnabled, minorUnits, amount) => {
      const paymentId = await aDifference(minorUnits);
      const { dashboardUrl } = platform;
      const visitor = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled });
      const { page } = visitor;
      await page.goto(LIST);
      await page.getByText('Last comparison: 1,203 payments of 31 Jan 2026 compared').waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'reconciliation-list');
      await page.getByRole('row', { name: amount }).getByRole('link').click();
      await page.getByText('acme reports this payment as failed. In Tollgate, it succeeded.').waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'payment-difference');

      await page.getByRole('textbox', { name: 'What did you do?' }).fill('Charged again at Acme.');
      await page.getByRole('button', { name: 'Mark as resolved' }).click();
      await page.getByText('Charged again at Acme.', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Mark as resolved' }).count()).toBe(0);
      if (javaScriptEnabled) await auditLook(visitor, 'payment-difference-resolved');

      await page.goto(LIST);
      await page.getByText('No differences').waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'reconciliation-empty');
      await page.getByRole('link', { name: 'By day' }).click();
      await page.getByLabel('Day (UTC)').fill(COMPARED_DAY);
      await page.getByLabel('Day (UTC)').press('Enter');
      await page.waitForURL(`**?day=${COMPARED_DAY}`);
      if (javaScriptEnabled) await auditLook(visitor, 'reconciliation-day');
      await page
        .getByRole('row', { name: amount })
        .getByText('Resolved', { exact: true })
        .filter({ visible: true })
        .waitFor();

      await eventually('the resolution is in the audit log', async () => {
        await page.goto(`/audit?target=${paymentId}`);
        return page.getByRole('link', { name: 'Difference to the processor resolved' }).isVisible();
      });
      await visitor.close();
    },
  );

  test('payments that their processor reports otherwise are shown of the day that is chosen before the scripts run', async () => {
    const { page, close } = await openVisitor({
      dashboardUrl: platform.dashboardUrl,
      member: team.owner,
    });
    const releaseScripts = await holdScripts(page);
    await page.goto(`${LIST}?day=2026-01-30`, { waitUntil: 'commit' });
    await page.getByLabel('Day (UTC)').fill(COMPARED_DAY);
    releaseScripts();
    await page.waitForURL(`**?day=${COMPARED_DAY}`);
    await page.getByText('of 31 Jan 2026 compared').waitFor();
    await close();
  });
});

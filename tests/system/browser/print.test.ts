import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

const READ_COLORS = `[document.documentElement, document.querySelector('h1')].map((element) => {
  const { backgroundColor, color } = getComputedStyle(element);
  return { backgroundColor, color };
})`;

describeInBrowser('a printed payment', () => {
  let platform: SharedPlatform;
  let visitor: Visitor;
  let paymentId: string;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const team = await platform.createTeam();
    const application = await platform.createApplication(team);
    paymentId = await apiCaller(platform.baseUrl.sandbox, application.keys.sandbox).createPayment({
      amount: 123_456,
      currency: 'EUR',
      reference: 'order-1',
      payer: { name: 'Ada Lovelace', email: null, account: null },
      payment_method: 'pm_hold',
    });
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
  });
  afterAll(() => platform?.leave());

  test('a printed payment is black on white in every theme, without navigation and controls', async () => {
    const { page } = visitor;
    await page.goto(`/sandbox/payments/${paymentId}`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate(READ_COLORS)).toEqual([
      expect.objectContaining({ backgroundColor: 'rgb(255, 255, 255)' }),
      expect.objectContaining({ color: 'rgb(0, 0, 0)' }),
    ]);
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('heading').allTextContents()).toEqual([
      '1,234.56 EUR',
      'Details',
      'Timeline',
      'Created',
    ]);
    expect(await page.getByText('Ada Lovelace').isVisible()).toBe(true);
  });
});

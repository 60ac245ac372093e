import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { describeInBrowser, openVisitor, waitForScripts } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const READ_ROW = `document.querySelector('main tbody tr').innerText.replaceAll(/\\s+/g, ' ').trim()`;

describeInBrowser("formats in the browser's language", () => {
  let platform: SharedPlatform;
  let team: TestTeam;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    const application = await platform.createApplication(team);
    await apiCaller(platform.baseUrl.sandbox, application.keys.sandbox).createPayment({
      amount: 123_456_789,
      currency: 'EUR',
      reference: 'order-1',
      payment_method: 'pm_hold',
    });
  });
  afterAll(() => platform?.leave());

  test.for([
    ['de-DE', /^1\.234\.567,89 EUR Pending order-1 .*\d{1,2}\. \p{L}+\.? 20\d\d, \d\d:\d\d:\d\d$/u],
    ['en-US', /^1,234,567\.89 EUR Pending order-1 .*[A-Z][a-z]{2} \d{1,2}, 20\d\d, \d\d:\d\d:\d\d [AP]M$/],
    ['en-GB', /^1,234,567\.89 EUR Pending order-1 .*\d{1,2} [A-Z][a-z]{2,3} 20\d\d, \d\d:\d\d:\d\d$/],
  ] as const)(
    'amounts and times of %s are the same from the server and after its scripts run',
    async ([locale, row]) => {
      const { dashboardUrl } = platform;
      const visitor = await openVisitor({ dashboardUrl, member: team.owner, locale });
      const { page } = visitor;
      // The server learns the time zone of the browser from the first page.
      await page.goto('/sandbox');
      await waitForScripts(page);
      await page.goto('/sandbox/payments');
      await waitForScripts(page);
      expect(await page.evaluate(READ_ROW)).toMatch(row);

      const plain = await openVisitor({
        dashboardUrl,
        member: team.owner,
        locale,
        javaScriptEnabled: false,
      });
      await plain.context.addCookies(await visitor.context.cookies());
      await plain.page.goto('/sandbox/payments');
      expect(await plain.page.getByRole('row').nth(1).innerText()).toContain(
        locale === 'de-DE' ? '1.234.567,89' : '1,234,567.89',
      );
      await Promise.all([visitor.close(), plain.close()]);
    },
  );

  test.for(['UTC', 'Europe/Berlin'])(
    'times are visible as soon as scripts run in a browser in %s',
    async (timeZone) => {
      const { dashboardUrl } = platform;
      const { page, close } = await openVisitor({ dashboardUrl, member: team.owner, timeZone });
      await page.goto('/sandbox/payments');
      await page.locator('#svelte-announcer').waitFor({ state: 'attached' });
      // Without scripts, times appear after three seconds.
      await page.locator('[data-time-zone="unknown"]').waitFor({ state: 'detached', timeout: 2_000 });
      await close();
    },
  );

  test('an amount is filtered in the format in which it is shown', async () => {
    const { dashboardUrl } = platform;
    const { page, close } = await openVisitor({
      dashboardUrl,
      member: team.owner,
      locale: 'de-DE',
    });
    await page.goto('/sandbox/payments?currency=EUR&min=1.234.567,89');
    expect(await page.getByRole('row').getByRole('link', { name: '1.234.567,89' }).count()).toBe(1);
    await page.goto('/sandbox/payments?currency=EUR&min=1,234,567.89');
    await page.getByText('Enter an amount such as 1.234,56.').waitFor();
    await close();
  });
});

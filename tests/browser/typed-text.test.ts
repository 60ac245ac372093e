import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../platform/shared-platform.ts';
import { describeInBrowser, openVisitor, startBrowser } from './support/browser.ts';

describeInBrowser('typed text', () => {
  let platform: SharedPlatform;
  let browser: Browser;

  beforeAll(async () => {
    [platform, browser] = await Promise.all([joinSharedPlatform(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.leave();
  });

  test('stays in its field when the data of the page is loaded again', async () => {
    const team = await platform.createTeam();
    const { id, keyIds } = await platform.createApplication(team);
    const { page, context } = await openVisitor(browser, {
      dashboardUrl: platform.dashboardUrl,
      member: team.owner,
    });
    // Without it, the page loads its data again as soon as its scripts run.
    await context.clearCookies({ name: 'time_zone' });
    let releaseScripts = () => {};
    const released = new Promise<void>((resolve) => {
      releaseScripts = resolve;
    });
    await page.route('**/_app/**/*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`/sandbox/applications/${id}/keys/${keyIds.sandbox}/edit`, { waitUntil: 'commit' });
    await page.getByLabel('Name').fill('Worker');
    releaseScripts();
    await page.locator('[data-time-zone]').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Worker');
  });
});

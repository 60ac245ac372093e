import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  describeInBrowser,
  holdScripts,
  openVisitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('typed text', () => {
  let platform: SharedPlatform;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  afterAll(() => platform?.leave());

  test('typed text stays in its field when the data of the page is loaded again', async () => {
    const team = await platform.createTeam();
    const { id, keyIds } = await platform.createApplication(team);
    const { page, context } = await openVisitor({
      dashboardUrl: platform.dashboardUrl,
      member: team.owner,
    });
    // Without it, the page loads its data again as soon as its scripts run.
    await context.clearCookies({ name: 'time_zone' });
    const releaseScripts = await holdScripts(page);
    await page.goto(`/sandbox/applications/${id}/keys/${keyIds.sandbox}/edit`, { waitUntil: 'commit' });
    await page.getByLabel('Name').fill('Worker');
    releaseScripts();
    await waitForScripts(page);
    expect(await page.getByLabel('Name').inputValue()).toBe('Worker');
  });

  test('typed text in several filters applies as soon as the scripts run', async () => {
    const { owner } = await platform.createTeam();
    const { page, close } = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: owner });
    const releaseScripts = await holdScripts(page);
    await page.goto('/sandbox/payments', { waitUntil: 'commit' });
    await page.getByText('More filters').click();
    await page.getByLabel('Minimum amount').fill('10');
    await page.getByLabel('Maximum amount').fill('20');
    await page.getByRole('searchbox').fill('ada');
    releaseScripts();
    await page.waitForURL((url) => ['min', 'max', 'search'].every((name) => url.searchParams.has(name)));
    await close();
  });

  test('typed text is not replaced after a reload by what was typed before', async () => {
    const { owner } = await platform.createTeam();
    const { page } = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: owner });
    await page.goto('/team/invite');
    await waitForScripts(page);
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('radio', { name: 'Admin' }).check();
    const releaseScripts = await holdScripts(page);
    await page.reload({ waitUntil: 'commit' });
    await page.getByLabel('Email').fill('ada@example.com');
    releaseScripts();
    await waitForScripts(page);
    await expect.poll(() => page.getByRole('radio', { name: 'Admin' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
  });

  test('typed text survives a reload and Back, without secrets', async () => {
    const { owner } = await platform.createTeam();
    const { page, context } = await openVisitor({
      dashboardUrl: platform.dashboardUrl,
      member: owner,
    });
    await page.goto('/team/invite');
    await waitForScripts(page);
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('radio', { name: 'Admin' }).check();
    await page.reload();
    await waitForScripts(page);
    await expectInvitation(page);

    await page.getByRole('link', { name: 'Applications' }).click();
    await page.waitForURL('**/applications');
    await page.goBack();
    await page.waitForURL('**/team/invite');
    await expectInvitation(page);

    await page.goto('/account/password');
    await waitForScripts(page);
    await page.getByLabel('Current password').fill('a secret');
    await page.reload();
    await waitForScripts(page);
    expect(await page.getByLabel('Current password').inputValue()).toBe('');
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('a secret');
    await context.close();
  });
});

async function expectInvitation(page: Page): Promise<void> {
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('grace@example.com');
  await expect.poll(() => page.getByRole('radio', { name: 'Admin' }).isChecked()).toBe(true);
}

import type { Request, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, waitForScripts } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';

/** Twice the time between two updates of Usage. */
const REFRESHED_MS = 20_000;

describeInBrowser('a browser without a network', () => {
  let platform: SharedPlatform;
  let member: TestMember;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    member = (await platform.createTeam()).owner;
  });
  afterAll(() => platform?.leave());

  test('a browser without a network shows that it is offline at once, keeps the page, and resumes live updates afterwards', async () => {
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member });
    const { page } = visitor;
    await page.goto('/sandbox/payments');
    await page.getByText('Real time').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor({ timeout: 2_000 });
    await page.getByText('Offline', { exact: true }).waitFor({ timeout: 2_000 });
    await auditLook(visitor, 'offline');
    await page.getByRole('link', { name: 'Applications' }).click();
    expect(new URL(page.url()).pathname).toBe('/sandbox/payments');

    await page.context().setOffline(false);
    await page.getByText('Real time').waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Applications' }).click();
    await page.waitForURL('**/sandbox/applications');
    await visitor.close();
  });

  test.for(['requests', 'usage'])(
    'a browser without a network keeps the open page of %s, which updates on its own',
    async (name) => {
      const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member });
      const { page } = visitor;
      await page.goto(`/sandbox/${name}`);
      await waitForScripts(page);
      await page.context().setOffline(true);
      await page.waitForEvent('requestfailed', { predicate: isPageData, timeout: REFRESHED_MS });
      await page.getByText('You are offline.').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/sandbox/${name}`);
      if (name === 'requests') await page.getByText('Not updating').waitFor();

      // SvelteKit cancels the rest of a response that it has read, so a request can end as failed.
      const isUpdate = (response: Response) => response.ok() && isPageData(response.request());
      const updated = page.waitForResponse(isUpdate, { timeout: REFRESHED_MS });
      await page.context().setOffline(false);
      await updated;
      await page.getByText('You are offline.').waitFor({ state: 'detached' });
      await visitor.close();
    },
  );

  test('a browser without a network keeps what was typed in a form, which can be submitted afterwards', async () => {
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member });
    const { page } = visitor;
    await page.goto('/sandbox/applications/new');
    await waitForScripts(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Typed with care');
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('button', { name: 'Create application' }).click();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Typed with care');
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByRole('heading', { name: 'Typed with care' }).waitFor();
    await visitor.close();
  });
});

const isPageData = (request: Request) => new URL(request.url()).pathname.endsWith('/__data.json');

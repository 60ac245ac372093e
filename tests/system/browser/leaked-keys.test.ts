import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { reportLeak } from '../../support/platform/secret-scanner.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const PLACE = 'https://github.com/example/shop/blob/main/config.yml';

describeInBrowser('leaked API keys in the dashboard', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let visitor: Visitor;
  let page: Page;
  let application: TestApplication;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  afterEach(() => expect(visitor.pageErrors).toEqual([]));
  afterAll(() => platform?.leave());

  const path = () => `/sandbox/applications/${application.id}`;

  test('a flagged key is shown on home, the application, and the key, until it is handled', async () => {
    await page.goto('/team/policies');
    await page.getByRole('radio', { name: 'Flag the key' }).check();
    await page.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText('Policy saved.').waitFor();

    await reportLeak(platform, application.keys.sandbox, PLACE);
    for (const shown of ['/sandbox', path()]) {
      await page.goto(shown);
      await page.getByText('An API key was found in public').waitFor();
    }
    await page.getByRole('alert').getByRole('link', { name: 'sandbox', exact: true }).click();
    await page.getByText('This key is public and still works').waitFor();
    const link = page.getByRole('alert').getByRole('link', { name: PLACE });
    expect(await link.getAttribute('rel')).toMatch(/noopener noreferrer nofollow/);

    await page.getByRole('button', { name: 'Mark as handled' }).click();
    await page.getByText('Leak marked as handled.').waitFor();
    expect(await page.getByText('This key is public and still works').count()).toBe(0);
    await page.goto(path());
    expect(await page.getByText('An API key was found in public').count()).toBe(0);
  });

  test('a key is rotated and revoked from its row in the list of all keys, without JavaScript, too', async () => {
    const { dashboardUrl } = platform;
    for (const javaScriptEnabled of [true, false]) {
      await platform.createApplication(team);
      const one = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled });
      await one.page.goto('/sandbox/applications/keys');
      await one.page.getByRole('link', { name: 'Rotate sandbox' }).first().click();
      const rotation = one.page.getByRole('dialog', { name: 'Rotate sandbox' });
      await rotation.getByRole('button', { name: 'Rotate key' }).click();
      await one.page.getByRole('heading', { name: 'API key rotated' }).waitFor();
      await one.page.goto('/sandbox/applications/keys');
      await one.page.getByRole('link', { name: 'Revoke sandbox' }).first().click();
      const revocation = one.page.getByRole('dialog', { name: 'Revoke sandbox' });
      await revocation.getByRole('button', { name: 'Revoke key' }).click();
      await one.page.getByText('API key revoked.').waitFor();
      await one.close();
    }
  });

  test('a key that the policy revoked is shown with the place where it was found', async () => {
    await page.goto('/team/policies');
    await page.getByRole('radio', { name: 'Revoke the key' }).check();
    await page.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText('Policy saved.').waitFor();
    await reportLeak(platform, application.keys.live, 'javascript:alert(1)');
    await page.goto(`/live/applications/${application.id}/keys/${application.keyIds.live}`);
    await page.getByText('This key was found in public').waitFor();
    expect(await page.getByText('Leaked, revoked').count()).toBe(1);
    // Text, not a link.
    expect(await page.getByRole('link', { name: 'javascript:' }).count()).toBe(0);
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { describeInBrowser, openVisitor, waitForScripts } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

describeInBrowser('the notice of what a form has done is shown once', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let application: TestApplication;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
  });
  afterAll(() => platform?.leave());

  describe.each([
    { scripts: 'with JavaScript', javaScriptEnabled: true },
    { scripts: 'without JavaScript', javaScriptEnabled: false },
  ])('$scripts', ({ javaScriptEnabled }) => {
    let page: Page;

    beforeAll(async () => {
      const { dashboardUrl } = platform;
      ({ page } = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled }));
    });

    test('the notice for an endpoint is shown once', async () => {
      await open('/sandbox/webhooks/endpoints/new');
      await page.getByLabel('URL').fill('http://127.0.0.1:9/');
      await page.getByRole('button', { name: 'Add endpoint' }).click();
      await expectOnce('Endpoint added');
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expectOnce('Endpoint saved.');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click();
      await expectOnce('Endpoint deleted.');
    });

    test('the notice for an API key is shown once', async () => {
      await open(`/sandbox/applications/${application.id}/keys/${application.keyIds.sandbox}/edit`);
      await page.getByRole('button', { name: 'Save API key' }).click();
      await expectOnce('API key saved.');
    });

    test('the notice of a sign-out is shown once', async () => {
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expectOnce('You are signed out.');
    });

    async function open(path: string): Promise<void> {
      await page.goto(path);
      if (javaScriptEnabled) await waitForScripts(page);
    }

    async function expectOnce(notice: string): Promise<void> {
      await page.getByText(notice).waitFor();
      await page.reload();
      expect(await page.getByText(notice).count()).toBe(0);
      if (javaScriptEnabled) await waitForScripts(page);
    }
  });

  test('the notice of what a form has done stays while the page is updated', async () => {
    const { dashboardUrl } = platform;
    const { page } = await openVisitor({ dashboardUrl, member: team.owner });
    await page.goto('/sandbox/webhooks/endpoints/new');
    await page.getByLabel('URL').fill('http://127.0.0.1:9/');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('Endpoint added').waitFor();
    await page.getByText('Real time', { exact: true }).waitFor();
    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    await api.createPayment({ amount: 100, currency: 'EUR', payment_method: 'pm_hold' });
    await page.getByRole('row', { name: /payment\.created/ }).waitFor();
    expect(await page.getByText('Endpoint added').count()).toBe(1);
  });
});

import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';
import { report } from '../../support/report.ts';

const MAX_ACTIVATIONS = 3;

describeInBrowser('from the home page', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let application: TestApplication;
  let endpoint: TestEndpoint;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    endpoint = await createWebhookEndpoint(platform.admin.as(team.owner.session), application);
    const sandbox = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    await sandbox.createPayment({ amount: 4200, currency: 'EUR', payment_method: 'pm_decline' });
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
    await page.goto('/sandbox');
    await page.getByText('View failed payments').waitFor();
  });
  afterAll(async () => {
    await endpoint?.receiver.close();
    await platform?.leave();
    expect(visitor.pageErrors).toEqual([]);
  });

  describe.each(['mouse', 'keyboard'] as const)('by %s', (device) => {
    let activations: number;

    beforeEach(async () => {
      activations = 0;
      await page.goto('/sandbox');
      await waitForScripts(page);
    });
    afterEach(({ task }) => {
      report(`${task.name} by ${device}: ${activations} activations`);
      expect(activations).toBeLessThanOrEqual(MAX_ACTIVATIONS);
    });

    /** Clicks the element, or focuses it and presses Enter. */
    async function activate(element: Locator): Promise<void> {
      activations += 1;
      if (device === 'mouse') return element.click();
      await element.focus();
      await page.keyboard.press('Enter');
    }

    /** Finds a command of the palette by words, and runs it. */
    async function runCommand(words: string, name: string | RegExp): Promise<void> {
      activations += 1;
      if (device === 'mouse') await page.getByRole('button', { name: 'Search' }).click();
      else await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      await palette.getByRole('option', { name: 'Create application' }).waitFor();
      await page.keyboard.insertText(words);
      const option = palette.getByRole('option', { name }).first();
      activations += 1;
      if (device === 'mouse') return option.click();
      await palette.getByRole('option', { name, selected: true }).first().waitFor();
      await page.keyboard.press('Enter');
    }

    const link = (name: string | RegExp) => page.getByRole('link', { name });
    const main = () => page.getByRole('main');
    const button = (name: string) => main().getByRole('button', { name, exact: true });

    test('an application is created', async () => {
      await activate(link('Applications'));
      await activate(link('Create application'));
      await page.waitForURL('**/applications/new');
      await page.getByRole('textbox', { name: 'Name' }).fill(`Made by ${device}`);
      await activate(button('Create application'));
      await page.getByRole('heading', { name: `Made by ${device}` }).waitFor();
    });

    test('an API key is created', async () => {
      await runCommand('create key test', 'Create sandbox API key for Test');
      await page.waitForURL('**/keys/new');
      await page.getByRole('textbox', { name: 'Name' }).fill(`Made by ${device}`);
      await activate(button('Create API key'));
      await page.getByText('This key is shown only once').waitFor();
    });

    test('a failed payment is opened', async () => {
      await activate(link('View failed payments'));
      await page.waitForURL('**/payments?status=failed');
      await activate(main().getByRole('row').filter({ hasText: 'Failed' }).getByRole('link').first());
      await page.getByRole('heading', { name: '42.00 EUR' }).waitFor();
    });

    test('a webhook is resent', async () => {
      await activate(main().getByRole('row').filter({ hasText: 'Failed' }).getByRole('link').first());
      await page.getByRole('heading', { name: 'Webhook events' }).waitFor();
      await activate(main().getByRole('link', { name: endpoint.receiver.url }).first());
      await page.waitForURL('**/webhooks/deliveries/dlv_*');
      await activate(button('Resend'));
      await page.getByText('Attempt 2', { exact: true }).waitFor();
    });

    test('the usage of one application is shown', async () => {
      await activate(link('Usage'));
      await page.waitForURL('**/usage');
      activations += 1;
      await page.getByLabel('Application').selectOption('Test');
      await page.getByRole('link', { name: /^Remove filter\s+Application: Test/ }).waitFor();
    });

    test('a member is invited', async () => {
      await activate(link('Team'));
      await activate(link('Invite member'));
      await page.waitForURL('**/team/invite');
      await page.getByLabel('Email').fill(`${device}@example.com`);
      await activate(button('Send invitation'));
      await page.getByText(`Invited ${device}@example.com`).waitFor();
    });

    test('a live payment is settled', async () => {
      const live = apiCaller(platform.baseUrl.live, application.keys.live);
      await live.createPayment({ amount: 7700, currency: 'EUR', reference: `live-${device}` });
      await page.goto('/live');
      await waitForScripts(page);
      await activate(main().getByRole('row').filter({ hasText: '77.00' }).getByRole('link').first());
      await page.getByRole('heading', { name: '77.00 EUR' }).waitFor();
      await activate(button('Mark as succeeded'));
      await activate(page.getByRole('dialog').getByRole('button', { name: 'Mark as succeeded' }));
      await main().getByText('Succeeded', { exact: true }).first().waitFor();
    });
  });
});

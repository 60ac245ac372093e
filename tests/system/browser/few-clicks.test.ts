import { createKey, setLeakedKeyPolicy, setLimits } from '@tollgate/contracts/applications/rpc';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCaller, apiCaller } from '../../support/browser/api-requests.ts';
import {
  DESKTOP,
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { type CountedSteps, countedSteps, type Device } from '../../support/browser/counted-steps.ts';
import { reportLeak } from '../../support/platform/secret-scanner.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';
import { report } from '../../support/report.ts';

const PHONE = { width: 390, height: 844 };
const PAYER = 'Grace Hopper';

/** Typing counts nothing, and each choice, click, and other key counts one. */
describeInBrowser('from the home page', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let application: TestApplication;
  let endpoint: TestEndpoint;
  let goneEndpoint: TestEndpoint;
  let colleague: TestMember;
  let sandbox: ApiCaller;
  let visitor: Visitor;
  let page: Page;
  const table: string[] = [];

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    colleague = await team.createMember('viewer');
    const owner = platform.admin.as(team.owner.session);
    endpoint = await createWebhookEndpoint(owner, application);
    goneEndpoint = await createWebhookEndpoint(owner, application);
    goneEndpoint.receiver.respond = () => ({ status: 410 });
    sandbox = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    const payment = { amount: 4200, currency: 'EUR', reference: 'invoice-2026-0042' };
    await sandbox.createPayment({ ...payment, payment_method: 'pm_decline', payer: { name: PAYER } });
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
    await page.goto('/sandbox');
    await page.getByText('View failed payments').waitFor();
  });
  afterAll(async () => {
    report(`clicks and keys from the home page:\n${table.join('\n')}`);
    await Promise.all([endpoint, goneEndpoint].map((each) => each?.receiver.close()));
    await platform?.leave();
    expect(visitor.pageErrors).toEqual([]);
  });

  /** Does the task with each device, within this number of clicks and keys. */
  function task(
    name: string,
    most: number,
    act: (by: CountedSteps, device: Device) => Promise<void>,
    devices: readonly Device[] = ['mouse'],
  ): void {
    test.for(devices)(
      `${name} in at most ${most} clicks and keys from the home page by %s`,
      async (device) => {
        await page.goto('/sandbox');
        await waitForScripts(page);
        const by = countedSteps(page, device);
        await act(by, device);
        table.push(`${name} by ${device}: ${by.clicks} clicks, ${by.keys} keys`);
        expect(by.clicks + by.keys).toBeLessThanOrEqual(most);
      },
    );
  }
  const BOTH = ['mouse', 'keyboard'] as const;

  /** Finds a command of the palette by words, and runs it. */
  async function runCommand(by: CountedSteps, device: Device, words: string, name: string): Promise<void> {
    if (device === 'keyboard') return find(by, words);
    await by.activate(page.getByRole('button', { name: 'Search' }));
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill(words);
    await by.activate(palette.getByRole('option', { name }).first());
  }

  /** Opens the first hit of the palette. */
  async function find(by: CountedSteps, words: string): Promise<void> {
    await by.press('/');
    await page.keyboard.type(words);
    await by.press('Enter');
  }

  const link = (name: string | RegExp) => page.getByRole('link', { name });
  const section = (name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).first();
  const main = () => page.getByRole('main');
  const button = (name: string) => main().getByRole('button', { name, exact: true });
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
  const payment = (text: string) =>
    main().getByRole('row').filter({ hasText: text }).getByRole('link').first();

  task(
    'an application is created',
    3,
    async (by, device) => {
      await by.activate(section('Applications'));
      await by.activate(link('Create application'));
      await page.waitForURL('**/applications/new');
      await page.getByRole('textbox', { name: 'Name' }).fill(`Made by ${device}`);
      await by.activate(button('Create application'));
      await page.getByRole('heading', { name: `Made by ${device}` }).waitFor();
    },
    BOTH,
  );

  task(
    'an API key is created',
    3,
    async (by, device) => {
      await runCommand(by, device, 'create key test', 'Create sandbox API key for Test');
      await page.waitForURL('**/keys/new');
      await page.getByRole('textbox', { name: 'Name' }).fill(`Made by ${device}`);
      await by.activate(button('Create API key'));
      await page.getByText('This key is shown only once').waitFor();
    },
    BOTH,
  );

  task(
    'an API key is revoked',
    3,
    async (by) => {
      await createSandboxKey('Old key');
      await find(by, 'revoke old');
      await by.activate(inDialog('Revoke key'));
      await page.getByText('API key revoked.').waitFor();
    },
    ['keyboard'],
  );

  task('a leaked key is rotated on a phone', 3, async (by) => {
    await team.owner.call(setLeakedKeyPolicy, { policy: 'flag' });
    const secret = await createSandboxKey('Leaked');
    await reportLeak(platform, secret, 'https://github.com/example/shop/blob/main/config.yml');
    await page.setViewportSize(PHONE);
    await page.reload();
    await by.activate(link('An API key was found in public'));
    await by.activate(page.getByRole('button', { name: 'Rotate key' }).first());
    expect(await page.getByRole('dialog').getByRole('radio', { name: 'No overlap' }).isChecked()).toBe(true);
    await by.activate(inDialog('Rotate key'));
    await page.getByText('The old key no longer works.').waitFor();
    await page.setViewportSize(DESKTOP);
  });

  task(
    'a payment is found by a part of its reference',
    2,
    async (by) => {
      await find(by, '0042');
      await page.getByRole('heading', { name: '42.00 EUR' }).waitFor();
    },
    ['keyboard'],
  );

  task(
    'a failed payment is explained',
    2,
    async (by) => {
      await by.activate(link('View failed payments'));
      await page.waitForURL('**/payments?status=failed');
      await by.activate(payment('Failed'));
      await page.getByRole('heading', { name: '42.00 EUR' }).waitFor();
      await page.getByText('The payment was declined.').first().waitFor();
    },
    BOTH,
  );

  // The last month has no payments, and takes the same clicks.
  task('the payments of a month are exported', 3, async (by) => {
    await by.activate(section('Payments'));
    await by.choose(page.getByRole('combobox', { name: 'Period' }), 'This month');
    await page.getByRole('link', { name: 'Remove filter Period: This month' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      by.activate(page.getByRole('button', { name: 'Export CSV' })),
    ]);
    expect(file.suggestedFilename()).toMatch(/-from-\d{4}-\d\d-01-to-\d{4}-\d\d-(28|29|30|31)\.csv$/);
  });

  task(
    'a webhook delivery is resent',
    3,
    async (by) => {
      const before = endpoint.receiver.received.length;
      await by.activate(payment('Failed'));
      await page.getByRole('heading', { name: 'Webhook events' }).waitFor();
      await by.activate(main().getByRole('link', { name: endpoint.receiver.url }).first());
      await page.waitForURL('**/webhooks/deliveries/dlv_*');
      await by.activate(button('Resend'));
      await expect.poll(() => endpoint.receiver.received.length).toBe(before + 1);
    },
    BOTH,
  );

  task('a disabled endpoint recovers what it missed', 3, async (by) => {
    goneEndpoint.receiver.respond = () => ({});
    await by.activate(link(/^Webhook endpoint is disabled/));
    await by.activate(button('Enable endpoint'));
    await by.activate(button('Recover failed deliveries'));
    await page.getByText(/deliver(y|ies) queued\./).waitFor();
  });

  task(
    'a member is invited',
    3,
    async (by, device) => {
      await by.activate(section('Team'));
      await by.activate(link('Invite member'));
      await page.waitForURL('**/team/invite');
      await page.getByLabel('Email').fill(`${device}@example.com`);
      await by.activate(button('Send invitation'));
      await page.getByText(`Invited ${device}@example.com`).waitFor();
    },
    BOTH,
  );

  // The choice between five roles, each with what it allows, and its saving are two steps on purpose.
  task('a role is changed', 4, async (by) => {
    await find(by, colleague.email);
    await by.activate(page.getByRole('radio', { name: 'Developer' }));
    await by.activate(button('Save role'));
    await page.getByText('now has the developer role.').waitFor();
  });

  task('a sandbox limit is raised', 3, async (by) => {
    const low = { requests_per_second: 100, burst: 100 };
    const request = { application_id: application.id, limits: { live: low, sandbox: low } };
    await team.owner.call(setLimits, request);
    await by.activate(section('Applications'));
    await by.activate(main().getByRole('link', { name: 'Test', exact: true }));
    await page.getByRole('region', { name: 'Sandbox' }).getByLabel('Burst').fill('200');
    await by.activate(button('Save sandbox limit'));
    await page.getByText('Limit saved.').waitFor();
  });

  // Live traffic is confirmed with what the change affects.
  task('a live limit is raised', 4, async (by) => {
    await by.activate(section('Applications'));
    await by.activate(main().getByRole('link', { name: 'Test', exact: true }));
    await page.getByRole('region', { name: 'Live' }).getByLabel('Burst').fill('200');
    await by.activate(button('Save live limit'));
    await page.getByText('Confirm the change to live').waitFor();
    await by.activate(button('Save live limit'));
    await page.getByText('Limit saved.').waitFor();
  });

  task('a payment is canceled', 3, async (by) => {
    await sandbox.createPayment({ amount: 8800, currency: 'EUR', payment_method: 'pm_hold' });
    await by.activate(payment('88.00'));
    await by.activate(button('Cancel payment'));
    await by.activate(inDialog('Cancel payment'));
    await main().getByText('Canceled', { exact: true }).first().waitFor();
  });

  task(
    'a live payment is settled',
    3,
    async (by, device) => {
      const live = apiCaller(platform.baseUrl.live, application.keys.live);
      await live.createPayment({ amount: 7700, currency: 'EUR', reference: `live-${device}` });
      await page.goto('/live');
      await waitForScripts(page);
      await by.activate(payment('77.00'));
      await page.getByRole('heading', { name: '77.00 EUR' }).waitFor();
      await by.activate(button('Mark as succeeded'));
      await by.activate(inDialog('Mark as succeeded'));
      await main().getByText('Succeeded', { exact: true }).first().waitFor();
    },
    BOTH,
  );

  task(
    'the usage of one key is shown',
    3,
    async (by) => {
      await by.activate(section('Usage'));
      await page.waitForURL('**/usage');
      await by.choose(page.getByLabel('Application'), 'Test');
      await page.getByRole('link', { name: /^Remove filter\s+Application: Test/ }).waitFor();
      await by.choose(page.getByLabel('API key'), 'sandbox');
      await page.getByRole('link', { name: /^Remove filter\s+API key: sandbox/ }).waitFor();
    },
    BOTH,
  );

  task('the audit log is verified', 3, async (by) => {
    await by.activate(section('Audit log'));
    await by.activate(link('Verification'));
    await by.activate(button('Verify now'));
    await page.getByText('The log is intact').waitFor({ timeout: 30_000 });
  });

  task('the personal data of a payer is erased', 3, async (by) => {
    await by.activate(payment('Failed'));
    await page.getByText(PAYER, { exact: true }).waitFor();
    await by.activate(button('Erase personal data'));
    await by.activate(inDialog('Erase personal data'));
    await page.getByRole('heading', { name: 'Personal data erased' }).waitFor();
  });

  task('the password is changed', 3, async (by) => {
    await by.activate(section('Your account'));
    await by.activate(link('Change password'));
    await page.getByLabel('Current password').fill(team.owner.password);
    await page.getByLabel('New password').fill('a longer password than before');
    await by.activate(button('Change password'));
    await page.getByText(/Password changed/).waitFor();
  });

  /** @returns its secret */
  async function createSandboxKey(name: string): Promise<string> {
    const request = { application_id: application.id, name, environment: 'sandbox' } as const;
    return shownOnce((await team.owner.call(createKey, request)).secret);
  }
});

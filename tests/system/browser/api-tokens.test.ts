import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createToken } from '@tollgate/contracts/accounts/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const run = promisify(execFile);
/** Records appear in the log within seconds. */
const IN_THE_LOG = { timeout: 60_000, interval: 500 };

describeInBrowser('API tokens in the dashboard', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let visitor: Visitor;
  let page: Page;
  let secret: string;
  let tokenPath: string;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  afterAll(async () => {
    await platform?.leave();
    expect(visitor.pageErrors).toEqual([]);
  });

  test('a token is created, and its secret is shown once with a command that works', async () => {
    await page.goto('/team');
    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByText('No API tokens yet').waitFor();
    await page.getByRole('link', { name: 'Create API token' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Terraform');
    await page.getByRole('radio', { name: 'Admin' }).check();
    await page.getByLabel('Allowed networks').fill('127.0.0.1\n::1');
    await page.getByRole('button', { name: 'Create API token' }).click();
    await page.getByText('This token is shown only once').waitFor();
    secret = String(await page.getByText(/^tg_admin_\w+$/).textContent());
    const command = String(await page.getByRole('region', { name: 'curl command' }).textContent());
    const { stdout } = await run('sh', ['-c', command]);
    expect(stdout).toContain('200 OK');

    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Terraform.*Admin.*Live and sandbox.*Active/ }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test('the page of a token shows its limits, its creator, and its last use', async () => {
    await page.getByRole('link', { name: 'Terraform' }).click();
    await page.waitForURL(/\/team\/tokens\/tok_\w+$/);
    tokenPath = new URL(page.url()).pathname;
    const [lookupId] = secret.replace('tg_admin_', '').split('_');
    await page.getByText(`tg_admin_${lookupId}_…`).waitFor();
    await page.getByText('127.0.0.1/32').waitFor();
    await page.getByText('now').waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^owner-/ })
      .click();
    await page.waitForURL(`**/team/members/${team.owner.id}`);
  });

  test('the timeline of a payment names the token that settled it', async () => {
    const { id: application_id, keys } = await platform.createApplication(team);
    const payment = { amount: 1999, currency: 'EUR', payment_method: 'pm_hold' };
    const payment_id = await apiCaller(platform.baseUrl.sandbox, keys.sandbox).createPayment(payment);
    const { call } = platform.admin.as(secret);
    const settled = await call(ADMIN_ROUTES.simulatePayment, {
      payment_id,
      outcome: { status: 'succeeded' },
    });
    const renamed = await call(
      ADMIN_ROUTES.renameApplication,
      { application_id, name: 'Shop' },
      { ifMatch: '*' },
    );
    expect([settled.status, renamed.status]).toEqual([200, 200]);
    await page.goto(`/sandbox/payments/${payment_id}`);
    await page.getByRole('main').getByRole('link', { name: 'Terraform' }).first().click();
    await page.waitForURL(`**${tokenPath}`);
  });

  test('a revoked token is rejected immediately, and its page offers nothing more', async () => {
    await page.goto(tokenPath);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByText('401 invalid-api-token').waitFor();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('API token revoked.').waitFor();
    expect(await responseToToken()).toBe('invalid-api-token');
    await expect.poll(() => page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    await page.goto('/team/tokens');
    await page.getByRole('row', { name: /Terraform.*Revoked/ }).waitFor();
  });

  test('the audit log has what the token did and what was done with it, with links to the token', async () => {
    const tokenId = String(tokenPath.split('/').at(-1));
    await expectRecord(`/audit?actor=${tokenId}`, /Application renamed/);
    await expectRecord(`/audit?actor=${tokenId}`, /Sandbox outcome simulated/);
    await expectRecord('/audit?actor=token', /Application renamed/);
    await expectRecord(`/audit?target=${tokenId}`, /API token created/);
    await expectRecord('/audit?action=token.revoked', /API token revoked/);
    await page
      .getByRole('row', { name: /API token revoked/ })
      .getByRole('link', { name: 'Terraform' })
      .click();
    await page.waitForURL(`**${tokenPath}`);
    await page.getByRole('link', { name: 'Token activity' }).click();
    await page.waitForURL(`**/audit?actor=${tokenId}`);
    await page
      .getByRole('row', { name: /Application renamed/ })
      .getByRole('link', { name: 'Terraform' })
      .waitFor();
  });

  test('tokens are listed in pages, newest first', async () => {
    for (let index = 1; index <= 51; index += 1) {
      await team.owner.call(createToken, { name: `Token ${index}`, role: 'viewer' });
    }
    await page.goto('/team/tokens');
    const names = () => page.getByRole('row').getByRole('link').allInnerTexts();
    expect((await names())[0]).toBe('Token 51');
    await page.getByRole('link', { name: 'Older' }).click();
    await expect.poll(names).toEqual(['Token 1', 'Terraform']);
    await page.getByRole('link', { name: 'Newer' }).click();
    await expect.poll(names).toHaveLength(50);
  });

  test('a member without the admin role finds no API tokens, and reads which role is required', async () => {
    const member = await team.createMember('developer');
    const developer = await openVisitor({ dashboardUrl: platform.dashboardUrl, member });
    await developer.page.goto('/team');
    await developer.page.getByRole('heading', { name: 'Members' }).waitFor();
    expect(await developer.page.getByRole('link', { name: 'API tokens' }).count()).toBe(0);
    const response = await developer.page.goto('/team/tokens');
    expect(response?.status()).toBe(403);
    await developer.page.getByText('API tokens require the admin role').waitFor();
    await developer.page.goto('/audit?actor=token');
    const row = developer.page.getByRole('row', { name: /Terraform.*Application renamed/ });
    await row.waitFor();
    expect(await row.getByRole('link', { name: 'Terraform' }).count()).toBe(0);
    await developer.close();
  });

  async function responseToToken(): Promise<string> {
    const { problem } = await platform.admin.as(secret).call(ADMIN_ROUTES.listApplications, {});
    return problem?.code ?? 'accepted';
  }

  async function expectRecord(path: string, words: RegExp): Promise<void> {
    await expect
      .poll(async () => {
        await page.goto(path);
        return page.getByRole('row', { name: words }).count();
      }, IN_THE_LOG)
      .toBeGreaterThan(0);
  }
});

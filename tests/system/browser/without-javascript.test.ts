import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { getApplication } from '@tollgate/contracts/applications/rpc';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { describeInBrowser, openVisitor, signIn, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';

const NEW_PASSWORD = 'a new one, of many words';

describeInBrowser('without JavaScript', () => {
  let platform: SharedPlatform;
  let owner: TestMember;
  let visitor: Visitor;
  let page: Page;
  let applicationPath: string;
  let secret: string;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    owner = (await platform.createTeam()).owner;
    visitor = await openVisitor({
      dashboardUrl: platform.dashboardUrl,
      member: owner,
      javaScriptEnabled: false,
    });
    page = visitor.page;
  });
  afterAll(() => platform?.leave());

  test('an application is created and renamed', async () => {
    await page.goto('/sandbox');
    await page.getByRole('link', { name: 'Create application' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Web shop');
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByRole('heading', { name: 'Web shop' }).waitFor();
    applicationPath = new URL(page.url()).pathname;

    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename application' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor();
  });

  test('a key is created and its secret shown once, even when the form is submitted again', async () => {
    await page.getByRole('link', { name: 'Create API key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Server');
    await page.getByRole('button', { name: 'Create API key' }).click();
    secret = String(await page.getByText(/^tg_sandbox_\w+$/).textContent());
    await expect.poll(() => api().tryKey()).toBe('accepted');

    // The browser submits the form again.
    await page.reload();
    await page.getByText('This form was already submitted').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.goto(applicationPath);
    expect(await page.getByRole('row').filter({ hasText: 'Server' }).count()).toBe(1);
  });

  test('an API token is created once, even when the form is submitted again, and revoked', async () => {
    await page.goto('/team');
    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByRole('link', { name: 'Create API token' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Terraform');
    await page.getByRole('radio', { name: 'Sandbox only' }).check();
    await page.getByRole('button', { name: 'Create API token' }).click();
    const tokenSecret = String(await page.getByText(/^tg_admin_\w+$/).textContent());
    expect(await statusWith(tokenSecret)).toBe(200);

    // The browser submits the form again.
    await page.reload();
    await page.getByText('This form was already submitted').waitFor();
    expect(await page.content()).not.toContain(tokenSecret);
    await page.getByRole('link', { name: 'View API token' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('API token revoked.').waitFor();
    expect(await statusWith(tokenSecret)).toBe(401);
    await page.goto('/team/tokens');
    expect(await page.getByRole('row', { name: /Terraform/ }).count()).toBe(1);
  });

  test('scopes and limits are changed', async () => {
    await page.goto(applicationPath);
    await page.getByRole('switch', { name: /cancel/i }).uncheck();
    await page.getByRole('button', { name: 'Save scopes' }).click();
    await page.getByText('Scopes saved.').waitFor();
    await page.getByRole('region', { name: 'Sandbox' }).getByLabel('Burst').fill('77');
    await page.getByRole('button', { name: 'Save sandbox limit' }).click();
    await page.getByText('Limit saved.').waitFor();

    const application = await owner.call(getApplication, {
      application_id: String(applicationPath.split('/').at(-1)),
    });
    expect(application.scopes).toEqual(['payment:create', 'payment:read']);
    expect(application.limits.sandbox.burst).toBe(77);
  });

  test('labels and the idempotency key requirement are changed, and applications filtered', async () => {
    await page.getByRole('button', { name: 'Edit labels' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit labels' });
    await dialog.getByRole('textbox', { name: 'Labels' }).fill('env: prod\nteam:checkout');
    await dialog.getByRole('button', { name: 'Save labels' }).click();
    await page.getByText('Labels saved.').waitFor();
    await page.getByRole('switch', { name: 'Required in live' }).uncheck();
    await page.getByRole('switch', { name: 'Required in the sandbox' }).check();
    await page.getByRole('button', { name: 'Save requirement' }).click();
    await page.getByText('Requirement saved.').waitFor();
    const application_id = String(applicationPath.split('/').at(-1));
    expect(await owner.call(getApplication, { application_id })).toMatchObject({
      labels: { env: 'prod', team: 'checkout' },
      require_idempotency_key: { live: false, sandbox: true },
    });

    await page.goto('/sandbox/applications');
    await page.getByRole('textbox', { name: 'Label' }).fill('env:test');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No matching applications').waitFor();
    await page.getByRole('textbox', { name: 'Label' }).fill('env:prod');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('row', { name: /Shop/ }).waitFor();
  });

  test('a key is edited', async () => {
    await page.goto(applicationPath);
    await page.getByRole('link', { name: 'Server', exact: true }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Worker');
    await page.getByRole('button', { name: 'Save API key' }).click();
    await page.getByText('API key saved.').waitFor();
    await page.getByRole('heading', { name: 'Worker' }).waitFor();
  });

  test('the secret of an API key that is pasted into a search stays out of the history', async () => {
    await page.goto('/sandbox/payments?status=failed');
    await page.getByLabel('Search payments').fill(secret);
    await page.getByRole('button', { name: 'Filter' }).click();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('search')).toBe(secret.slice(0, secret.lastIndexOf('_')));
    expect(searchParams.get('status')).toBe('failed');
    const session = await page.context().newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    expect(entries.filter(({ url }) => url.includes(secret))).toEqual([]);
  });

  test('payments are filtered, opened, and settled', async () => {
    await api().createPayment({ amount: 1200, currency: 'EUR', reference: 'one', payment_method: 'pm_hold' });
    await api().createPayment({ amount: 3400, currency: 'EUR', reference: 'two', payment_method: 'pm_hold' });
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByLabel('Search payments').fill('TWO');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: 'Remove filter Search: TWO' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'EUR' }).count()).toBe(1);

    await page.getByRole('link', { name: /34\.00/ }).click();
    await page.getByRole('button', { name: 'Simulate failure' }).click();
    const dialog = page.getByRole('dialog', { name: 'Simulate failure' });
    await dialog.getByLabel('Reason').selectOption('Insufficient funds');
    await dialog.getByRole('button', { name: 'Simulate failure' }).click();
    await page.getByText('insufficient_funds', { exact: true }).waitFor();
  });

  test('an application is archived, which disables its keys, is not deleted too soon, and is restored', async () => {
    await page.goto(applicationPath);
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Archive application' }).click();
    await page.getByText('This application is archived').waitFor();
    await expect.poll(() => api().tryKey()).toBe('application-disabled');

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete application' }).click();
    await page.getByText('You can delete the application from').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Restore application' }).click();
    await page.getByText('Application restored.').waitFor();
    await expect.poll(() => api().tryKey()).toBe('accepted');
  });

  test('a new member is invited and joins', async () => {
    await page.goto('/team');
    await page.getByRole('link', { name: 'Invite member' }).click();
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('radio', { name: 'Viewer' }).check();
    await page.getByRole('button', { name: 'Send invitation' }).click();
    const link = String(await page.getByRole('region', { name: 'invitation link' }).textContent());
    // The browser submits the form again, which must not replace the link.
    await page.reload();
    await page.getByText('This form was already submitted').waitFor();

    const { dashboardUrl } = platform;
    const guest = await openVisitor({ dashboardUrl, javaScriptEnabled: false });
    await guest.page.goto(link);
    await guest.page.getByLabel('Your name').fill('Grace Hopper');
    await guest.page.getByLabel('Password', { exact: true }).fill('a moth in the relay');
    await guest.page.getByRole('button', { name: 'Join team' }).click();
    await guest.page.waitForURL('**/sandbox');
    await guest.page.goto(link);
    await guest.page.getByText('This link is no longer valid').waitFor();
    await guest.close();
    await page.goto('/team');
    await page.getByRole('row', { name: /Grace Hopper.*Viewer/ }).waitFor();
  });

  test('a password is changed, and the member signs out and in with the new one', async () => {
    await page.goto('/account/password');
    await page.getByLabel('Current password').fill(owner.password);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto('/sandbox');
    await page.waitForURL('**/sign-in?*');
    await signIn(page, { email: owner.email, password: NEW_PASSWORD });
  });

  async function statusWith(credential: string): Promise<number> {
    return (await platform.admin.as(credential).call(ADMIN_ROUTES.listApplications, {})).status;
  }

  const api = () => apiCaller(platform.baseUrl.sandbox, secret);
});

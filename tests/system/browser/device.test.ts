import { changeRole } from '@tollgate/contracts/accounts/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { expireLogin, pollLogin, startLogin } from '../../support/platform/program-login.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';

describeInBrowser('the page that approves the login of a program', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let developer: TestMember;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    developer = await team.createMember('developer');
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: developer });
    page = visitor.page;
  });
  afterAll(async () => {
    await platform?.leave();
    expect(visitor.pageErrors).toEqual([]);
  });

  async function enter(code: string, on = page): Promise<void> {
    await on.goto('/device');
    await on.getByLabel('Code').fill(code);
    await on.getByRole('button', { name: 'Continue' }).click();
  }

  test('the page that approves the login of a program is found from the public address of the dashboard alone', async () => {
    const response = await fetch(new URL('/.well-known/tollgate', platform.dashboardUrl));
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(response.headers.get('content-type')).toBe('application/json');
    const atLocalhost = (url: string) => url.replace('127.0.0.1', 'localhost');
    expect(await response.json()).toEqual({
      admin_api_url: platform.adminUrl,
      live_api_url: atLocalhost(platform.baseUrl.live),
      sandbox_api_url: atLocalhost(platform.baseUrl.sandbox),
      device_verification_url: `${platform.dashboardUrl}/device`,
    });
  });

  test('the page that approves the login of a program shows the program, its address, the time, and the code, and approves after a click', async () => {
    const { user_code, device_code } = await startLogin(platform, 'tollgate on laptop');
    await enter(user_code.toLowerCase().replace('-', ''));
    await page.getByRole('heading', { name: 'Approve this login?' }).waitFor();
    for (const text of [user_code, 'tollgate on laptop', '127.0.0.1', developer.email])
      await page.getByText(text).waitFor();
    expect(await page.getByRole('radio', { name: 'Admin' }).count()).toBe(0);
    expect(await page.getByRole('radio', { name: 'Sandbox only' }).isChecked()).toBe(true);
    await auditLook(visitor, 'device-approve');
    expect((await pollLogin(platform, device_code)).status).toBe('authorization_pending');

    await page.getByRole('radio', { name: 'Viewer' }).check();
    await page.getByRole('button', { name: 'Approve login' }).click();
    await page.getByRole('heading', { name: 'Login approved' }).waitFor();
    await auditLook(visitor, 'device-approved');
    const { status, token, api_token } = await pollLogin(platform, device_code);
    expect(status).toBe('approved');
    expect(api_token).toMatchObject({ role: 'viewer', environments: ['sandbox'], acts_for: developer.id });
    expect((await platform.admin.as(token ?? '').call(ADMIN_ROUTES.listPayments, {})).status).toBe(200);
  });

  test('the page that approves the login of a program lists the login among the sessions of the member, who revokes it there', async () => {
    await page.goto('/account/sessions');
    await page.getByRole('row', { name: /tollgate on laptop.*Viewer · Sandbox only/ }).waitFor();
    await auditLook(visitor, 'sessions-with-login');
    await page.getByRole('button', { name: 'Revoke login of tollgate on laptop' }).click();
    await page.getByText('Login revoked.').waitFor();
    await expect.poll(() => page.getByText('tollgate on laptop').count()).toBe(0);
  });

  test('the page that approves the login of a program lists an approval among the sessions until the program has its token, and withdraws it there', async () => {
    const { user_code, device_code } = await startLogin(platform, 'tollgate on desktop');
    await enter(user_code);
    await page.getByRole('radio', { name: 'Viewer' }).check();
    await page.getByRole('button', { name: 'Approve login' }).click();
    await page.getByRole('heading', { name: 'Login approved' }).waitFor();
    await page.goto('/account/sessions');
    await page.getByRole('row', { name: /tollgate on desktop.*waiting for the program/ }).waitFor();
    await auditLook(visitor, 'sessions-with-approval');
    await page.getByRole('button', { name: 'Withdraw approval of tollgate on desktop' }).click();
    await page.getByText('Approval withdrawn.').waitFor();
    expect((await pollLogin(platform, device_code)).status).toBe('access_denied');
  });

  test('the page that approves the login of a program denies the login', async () => {
    const { user_code, device_code } = await startLogin(platform);
    await enter(user_code);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Login denied' }).waitFor();
    await auditLook(visitor, 'device-denied');
    expect((await pollLogin(platform, device_code)).status).toBe('access_denied');

    await enter(user_code);
    await page.getByText('This code was already used.').waitFor();
  });

  test('the page that approves the login of a program explains a wrong code, and keeps it in the field', async () => {
    await enter('BBBB-BBBB');
    await page.getByText('No login has this code.').waitFor();
    expect(await page.getByLabel('Code').inputValue()).toBe('BBBB-BBBB');
    await auditLook(visitor, 'device-wrong-code');
  });

  test('the page that approves the login of a program explains an expired code', async () => {
    const { user_code, device_code } = await startLogin(platform);
    await enter(user_code);
    await page.getByRole('heading', { name: 'Approve this login?' }).waitFor();
    await expireLogin(platform, device_code);
    await page.getByRole('button', { name: 'Approve login' }).click();
    await page.getByText('This code has expired.').waitFor();
    expect((await pollLogin(platform, device_code)).status).toBe('expired_token');
  });

  test('the page that approves the login of a program explains that the role was changed while the page was open', async () => {
    const member = await team.createMember('developer');
    const other = await openVisitor({ dashboardUrl: platform.dashboardUrl, member });
    const { user_code } = await startLogin(platform);
    await enter(user_code, other.page);
    await other.page.getByRole('radio', { name: 'Developer' }).check();
    await waitForScripts(other.page);
    await team.owner.call(changeRole, { member_id: member.id, role: 'viewer' });
    await other.page.getByRole('button', { name: 'Approve login' }).click();
    await other.page.getByText('requires the developer role').waitFor();
    await other.close();
  });

  test('the page that approves the login of a program sends a visitor to sign in first, and works without JavaScript', async () => {
    const { user_code, device_code } = await startLogin(platform);
    const plain = await openVisitor({
      dashboardUrl: platform.dashboardUrl,
      javaScriptEnabled: false,
    });
    await plain.page.goto(`/device?user_code=${user_code}`);
    await plain.page.getByLabel('Email').fill(team.owner.email);
    await plain.page.getByLabel('Password', { exact: true }).fill(team.owner.password);
    await plain.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await plain.page.getByLabel('Code').inputValue()).toBe(user_code);
    await plain.page.getByRole('button', { name: 'Continue' }).click();
    await plain.page.getByRole('radio', { name: 'Admin' }).check();
    await plain.page.getByRole('radio', { name: 'Live and sandbox' }).check();
    await plain.page.getByRole('button', { name: 'Approve login' }).click();
    await plain.page.getByRole('heading', { name: 'Login approved' }).waitFor();
    expect(await pollLogin(platform, device_code)).toMatchObject({
      status: 'approved',
      api_token: { role: 'admin', environments: null, acts_for: team.owner.id },
    });
    await plain.close();
  });
});

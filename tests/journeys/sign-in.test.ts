import { confirmTotp, startTotp } from '@tollgate/contracts/accounts/rpc';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../support/browser/api-requests.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../support/platform/shared-platform.ts';
import type { TestMember } from '../support/platform/test-team.ts';
import { totpCode } from '../support/platform/totp.ts';

const STEP_MS = 30_000;

describeInBrowser('a member with two-factor authentication', () => {
  let platform: SharedPlatform;
  let member: TestMember;
  let secret: string;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const team = await platform.createTeam();
    member = team.owner;
    const { keys } = await platform.createApplication(team);
    await apiCaller(platform.baseUrl.sandbox, keys.sandbox).createPayment({ amount: 1999, currency: 'EUR' });
    ({ secret } = await member.call(startTotp, { current_password: member.password }));
    // The sign-in takes a later code, because each code is accepted once.
    await member.call(confirmTotp, { totp: totpCode(secret, Date.now() - STEP_MS) });
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl });
    page = visitor.page;
  });
  afterAll(() => platform?.leave());

  async function enterPassword(password: string): Promise<void> {
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  test('who enters a wrong password reads so, beside a link that resets it', async () => {
    await page.goto('/sandbox');
    await page.waitForURL('**/sign-in?*');
    await enterPassword('not the password');
    await page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
  });

  test('a member with two-factor authentication is signed in only after a code of the authenticator app', async () => {
    await enterPassword(member.password);
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
    await page.goto('/sandbox');
    await page.waitForURL('**/sign-in?*');
    await page.getByLabel('Code').fill(totpCode(secret));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/sandbox');
  });

  test('a member with two-factor authentication sees the payments of the sandbox on the home page', async () => {
    await page.getByRole('heading', { name: 'Recent payments' }).waitFor();
    await page.getByRole('row').filter({ hasText: '19.99' }).waitFor();
  });

  test('a member with two-factor authentication ends the session by signing out', async () => {
    const cookies = await visitor.context.cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await visitor.context.addCookies(cookies);
    await page.goto('/sandbox');
    await page.waitForURL('**/sign-in?*');
    expect(visitor.pageErrors).toEqual([]);
  });
});

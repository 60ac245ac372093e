import { confirmTotp, setSecondFactorPolicy, startTotp } from '@tollgate/contracts/accounts/rpc';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../support/browser/virtual-authenticator.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';
import { totpCode } from '../../support/platform/totp.ts';

describeInBrowser('passkeys', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let member: TestMember;
  let visitor: Visitor;
  let page: Page;
  let device: VirtualAuthenticator;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  beforeEach(async () => {
    team = await platform.createTeam();
    member = team.owner;
    await open(member);
  });
  afterAll(() => platform?.leave());

  async function open(signedIn: TestMember | undefined): Promise<void> {
    visitor = await openVisitor({
      dashboardUrl: platform.dashboardUrl,
      ...(signedIn && { member: signedIn }),
    });
    page = visitor.page;
    device = await addVirtualAuthenticator(page);
  }

  async function addPasskey(name: string): Promise<void> {
    await page.goto('/account/passkeys/new');
    await waitForScripts(page);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Current password').fill(member.password);
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  async function storeCodes(): Promise<string[]> {
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const texts = await codes.allTextContents();
    await page.getByRole('link', { name: "I've stored the codes" }).click();
    return texts;
  }

  async function signOut(): Promise<void> {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await waitForScripts(page);
  }

  async function enterPassword(): Promise<void> {
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel('Password', { exact: true }).fill(member.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  const signInWithPasskey = () => page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  const passkeys = () => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

  test('passkeys are added with the password, and sign in without one', async () => {
    await page.goto('/account');
    await page.getByText('No passkeys.').waitFor();
    await auditLook(visitor, 'passkeys-none');
    await page.getByRole('link', { name: 'Add passkey' }).click();
    await auditLook(visitor, 'passkey-new');
    await addPasskey('My laptop');
    expect(await storeCodes()).toHaveLength(10);
    await passkeys().filter({ hasText: 'My laptop' }).filter({ hasText: 'not used yet' }).waitFor();
    await auditLook(visitor, 'passkeys');

    await signOut();
    await auditLook(visitor, 'sign-in-passkey');
    await signInWithPasskey();
    await page.waitForURL('**/sandbox');
    await page.goto('/account');
    await passkeys().filter({ hasText: 'last used just now' }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.close();
  });

  test('complete a sign-in with the password, which a recovery code can do as well', async () => {
    await addPasskey('My phone');
    const [code] = (await storeCodes()) as [string];
    await signOut();
    await enterPassword();
    await page.getByText('or enter a recovery code').waitFor();
    await auditLook(visitor, 'passkey-second-step');
    await signInWithPasskey();
    await page.waitForURL('**/sandbox');

    await signOut();
    await enterPassword();
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/sandbox');
    await visitor.close();
  });

  test('passkeys are renamed, and removed with the password', async () => {
    await addPasskey('Old name');
    await storeCodes();
    await page.getByRole('button', { name: 'Rename Old name' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename passkey' });
    await auditLook(visitor, 'passkey-rename');
    await rename.getByLabel('Name').fill('Security key');
    await rename.getByRole('button', { name: 'Rename passkey' }).click();
    await page.getByText('Passkey renamed to Security key.').waitFor();

    await page.getByRole('button', { name: 'Remove Security key' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove Security key?' });
    await remove.getByLabel('Current password').fill('not the password');
    await remove.getByRole('button', { name: 'Remove passkey' }).click();
    await remove.getByText('This is not your current password.').waitFor();
    await auditLook(visitor, 'passkey-remove');
    await remove.getByLabel('Current password').fill(member.password);
    await remove.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('No passkeys.').waitFor();

    await signOut();
    await signInWithPasskey();
    await page.getByText('This passkey was not accepted').waitFor();
    await visitor.close();
  });

  test('passkeys explain a device that does not verify its user, and can be tried again', async () => {
    await device.setUserVerified(false);
    await addPasskey('My laptop');
    await page.getByText('No passkey was created').waitFor();
    await auditLook(visitor, 'passkey-failed');
    await device.setUserVerified(true);
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await storeCodes();
    await visitor.close();
  });

  test('work with the keyboard alone', async () => {
    await addPasskey('My laptop');
    await storeCodes();
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sandbox');
    await visitor.close();
  });

  test('passkeys sign in again where a session has ended', async () => {
    await addPasskey('My laptop');
    await storeCodes();
    await page.goto('/sandbox/applications/new');
    await waitForScripts(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Typed with care');
    await visitor.context.clearCookies({ name: 'tollgate_session' });
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await signInWithPasskey();
    await page.getByRole('heading', { name: 'Typed with care' }).waitFor();
    await visitor.close();
  });

  test('passkeys need JavaScript, which the page says, and a code works without it', async () => {
    const { secret } = await member.call(startTotp, { current_password: member.password });
    await member.call(confirmTotp, { totp: totpCode(secret) });
    await addPasskey('My laptop');
    await page.getByText('Passkey added.').waitFor();
    await visitor.close();
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, javaScriptEnabled: false });
    page = visitor.page;
    await page.goto('/sign-in');
    await enterPassword();
    // Locators by text ignore this element.
    const notice = page.locator('noscript');
    await page.locator('noscript p').first().waitFor();
    expect(await notice.textContent()).toContain('Passkeys require JavaScript.');
    await page.getByLabel('Code').fill(totpCode(secret, Date.now() + 30_000));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/sandbox');
    await page.goto('/account/passkeys/new');
    await page.locator('noscript p').first().waitFor();
    expect(await notice.textContent()).toContain('Passkeys require JavaScript');
    await visitor.close();
  });

  test('a team requires a second factor after a grace period, of which members see a notice', async () => {
    await page.goto('/team/policies');
    await page.getByRole('link', { name: 'Set up your own second factor' }).waitFor();
    await addPasskey('My laptop');
    await storeCodes();
    await page.goto('/team/policies');
    await waitForScripts(page);
    await auditLook(visitor, 'second-factor-policy');
    await page.getByLabel('Grace period').selectOption('7');
    await page.getByRole('button', { name: 'Require two-factor authentication' }).click();
    await page.getByText('Two-factor authentication is required in 7 days.').waitFor();
    const colleague = await team.createMember('developer');
    await page.reload();
    await page.getByText('1 member has no second factor.').waitFor();
    await auditLook(visitor, 'second-factor-required');
    await visitor.close();

    await open(colleague);
    await page.goto('/sandbox');
    await page.getByText(/Your team requires two-factor authentication in \d days/).waitFor();
    await auditLook(visitor, 'second-factor-notice');
    await page.getByRole('link', { name: 'Set it up' }).click();
    await page.waitForURL('**/account/second-factor');
    await visitor.close();
  });

  test('after the grace period, a member sets up a passkey before anything else, and returns to the page', async () => {
    const { secret } = await member.call(startTotp, { current_password: member.password });
    await member.call(confirmTotp, { totp: totpCode(secret) });
    await visitor.close();
    member = await team.createMember('developer');
    await open(member);
    await team.owner.call(setSecondFactorPolicy, { team_id: team.id, grace_period_days: 0 });
    await page.goto('/sandbox/payments?status=failed');
    await page.waitForURL('**/account/second-factor?next=*');
    await page.getByText('Your team requires two-factor authentication').waitFor();
    await auditLook(visitor, 'second-factor-due');
    await page.getByRole('link', { name: 'Add passkey' }).click();
    // The page before it asks for the password as well.
    await page.getByRole('heading', { name: 'Add a passkey' }).waitFor();
    await waitForScripts(page);
    await page.getByLabel('Current password').fill(member.password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await storeCodes();
    await page.waitForURL('**/sandbox/payments?status=failed');
    expect(visitor.pageErrors).toEqual([]);
    await visitor.close();
  });
});

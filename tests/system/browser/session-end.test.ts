import { confirmTotp, revokeAllSessions, startTotp } from '@tollgate/contracts/accounts/rpc';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';
import { totpCode } from '../../support/platform/totp.ts';

const STEP_MS = 30_000;
const NAME = 'Typed with care';

describeInBrowser('a form whose session ends', () => {
  let platform: SharedPlatform;
  let member: TestMember;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  beforeEach(async () => {
    member = (await platform.createTeam()).owner;
  });
  afterAll(() => platform?.leave());

  const dialog = () => page.getByRole('dialog', { name: 'Your session has ended' });

  /** Types, ends the session elsewhere, and submits. */
  async function submitAfterTheEnd(): Promise<void> {
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member });
    page = visitor.page;
    await page.goto('/sandbox/applications/new');
    await waitForScripts(page);
    await page.getByRole('textbox', { name: 'Name' }).fill(NAME);
    await member.call(revokeAllSessions, {});
    await page.getByRole('button', { name: 'Create application' }).click();
    await dialog().waitFor();
  }

  async function enterPassword(password: string): Promise<void> {
    await dialog().getByLabel('Password', { exact: true }).fill(password);
    await dialog().getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  test('a form whose session ends is submitted after the member has signed in again in a dialog', async () => {
    await submitAfterTheEnd();
    await auditLook(visitor, 'session-ended');
    await enterPassword('not the password');
    await dialog().getByText('Incorrect password.').waitFor();
    await enterPassword(member.password);
    await page.getByRole('heading', { name: NAME }).waitFor();
    await visitor.close();
  });

  test('a form whose session ends keeps what was typed when the member closes the dialog', async () => {
    await submitAfterTheEnd();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(NAME);
    await page.getByRole('button', { name: 'Create application' }).click();
    await enterPassword(member.password);
    await page.getByRole('heading', { name: NAME }).waitFor();
    await visitor.close();
  });

  test('a form whose session ends asks for the code of two-factor authentication', async () => {
    const { secret } = await member.call(startTotp, { current_password: member.password });
    const lastStep = Date.now() - STEP_MS;
    await member.call(confirmTotp, { totp: totpCode(secret, lastStep) });
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl });
    page = visitor.page;
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel('Password', { exact: true }).fill(member.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Code').fill(totpCode(secret));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/(live|sandbox)$/);

    await page.goto('/sandbox/applications/new');
    await waitForScripts(page);
    await page.getByRole('textbox', { name: 'Name' }).fill(NAME);
    await member.call(revokeAllSessions, {});
    await page.getByRole('button', { name: 'Create application' }).click();
    await enterPassword(member.password);
    await dialog()
      .getByLabel('Code')
      .fill(totpCode(secret, Date.now() + STEP_MS));
    await dialog().getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: NAME }).waitFor();
    await visitor.close();
  });
});

import { createInvitation, deletePasskey, listPasskeys } from '@tollgate/contracts/accounts/rpc';
import { listKeys } from '@tollgate/contracts/applications/rpc';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
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
import { forgetAuthentication } from '../../support/platform/forget-authentication.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestMember } from '../../support/platform/test-team.ts';

const NAME = 'Production server';

describeInBrowser('a form that needs a recent authentication', () => {
  let platform: SharedPlatform;
  let owner: TestMember;
  let application: TestApplication;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  beforeEach(async () => {
    const team = await platform.createTeam();
    owner = team.owner;
    application = await platform.createApplication(team);
  });
  afterAll(() => platform?.leave());

  const dialog = () => page.getByRole('dialog', { name: 'Confirm your identity' });

  async function visit(options: { javaScriptEnabled?: boolean } = {}): Promise<void> {
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: owner, ...options });
    page = visitor.page;
    await forgetAuthentication(platform, owner.id);
  }

  /** Adds a passkey of a new device of this browser. */
  async function addPasskey(): Promise<VirtualAuthenticator> {
    const device = await addVirtualAuthenticator(page);
    await page.goto('/account/passkeys/new');
    await waitForScripts(page);
    await page.getByLabel('Name').fill('My laptop');
    await page.getByLabel('Current password').fill(owner.password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: "I've stored the codes" }).click();
    await page.getByRole('list', { name: 'Passkeys' }).waitFor();
    return device;
  }

  async function submitNewKey(): Promise<void> {
    await page.getByRole('textbox', { name: 'Name' }).fill(NAME);
    await page.getByRole('button', { name: 'Create API key' }).click();
  }

  async function liveKeys() {
    const { data } = await owner.call(listKeys, { application_id: application.id });
    return data.filter(({ environment, name }) => environment === 'live' && name === NAME);
  }

  test('a form that needs a recent authentication is submitted after the member has given the password in a dialog', async () => {
    await visit();
    await page.goto(`/live/applications/${application.id}/keys/new`);
    await waitForScripts(page);
    await submitNewKey();
    await dialog().waitFor();
    await auditLook(visitor, 'confirm-identity');
    expect(await liveKeys()).toEqual([]);

    await dialog().getByLabel('Password', { exact: true }).fill('not the password');
    await dialog().getByRole('button', { name: 'Confirm', exact: true }).click();
    await dialog().getByText('This is not your current password.').waitFor();
    await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('current_password');
    await dialog().getByLabel('Password', { exact: true }).fill(owner.password);
    await dialog().getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('heading', { name: 'API key created' }).waitFor();
    expect(await liveKeys()).toHaveLength(1);
    await visitor.close();
  });

  test('a form that needs a recent authentication does nothing when the member closes the dialog, and keeps what was typed', async () => {
    await visit();
    await page.goto(`/live/applications/${application.id}/keys/new`);
    await waitForScripts(page);
    await submitNewKey();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(NAME);
    expect(await liveKeys()).toEqual([]);
    await visitor.close();
  });

  test('a form that needs a recent authentication leads to a page that asks for the password, without JavaScript', async () => {
    await visit({ javaScriptEnabled: false });
    await page.goto(`/live/applications/${application.id}/keys/new`);
    await submitNewKey();
    await page.getByRole('link', { name: 'Confirm your identity' }).click();
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.waitForURL(/\/keys\/new$/);
    await submitNewKey();
    await page.getByRole('heading', { name: 'API key created' }).waitFor();
    await visitor.close();
  });

  test('a form that needs a recent authentication is submitted after a member who has a passkey confirmed with it', async () => {
    await visit();
    const device = await addPasskey();
    await page.goto(`/live/applications/${application.id}/keys/new`);
    await waitForScripts(page);
    await submitNewKey();
    await dialog().getByLabel('Password', { exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Confirm with a passkey' }).waitFor();
    await auditLook(visitor, 'confirm-identity-passkey');

    await device.setUserVerified(false);
    await dialog().getByRole('button', { name: 'Confirm with a passkey' }).click();
    await dialog().getByText('No passkey was used').waitFor();
    expect(await liveKeys()).toEqual([]);
    await device.setUserVerified(true);
    await dialog().getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByRole('heading', { name: 'API key created' }).waitFor();
    expect(await liveKeys()).toHaveLength(1);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.close();
  });

  test('a form that needs a recent authentication leads to a page on which a passkey confirms, with the keyboard alone', async () => {
    await visit();
    await addPasskey();
    await page.goto('/reauthenticate?next=/account');
    const button = page.getByRole('button', { name: 'Confirm with a passkey' });
    await button.waitFor();
    await auditLook(visitor, 'reauthenticate-passkey');
    await button.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account');
    await visitor.close();
  });

  test('a form that needs a recent authentication explains a passkey that was removed meanwhile, and accepts the password', async () => {
    await visit();
    await addPasskey();
    await page.goto('/reauthenticate?next=/account');
    await page.getByRole('button', { name: 'Confirm with a passkey' }).waitFor();
    const { data } = await owner.call(listPasskeys, {});
    const [passkey] = data as [(typeof data)[number]];
    await owner.call(deletePasskey, { passkey_id: passkey.id, current_password: owner.password });
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByText('Passkeys are unavailable at the moment.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.waitForURL('**/account');
    await visitor.close();
  });

  test('a form that needs a recent authentication is asked for where the action is a single button', async () => {
    const { token } = await owner.call(createInvitation, { email: 'guest@example.com', role: 'viewer' });
    await visit();
    await page.goto('/team');
    await waitForScripts(page);
    await page.getByRole('button', { name: 'Show link' }).click();
    await dialog().getByLabel('Password', { exact: true }).fill(owner.password);
    await dialog().getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText(shownOnce(token)).waitFor();
    await visitor.close();
  });
});

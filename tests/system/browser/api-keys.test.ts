import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

describeInBrowser('API keys in the dashboard', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let visitor: Visitor;
  let page: Page;
  let application: TestApplication;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  beforeEach(async () => {
    application = await platform.createApplication(team);
  });
  afterEach(() => expect(visitor.pageErrors).toEqual([]));
  afterAll(() => platform?.leave());

  test('after a rotation with overlap, both keys work until the old key is revoked', async () => {
    const old = application.keys.sandbox;
    await openKey('sandbox');
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('radio', { name: '24 hours' }).check();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const rotated = await shownSecret('sandbox');
    await page.getByText('The old key works until').waitFor();

    await expect.poll(() => responseTo('sandbox', rotated)).toBe('accepted');
    expect(await responseTo('sandbox', old)).toBe('accepted');

    await openKey('sandbox');
    await page.getByText('This key was rotated').waitFor();
    await revoke();
    await expect.poll(() => responseTo('sandbox', old)).toBe('invalid-api-key');
    expect(await responseTo('sandbox', rotated)).toBe('accepted');
  });

  test('after a rotation without overlap, only the new key works', async () => {
    await openKey('sandbox');
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('radio', { name: 'No overlap' }).check();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const rotated = await shownSecret('sandbox');
    await page.getByText('The old key no longer works.').waitFor();

    await expect.poll(() => responseTo('sandbox', application.keys.sandbox)).toBe('invalid-api-key');
    await expect.poll(() => responseTo('sandbox', rotated)).toBe('accepted');
  });

  test('an edited key is restricted immediately, and its other properties stay', async () => {
    await openKey('sandbox');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Allowed networks').fill('192.0.2.0/24');
    await page.getByRole('button', { name: 'Save API key' }).click();
    await page.getByText('API key saved.').waitFor();
    await expect.poll(() => responseTo('sandbox', application.keys.sandbox)).toBe('ip-not-allowed');

    await page.getByRole('link', { name: 'Edit' }).click();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('sandbox');
    await page.getByLabel('Allowed networks').fill('');
    await page.getByRole('button', { name: 'Save API key' }).click();
    await page.getByText('Any network').waitFor();
    await expect.poll(() => responseTo('sandbox', application.keys.sandbox)).toBe('accepted');
  });

  test('the keys of all applications are listed and filtered', async () => {
    const other = await platform.createApplication(team);
    const key = application.keyIds;
    await page.goto('/sandbox/applications');
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    const rowOf = (id: string) => page.locator(`a[href$="/keys/${id}"]`);
    await rowOf(key.sandbox).waitFor();
    expect(await rowOf(other.keyIds.sandbox).count()).toBe(1);
    expect(await rowOf(key.live).count()).toBe(0);

    await page.getByRole('combobox', { name: 'Application' }).selectOption(application.id);
    await expect.poll(() => rowOf(other.keyIds.sandbox).count()).toBe(0);
    expect(await rowOf(key.sandbox).count()).toBe(1);
  });

  test('a revoked key is rejected immediately, and its page says why and when', async () => {
    await openKey('sandbox');
    await revoke('It was in a log file');

    await expect.poll(() => responseTo('sandbox', application.keys.sandbox)).toBe('invalid-api-key');
    await page.getByText('It was in a log file').waitFor();
    expect(await page.getByRole('button', { name: /Rotate|Revoke/ }).count()).toBe(0);
  });

  test('revoking a live key requires typing its name', async () => {
    await openKey('live');
    await page.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Enter the key name to confirm').fill('something else');
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await dialog.getByText('The name does not match.').waitFor();
    expect(await responseTo('live', application.keys.live)).toBe('accepted');

    await dialog.getByLabel('Enter the key name to confirm').fill('live');
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await expect.poll(() => responseTo('live', application.keys.live)).toBe('invalid-api-key');
  });

  test('a key that may not create payments shows no command to create one', async () => {
    await page.goto(`/sandbox/applications/${application.id}/keys/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Reporting');
    await page.getByRole('radio', { name: 'Select scopes' }).check();
    await page.getByRole('switch', { name: /read/i }).check();
    await page.getByRole('button', { name: 'Create API key' }).click();
    const secret = await shownSecret('sandbox');

    await page.getByText("This key can't create payments.").waitFor();
    await expect.poll(() => responseTo('sandbox', secret)).toBe('accepted');
    const creation = apiCaller(platform.baseUrl.sandbox, secret).createPayment({
      amount: 1,
      currency: 'EUR',
    });
    await expect(creation).rejects.toThrow('insufficient-scope');
  });

  async function openKey(environment: Environment): Promise<void> {
    const { id, keyIds } = application;
    await page.goto(`/${environment}/applications/${id}/keys/${keyIds[environment]}`);
  }

  async function shownSecret(environment: Environment): Promise<string> {
    return String(await page.getByText(new RegExp(`^tg_${environment}_\\w+$`)).textContent());
  }

  async function revoke(reason = ''): Promise<void> {
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByLabel('Reason').fill(reason);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('API key revoked.').waitFor();
  }

  function responseTo(environment: Environment, secret: string): Promise<string> {
    return apiCaller(platform.baseUrl[environment], secret).tryKey();
  }
});

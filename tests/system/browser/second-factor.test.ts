import jsqr from 'jsqr';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';
import { totpCode } from '../../support/platform/totp.ts';

describeInBrowser('two-factor authentication', () => {
  let platform: SharedPlatform;
  let visitor: Visitor;
  let member: TestMember;
  let page: Page;
  let secret: string;
  let recoveryCodes: string[];

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    member = (await platform.createTeam()).owner;
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member });
    page = visitor.page;
  });
  afterAll(() => platform?.leave());

  test('two-factor authentication is enabled with the password, the QR code, and a first code of the app', async () => {
    await page.goto('/account');
    await page.getByRole('link', { name: 'Set up two-factor authentication' }).click();
    await page.getByLabel('Current password').fill(member.password);
    await page.getByRole('button', { name: 'Continue' }).click();
    const uri = new URL(
      await scanQrCode(page.getByRole('img', { name: 'QR code for the authenticator app' })),
    );
    expect(decodeURIComponent(uri.pathname)).toContain(member.email);
    secret = String(uri.searchParams.get('secret'));
    expect((await page.getByTestId('totp-secret').textContent())?.replaceAll(' ', '')).toBe(secret);

    await page.getByLabel('Six-digit code').fill(totpCode(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Two-factor authentication is on.').waitFor();
  });

  test('two-factor authentication shows the recovery codes once', async () => {
    recoveryCodes = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents();
    expect(new Set(recoveryCodes).size).toBe(10);

    await page.reload();
    await page.getByText('10 of 10 codes left').waitFor();
    expect(await page.content()).not.toContain(recoveryCodes[0]);
    expect(await page.content()).not.toContain(secret);
  });

  test('two-factor authentication accepts a recovery code once', async () => {
    const [code] = recoveryCodes as [string];
    await signOut();
    await enterPassword();
    await enterCode(code);
    await page.waitForURL('**/sandbox');

    await signOut();
    await enterPassword();
    await enterCode(code);
    await page.getByText('That code is incorrect or expired.').waitFor();
    expect(await page.content()).not.toContain(code);
    await enterCode(String(recoveryCodes[1]));
    await page.waitForURL('**/sandbox');
    await page.goto('/account');
    await page.getByText('8 recovery codes left').waitFor();
  });

  test('two-factor authentication is disabled only with the password', async () => {
    await page.goto('/account/second-factor');
    const form = page.getByRole('form', { name: 'Remove the authenticator app' });
    await form.getByLabel('Current password').fill('not the password at all');
    await form.getByRole('button', { name: 'Remove' }).click();
    await form.getByText(/not right|wrong|not your/i).waitFor();
    await form.getByLabel('Current password').fill(member.password);
    await form.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Authenticator app removed.').waitFor();

    await signOut();
    await enterPassword();
    await page.waitForURL('**/sandbox');
    expect(visitor.pageErrors).toEqual([]);
  });

  async function signOut(): Promise<void> {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
  }

  async function enterPassword(): Promise<void> {
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel('Password', { exact: true }).fill(member.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async function enterCode(code: string): Promise<void> {
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
});

/** Scans the screen as a phone does. */
async function scanQrCode(image: Locator): Promise<string> {
  const png = await image.screenshot();
  // Pixels are read in a blank page, because the dashboard's policy blocks images from other origins.
  const canvas = await image.page().context().newPage();
  const { width, height, pixels } = (await canvas.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return { width: bitmap.width, height: bitmap.height, pixels: [...data] };
  })()`)) as { width: number; height: number; pixels: number[] };
  await canvas.close();
  const found = jsqr.default(Uint8ClampedArray.from(pixels), width, height);
  if (found === null) throw new Error('There is no QR code that can be read.');
  return found.data;
}

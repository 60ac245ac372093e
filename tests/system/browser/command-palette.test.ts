import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import {
  describeInBrowser,
  holdScripts,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('the command palette, used only with the keyboard', () => {
  let platform: SharedPlatform;
  let visitor: Visitor;
  let page: Page;
  let applicationId: string;
  let apiKey: string;
  let paymentId: string;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const team = await platform.createTeam();
    const { id, keys } = await platform.createApplication(team);
    applicationId = id;
    apiKey = keys.sandbox;
    paymentId = await apiCaller(platform.baseUrl.sandbox, keys.sandbox).createPayment({
      amount: 100,
      currency: 'EUR',
      payment_method: 'pm_hold',
    });
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  afterAll(() => platform?.leave());

  test('the command palette, used only with the keyboard opens with Ctrl-K on every page, and leads to a section by a word and Enter', async () => {
    await page.goto('/account');
    await type('payments');
    await page.getByRole('option', { name: 'Payments', exact: true, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sandbox/payments');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('the command palette, used only with the keyboard opens once the scripts run when `/` is pressed before, with everything typed since', async () => {
    const releaseScripts = await typeBeforeScripts('teXam');
    await page.keyboard.press('Backspace');
    releaseScripts();
    await palette().waitFor();
    expect(await palette().inputValue()).toBe('teXa');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unrouteAll();
  });

  test('the command palette, used only with the keyboard opens the first hit once the scripts run when Enter is pressed before', async () => {
    const releaseScripts = await typeBeforeScripts('payments');
    await page.keyboard.press('Enter');
    releaseScripts();
    await page.waitForURL('**/sandbox/payments');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unrouteAll();
  });

  test('the command palette, used only with the keyboard takes what is typed since Ctrl-K, also with the focus in a field', async () => {
    const releaseScripts = await holdScripts(page);
    await page.goto('/sandbox/payments', { waitUntil: 'commit' });
    const search = page.getByRole('searchbox');
    await search.fill('ada');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('teXa');
    releaseScripts();
    await palette().waitFor();
    expect([await palette().inputValue(), await search.inputValue()]).toEqual(['teXa', 'ada']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unrouteAll();
  });

  test('the command palette, used only with the keyboard opens a payment by its pasted id', async () => {
    await type(` ${paymentId} `);
    await page.getByRole('option', { name: paymentId, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/sandbox/payments/${paymentId}`);
    await page.getByRole('heading', { name: '1.00 EUR' }).waitFor();
  });

  test('the command palette, used only with the keyboard opens an application by its name, selected with the arrow keys', async () => {
    await type('test');
    const application = page.getByRole('option', { name: 'Test', exact: true });
    await application.waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown');
        return application.getAttribute('aria-selected');
      })
      .toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/sandbox/applications/${applicationId}`);
  });

  test('the command palette, used only with the keyboard closes with Escape and restores the focus', async () => {
    const rename = page.getByRole('button', { name: 'Rename' });
    await rename.focus();
    await openPalette();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe('Rename');
    expect(visitor.pageErrors).toEqual([]);
  });

  test('the command palette, used only with the keyboard finds a key by its prefix, and by its pasted text, which is in no address', async () => {
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const prefix = apiKey.slice(0, apiKey.lastIndexOf('_'));
    for (const text of [prefix, `Authorization: Bearer ${apiKey}`]) {
      await type(text);
      await page.getByRole('option', { name: /tg_sandbox_/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/keys/key_*');
      await page.getByRole('link', { name: 'Payments', exact: true }).click();
      await page.waitForURL('**/sandbox/payments');
    }
    expect(addresses.join()).not.toContain(apiKey.slice(-20));
  });

  test('the command palette, used only with the keyboard lists its shortcuts with `?`', async () => {
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  const palette = () => page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox');

  async function openPalette(): Promise<void> {
    await waitForScripts(page);
    await page.keyboard.press('Control+k');
    await palette().waitFor();
  }

  /** Opens a page, and types before its scripts can load. Returns the function that lets them. */
  async function typeBeforeScripts(text: string): Promise<() => void> {
    const releaseScripts = await holdScripts(page);
    await page.goto('/account', { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    return releaseScripts;
  }

  async function type(text: string): Promise<void> {
    await openPalette();
    await page.keyboard.insertText(text);
  }
});

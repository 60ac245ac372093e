import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  openVisitor,
  signIn,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';

const run = promisify(execFile);

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'a pen, an engine, a loom' };

describeInBrowser('from a fresh installation to the first payment', () => {
  let platform: Platform;
  let visitor: Visitor;
  let command: string;

  beforeAll(async () => {
    platform = await startPlatform({ dashboard: true, isSetUp: false });
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl });
  });
  afterAll(() => platform?.stop());

  test('every address redirects to the accessible setup page before the setup', async () => {
    await auditPage(visitor, '/sandbox', 'setup');
    expect(new URL(visitor.page.url()).pathname).toBe('/setup');
  });

  test('a wrong setup token is rejected beside its field, and the other values are kept', async () => {
    const { page } = visitor;
    await enterOwner('not the token');
    await page.getByText(/does not match SETUP_TOKEN/).waitFor();
    expect(await page.getByLabel('Your email').inputValue()).toBe(ADA.email);
    expect(await page.content()).not.toContain(ADA.password);
  });

  test('the setup token creates the first owner once', async () => {
    const { page } = visitor;
    await page.goto('/');
    await page.waitForURL('**/setup');
    await enterOwner(platform.setupToken);
    await page.waitForURL('**/sandbox');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto('/setup');
    await page.waitForURL('**/sign-in');
    await signIn(page, ADA);
    await page.getByText('Analytical engines').first().waitFor();
  });

  test('the home page of a new team leads to creating an application and its key', async () => {
    const { page } = visitor;
    // So that the later pages are no responses to forms, which a reload would submit again.
    await waitForScripts(page);
    await page.getByRole('link', { name: 'Create application' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Web shop');
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByRole('heading', { name: 'Web shop' }).waitFor();

    await page.getByRole('link', { name: 'Create API key' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Checkout server');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText(/^tg_sandbox_/).waitFor();
    await page.getByRole('button', { name: 'Copy curl command' }).click();
    await expect
      .poll(async () => {
        command = String(await page.evaluate('navigator.clipboard.readText()'));
        return command;
      })
      .toContain('curl');
  });

  test('the secret is shown once', async () => {
    const { page } = visitor;
    const secret = String(await page.getByText(/^tg_sandbox_/).textContent());
    expect(await page.getByRole('region', { name: 'curl command' }).textContent()).toContain(secret);

    await page.reload();
    await page.getByRole('button', { name: 'Create API key' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Web shop' }).click();
    await page.getByRole('link', { name: 'Checkout server', exact: true }).click();
    await page.getByText('Prefix').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test('the command on the page creates a payment, which appears in the open table without a reload', async () => {
    const { page } = visitor;
    await page.goto('/sandbox/payments');
    await page.getByText('No sandbox payments yet').waitFor();
    await page.getByText('Real time').waitFor();
    await page.evaluate('window.isSamePage = true');

    const { stdout } = await run('sh', ['-c', command]);

    expect(stdout).toContain('HTTP/1.1 201');
    await rowOf('order-1').getByText('19.99').waitFor();
    await rowOf('order-1').getByText('Succeeded').waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
  });

  test('a pending payment opens beside the table, and its simulated success appears in the timeline', async () => {
    const { page } = visitor;
    await run('sh', ['-c', onHold(command)]);
    await rowOf('order-2').getByText('Pending').waitFor();
    await rowOf('order-2').click();
    const drawer = page.getByRole('dialog', { name: '19.99 EUR' });
    await drawer.getByRole('button', { name: 'Simulate success' }).click();

    await stepOf(drawer, 'Succeeded').getByText(`Member ${ADA.name}`).waitFor();
    await stepOf(drawer, 'Created').getByText('API key Checkout server').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await rowOf('order-2').getByText('Succeeded').waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(visitor.pageErrors).toEqual([]);
  });

  test('after the first payment, the checklist on the home page leads to the webhook endpoint', async () => {
    const { page } = visitor;
    await page.goto('/sandbox');
    await page.getByRole('heading', { name: 'Your first payment is here' }).waitFor();
    await page.getByRole('link', { name: 'Add webhook endpoint' }).click();
    await page.waitForURL('**/sandbox/webhooks/endpoints/new');
  });

  async function enterOwner(setupToken: string): Promise<void> {
    const { page } = visitor;
    await page.getByLabel('Setup token').fill(setupToken);
    await page.getByLabel('Team name').fill('Analytical engines');
    await page.getByLabel('Your name').fill(ADA.name);
    await page.getByLabel('Your email').fill(ADA.email);
    await page.getByLabel('Password', { exact: true }).fill(ADA.password);
    await page.getByRole('button', { name: 'Set up Tollgate' }).click();
  }

  const rowOf = (reference: string) => visitor.page.getByRole('row').filter({ hasText: reference });
});

function stepOf(within: Locator, title: string): Locator {
  return within.getByRole('listitem').filter({ has: within.page().getByRole('heading', { name: title }) });
}

/** The same command for another payment, which stays pending. */
function onHold(command: string): string {
  return command
    .replace(/Idempotency-Key: [\w-]+/, `Idempotency-Key: ${randomUUID()}`)
    .replace('"reference":"order-1"', '"reference":"order-2","payment_method":"pm_hold"');
}

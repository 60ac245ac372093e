import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('the search for payments', () => {
  let platform: SharedPlatform;
  let visitor: Visitor;
  let page: Page;
  let pay: (payment: Record<string, unknown>) => Promise<string>;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const team = await platform.createTeam();
    const { keys } = await platform.createApplication(team);
    const api = apiCaller(platform.baseUrl.sandbox, keys.sandbox);
    pay = api.createPayment;
    const payment_method = 'pm_hold';
    for (let at = 1; at <= 30; at += 1) {
      const payer = { name: at === 7 ? 'Ada Lovelace' : `Payer ${at}`, email: `payer-${at}@example.com` };
      await api.createPayment({
        amount: at * 100,
        currency: 'EUR',
        reference: `order-${at}`,
        payer,
        payment_method,
      });
    }
    await apiCaller(platform.baseUrl.live, keys.live).createPayment({
      amount: 9900,
      currency: 'EUR',
      reference: 'only in live',
    });
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  afterAll(() => platform?.leave());

  const rows = () => page.getByRole('row').filter({ hasText: 'EUR' });
  const search = () => page.getByLabel('Search payments');

  test('the search for payments finds payments while the member types, without a button, and keeps the focus', async () => {
    await page.goto('/sandbox/payments');
    await waitForScripts(page);
    expect(await page.getByRole('button', { name: 'Filter' }).isVisible()).toBe(false);
    await search().pressSequentially('LOVE');
    await page.getByRole('link', { name: 'Remove filter Search: LOVE' }).waitFor();
    await expect.poll(() => rows().count()).toBe(1);
    await page.keyboard.insertText('lace');
    await page.waitForURL('**/payments?search=LOVElace');
    expect(await search().inputValue()).toBe('LOVElace');
  });

  test('the search for payments clears the search with its filter', async () => {
    await page.getByRole('link', { name: /Remove filter Search/ }).click();
    await page.waitForURL('**/sandbox/payments');
    await expect.poll(() => search().inputValue()).toBe('');
    await expect.poll(() => rows().count()).toBe(25);
  });

  test('the search for payments applies a choice at once, and keeps the others', async () => {
    await page.getByLabel('Rows').selectOption('50');
    await expect.poll(() => rows().count()).toBe(30);
    await page.getByRole('columnheader', { name: 'Created' }).getByRole('link').click();
    await page.getByRole('table', { name: 'Payments, oldest first' }).waitFor();
    await expect.poll(() => rows().first().innerText()).toContain('1.00');
    await page
      .getByRole('navigation', { name: 'Payments by status' })
      .getByRole('link', { name: 'Failed' })
      .click();
    await page.waitForURL('**/payments?status=failed&order=oldest&rows=50');
    await page.getByText('No matching payments').waitFor();
  });

  test('the search for payments opens a payment from the command palette by its payer', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').waitFor();
    await page.keyboard.insertText('lovelace');
    await page.getByRole('option', { name: /^7\.00 EUR · order-7 · Ada Lovelace · Pending · / }).click();
    await page.getByRole('heading', { name: '7.00 EUR' }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
  });

  test('the search for payments opens the first hit in the command palette with Enter, also before the search has ended', async () => {
    await page.goto('/sandbox/payments');
    await waitForScripts(page);
    for (const text of ['lovelace ada order', '#7', '7,00']) {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sandbox/payments/pay_*');
      await page.getByRole('heading', { name: '7.00 EUR' }).waitFor();
      await page.goto('/sandbox/payments');
      await waitForScripts(page);
    }
  });

  test('the search for payments finds words in any order without accents, an amount, an IBAN with spaces, metadata, and the end of an ID', async () => {
    const id = await pay({
      ...{ amount: 129_90, currency: 'EUR', reference: 'Order 1042', payment_method: 'pm_hold' },
      payer: { name: 'Jörg Müller', account: 'DE89370400440532013000' },
      metadata: { cart: 'blue-77' },
    });
    const end = `pay_…${id.slice(-6)}`;
    await page.goto('/sandbox/payments');
    await waitForScripts(page);
    for (const text of ['muller jorg', '#1042', '129.90', 'DE89 3704 0044 0532 0130 00', 'blue-77', end]) {
      await search().fill(text);
      await page.getByRole('link', { name: `Remove filter Search: ${text}` }).waitFor();
      await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('Order 1042')]);
    }
  });

  test('the search for payments in the command palette says when the payment is in the other environment, and opens it there', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('only in live');
    const hits = page.getByRole('group', { name: 'Payments in live' });
    await hits.getByRole('option', { name: /^99\.00 EUR · only in live/ }).click();
    await page.waitForURL('**/live/payments/pay_*');
    await page.getByRole('heading', { name: '99.00 EUR' }).waitFor();
  });

  test('the search for payments shows why a payment failed, and filters by the reason', async () => {
    const failed = { amount: 300_00, currency: 'EUR', payment_method: 'pm_decline' };
    await pay({ ...failed, reference: 'was declined' });
    await page.goto('/sandbox/payments');
    await waitForScripts(page);
    await page.getByText('More filters').click();
    await page.getByRole('combobox', { name: 'Failure', exact: true }).selectOption('Declined');
    await page.getByRole('link', { name: 'Remove filter Failure: Declined' }).waitFor();
    await expect
      .poll(() => rows().allInnerTexts())
      .toEqual([expect.stringMatching(/300\.00.*was declined.*declined/s)]);
  });
});

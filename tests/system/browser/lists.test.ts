import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import {
  DESKTOP,
  describeInBrowser,
  openVisitor,
  PHONE,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('a list of records', () => {
  let platform: SharedPlatform;
  let visitor: Visitor;
  let page: Page;
  let pay: (amount: number) => Promise<string>;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const team = await platform.createTeam();
    const { keys } = await platform.createApplication(team);
    const api = apiCaller(platform.baseUrl.sandbox, keys.sandbox);
    pay = (amount) => api.createPayment({ amount, currency: 'EUR', payment_method: 'pm_hold' });
    for (const amount of [100, 200, 300]) await pay(amount);
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  afterAll(() => platform?.leave());

  const first = () => page.getByRole('row').nth(1);

  test('a list of records keeps its rows in place while the member points at them, and offers the new ones', async () => {
    await page.goto('/sandbox/payments');
    await page.getByText('Real time').waitFor();
    await first().getByText('3.00').hover();
    await pay(400);
    await page.getByRole('button', { name: 'Show 1 new' }).waitFor();
    expect(await first().innerText()).toContain('3.00');
    await page.getByRole('button', { name: 'Show 1 new' }).click();
    await first().getByText('4.00').waitFor();
  });

  test('a list of records shows a new row at once while nobody reads it', async () => {
    await page.goto('/sandbox/payments');
    await page.getByText('Real time').waitFor();
    await page.mouse.move(0, 0);
    await pay(500);
    await first().getByText('5.00').waitFor();
  });

  test('a list of records moves the focus to the next row with j and to the previous one with k, and Enter opens it', async () => {
    await page.goto('/sandbox/requests');
    await waitForScripts(page);
    const focused = () => page.evaluate<string | null>("document.activeElement.getAttribute('href')");
    await page.keyboard.press('j');
    const [top, second] = await page
      .getByRole('row')
      .getByRole('link', { name: 'Create payment' })
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(await focused()).toBe(top);
    await page.keyboard.press('j');
    expect(await focused()).toBe(second);
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${top}`);
  });

  test('a list of records opens a record by a click anywhere in its row, unless text is selected', async () => {
    await page.goto('/sandbox/requests');
    await waitForScripts(page);
    const list = page.url();
    const cell = first().getByRole('cell').last();
    const { x, y, width, height } = (await cell.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + 4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 12, y + height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate('document.getSelection().toString()')).toMatch(/\d/);
    expect(page.url()).toBe(list);
    await first().getByRole('cell').nth(2).click();
    await expect.poll(() => page.url()).not.toBe(list);
  });

  test.each([
    ['/sandbox/payments', 'Currency', 'EUR'],
    ['/sandbox/applications/keys', 'Status', 'active'],
    ['/sandbox/requests', 'Status', '4xx'],
    ['/sandbox/webhooks/deliveries', 'Status', 'failed'],
    ['/sandbox/webhooks/events', 'Event type', 'payment.created'],
    ['/audit', 'Action', 'key.created'],
  ])(
    'a list of records applies a filter as soon as it is chosen, without a button: %s',
    async (path, label, value) => {
      await page.goto(path);
      await waitForScripts(page);
      expect(await page.getByRole('button', { name: 'Filter', exact: true }).count()).toBe(0);
      await page.getByRole('search').getByLabel(label, { exact: true }).selectOption(value);
      await page.getByRole('link', { name: `Remove filter ${label}` }).waitFor();
      expect(new URL(page.url()).search).toContain(value);
    },
  );

  test.each(['payments', 'requests', 'webhooks/deliveries'])(
    'a list of records folds its filters on a phone: %s',
    async (path) => {
      await page.setViewportSize(PHONE);
      await page.goto(`/sandbox/${path}`);
      const list = page.getByRole('search');
      const box = await list.boundingBox();
      await page.setViewportSize(DESKTOP);
      expect(box?.height).toBeLessThan(160);
    },
  );
});

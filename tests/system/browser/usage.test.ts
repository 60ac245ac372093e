import { readFile } from 'node:fs/promises';
import { setLimits } from '@tollgate/contracts/applications/rpc';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { type CountedApi, countedApi } from '../../support/browser/counted-api.ts';
import { publishEarlierReads } from '../../support/browser/earlier-usage.ts';
import type { TestApplication, TestTeam } from '../../support/platform/platform.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

const USAGE = '/sandbox/usage';
const PAYMENT = { amount: 1999, currency: 'EUR', payment_method: 'pm_hold' };

describeInBrowser('the usage of an application', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let application: TestApplication;
  let api: CountedApi;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  afterAll(async () => {
    await platform?.leave();
    expect(visitor.pageErrors).toEqual([]);
  });

  test('the usage of an application shows a command that sends the first request while there are no requests', async () => {
    await page.goto(USAGE);
    await page.getByText('No sandbox requests yet').waitFor();
    const command = await page.getByRole('region', { name: 'command to create a payment' }).textContent();
    expect(command).toContain(`:${new URL(platform.baseUrl.sandbox).port}/v1/payments`);
    await auditLook(visitor, 'usage-empty');
  });

  test('the usage of an application counts every request once by outcome, and the open page updates on its own', async () => {
    application = await platform.createApplication(team);
    // Creating the application sends one request for a payment that does not exist.
    api = countedApi(platform.baseUrl.sandbox, application.keys.sandbox, [['read_payment', 'client_error']]);
    const { id } = await api.create(PAYMENT, 'first');
    await api.create(PAYMENT, 'first');
    for (let index = 0; index < 3; index += 1) await api.create(PAYMENT);
    for (let index = 0; index < 2; index += 1) await api.create({ amount: 'none' });
    for (let index = 0; index < 5; index += 1) await api.read(id);
    await api.cancel(id);
    await api.cancel(id);
    await beRateLimited(id);

    await page.getByRole('list', { name: 'Requests, total for the period' }).waitFor({ timeout: 30_000 });
    await expect.poll(shownOutcomes, { timeout: 30_000 }).toEqual({
      Succeeded: api.count('succeeded'),
      Replayed: api.count('replayed'),
      'Client errors': api.count('client_error'),
      'Rate limited': api.count('rate_limited'),
      'Server errors': 0,
      'Canceled by client': 0,
    });
    expect(api.count('replayed')).toBe(2);
    expect(api.count('rate_limited')).toBeGreaterThan(0);
    expect(await shownFigure('Requests')).toBe(String(total()));
    const errors = api.count('client_error') / total();
    expect(await shownFigure('Error rate')).toBe(`${Math.round(errors * 1_000) / 10}%`);
  });

  test('the usage of an application shows the same numbers in the table of a chart', async () => {
    const chart = page.getByRole('figure', { name: 'Requests' });
    await chart.getByText('View as table').click();
    const rows = chart.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await rows.first().waitFor();
    const cells = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].slice(1).map((cell) => Number(cell.textContent?.trim()))),
    );
    expect(cells.flat().reduce((sum, count) => sum + count, 0)).toBe(total());
  });

  test('the usage of an application describes the columns of a focused chart, one by one with the arrow keys', async () => {
    const slider = page.getByRole('figure', { name: 'Requests', exact: true }).getByRole('slider');
    await slider.press('End');
    const last = await slider.getAttribute('aria-valuetext');
    expect(last).toMatch(/, so far, Succeeded \d+/);
    await slider.press('ArrowLeft');
    const before = await slider.getAttribute('aria-valuetext');
    expect(before).toMatch(/, Succeeded \d+/);
    expect(before).not.toBe(last);
    await slider.press('Escape');
    expect(await slider.getAttribute('aria-valuetext')).toBeNull();
  });

  test('the usage of an application is grouped by application, key and operation, with links to each', async () => {
    const table = page.getByRole('table', { name: /^Usage by/ });
    await table.getByRole('link', { name: 'Test', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Operations' }).click();
    await table
      .getByRole('row')
      .filter({ hasText: 'Cancel payment' })
      .getByText('2', { exact: true })
      .waitFor();

    await page.getByRole('link', { name: 'API keys' }).click();
    await table.getByRole('link', { name: 'sandbox', exact: true }).click();
    await page.getByRole('heading', { name: 'sandbox', level: 1 }).waitFor();
    const facts = page.getByRole('definition').filter({ hasText: /just now|min ago/ });
    expect(await facts.count()).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'View usage' }).click();
    await page.getByRole('link', { name: 'Remove filter  API key: sandbox' }).waitFor();
    expect(await shownFigure('Requests')).toBe(String(total()));
  });

  test('the usage of an application is summarized on the page of the application: the last 24 hours, and the last use of each key, which the list of all keys has, too', async () => {
    await page.goto(`/sandbox/applications/${application.id}`);
    await page
      .getByRole('row')
      .filter({ hasText: 'just now' })
      .or(page.getByText(/\d min ago/))
      .first()
      .waitFor();
    const requests = page.getByText('Requests', { exact: true }).locator('xpath=following-sibling::dd');
    expect(await requests.textContent()).toBe(String(total()));

    await page.goto('/sandbox/applications/keys');
    await page
      .getByRole('row', { name: /sandbox.*(just now|min ago)/ })
      .first()
      .waitFor();
  });

  test('the usage of an application is filtered, with the filters in the address; selecting an application offers its keys', async () => {
    await page.goto(USAGE);
    await page.getByLabel('Application').selectOption('Test');
    await page.getByLabel('Operation').selectOption('Create payment');
    await page.getByRole('link', { name: 'Remove filter  Operation: Create payment' }).waitFor();
    expect(await shownOutcomes()).toMatchObject({
      Succeeded: api.count('succeeded', 'create_payment'),
      Replayed: 1,
      'Client errors': 2,
    });
    // The limit of the selected application is one request per second.
    await page.getByText('3,600 per hour').waitFor();

    await page
      .getByRole('list', { name: 'Requests, total for the period' })
      .getByRole('link', { name: 'Client errors' })
      .click();
    await page.getByRole('link', { name: 'Remove filter  Outcome: Client errors' }).waitFor();
    expect(await shownFigure('Requests')).toBe('2');
    await page.getByLabel('API key').selectOption('sandbox');
    await page.getByRole('link', { name: 'Remove filter  API key: sandbox' }).waitFor();
    expect(await shownFigure('Requests')).toBe('2');
    await auditLook(visitor, 'usage-filtered');

    await page.goto(`${USAGE}?key=${application.keyIds.live}`);
    await page.getByText('No matching requests in this period.').waitFor();
  });

  test('the usage of an application keeps filter input while the page updates', async () => {
    await page.goto(USAGE);
    await page.waitForLoadState('networkidle');
    const countedTo = page.getByText('Updated');
    const before = await countedTo.textContent();
    await page.getByLabel('Outcome').selectOption('Succeeded');
    await expect.poll(() => countedTo.textContent(), { timeout: 30_000 }).not.toBe(before);
    expect(await page.getByLabel('Outcome').inputValue()).toBe('succeeded');
  });

  test('the usage of an application has the same numbers in the CSV', async () => {
    await page.goto(`${USAGE}?by=operation`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/tollgate-sandbox-usage-[\d-]+\.csv/);
    const text = await readFile(await file.path(), 'utf8');
    const [head = '', ...lines] = text.trimEnd().split('\r\n');
    const columns = head.split(',');
    const sum = (column: string) =>
      lines.reduce((all, line) => all + Number(line.split(',')[columns.indexOf(column)]), 0);
    expect({
      requests: sum('requests'),
      succeeded: sum('succeeded'),
      replayed: sum('replayed'),
      client_errors: sum('client_errors'),
      rate_limited: sum('rate_limited'),
    }).toEqual({
      requests: total(),
      succeeded: api.count('succeeded'),
      replayed: api.count('replayed'),
      client_errors: api.count('client_error'),
      rate_limited: api.count('rate_limited'),
    });
    expect(lines.some((line) => line.includes('cancel_payment'))).toBe(true);
  });

  test('the usage of an application is compared with the previous period', async () => {
    await publishEarlierReads(platform, application, {
      atMs: Date.now() - 90 * MINUTE_MS,
      requests: 2 * total(),
    });
    await page.goto(`${USAGE}?period=1h`);
    await expect
      .poll(
        async () => {
          await page.reload();
          return page
            .getByText(/% · previously [\d,]+/)
            .first()
            .textContent();
        },
        { timeout: 30_000 },
      )
      .toBe(`−50% · previously ${(2 * total()).toLocaleString('en-GB')}`);
  });

  test('dragging over a chart selects a time range, as the fields of the form do', async () => {
    await page.goto(`${USAGE}?period=24h`);
    const chart = page.getByRole('figure', { name: 'Requests' });
    // The SVG is hidden from assistive technology, which has the table.
    const surface = chart.locator('.surface');
    await dragOver(surface, 0.02, 0.3);
    await page.getByRole('link', { name: /^Remove filter After/ }).waitFor();
    await page.getByText('No matching requests in this period.').waitFor();
    const { searchParams } = new URL(page.url());
    expect([...searchParams.keys()]).toEqual(['from', 'from_time', 'to', 'to_time']);

    await page.goto(USAGE);
    await dragOver(surface, 0.5, 0.99);
    await page.getByRole('link', { name: /^Remove filter After/ }).waitFor();
    expect(Number((await shownFigure('Requests')).replace(',', ''))).toBeGreaterThanOrEqual(total());

    await page.goto(USAGE);
    await page.getByText('Date range').click();
    await page.getByLabel('Completed after').fill('2026-02-01');
    await page.getByLabel('Completed before').fill('2026-01-01');
    await page.getByText('The end must be after the start.').waitFor();
    expect(await page.getByLabel('Completed after').inputValue()).toBe('2026-02-01');
    await auditLook(visitor, 'usage-wrong-filters');
  });

  test('the usage of an application is readable without JavaScript', async () => {
    const reader = await openVisitor({
      dashboardUrl: platform.dashboardUrl,
      member: team.owner,
      javaScriptEnabled: false,
    });
    await reader.page.goto(`${USAGE}?by=operation`);
    await reader.page.getByRole('row').filter({ hasText: 'Cancel payment' }).waitFor();
    const figure = reader.page.getByRole('figure', { name: 'Latency' });
    expect(await figure.locator('svg path').count()).toBeGreaterThan(0);
    await figure.getByText('View as table').click();
    await figure.getByRole('columnheader', { name: 'p99' }).waitFor();
    await reader.close();
  });

  /** Sets a low limit, and sends requests until the gateway rejects one. */
  async function beRateLimited(id: string): Promise<void> {
    const lowest = { requests_per_second: 1, burst: 1 };
    await team.owner.call(setLimits, {
      application_id: application.id,
      limits: { live: lowest, sandbox: lowest },
    });
    await expect
      .poll(
        async () => {
          await api.read(id);
          return api.count('rate_limited');
        },
        { interval: 20 },
      )
      .toBeGreaterThan(2);
  }

  function total(): number {
    return (['succeeded', 'replayed', 'client_error', 'rate_limited'] as const).reduce(
      (sum, outcome) => sum + api.count(outcome),
      0,
    );
  }

  async function shownOutcomes(): Promise<Record<string, number>> {
    const entries = page.getByRole('list', { name: 'Requests, total for the period' }).getByRole('listitem');
    const texts = await entries.allInnerTexts();
    return Object.fromEntries(
      texts.map((text) => {
        const [, label = '', count = ''] = /^(.*?)\s+([\d,]+)$/s.exec(text.trim()) ?? [];
        return [label, Number(count.replaceAll(',', ''))];
      }),
    );
  }

  async function shownFigure(label: string): Promise<string> {
    const figure = page.getByText(label, { exact: true }).locator('xpath=following-sibling::p[1]');
    return (await figure.first().textContent())?.trim() ?? '';
  }

  async function dragOver(surface: ReturnType<Page['locator']>, from: number, to: number): Promise<void> {
    await waitForScripts(page);
    const box = await surface.boundingBox();
    if (box === null) throw new Error('The chart is not shown.');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * from, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * ((from + to) / 2), y, { steps: 4 });
    await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
    await page.mouse.up();
  }
});

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { describeInBrowser, openVisitor, waitForScripts } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';

describeInBrowser('exports', () => {
  const PAYMENTS = '/sandbox/payments?status=pending';
  const CSV = '/sandbox/payments.csv?status=pending';
  let platform: SharedPlatform;
  let owner: TestMember;
  let paymentId: string;
  let attacker: Server;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const team = await platform.createTeam();
    owner = team.owner;
    const application = await platform.createApplication(team);
    const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
    const payment = { amount: 100, currency: 'EUR', payment_method: 'pm_hold' };
    paymentId = (await api.create(payment, randomUUID())).body.id;
    await api.create(payment, randomUUID());
    attacker = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(`<!doctype html>
        <link rel="prefetch" href="${platform.dashboardUrl}${CSV}">
        <a href="${platform.dashboardUrl}${CSV}">Read more</a>
        <form method="post" action="${platform.dashboardUrl}${CSV}"><button>Win a prize</button></form>`);
    });
    await once(attacker.listen(0), 'listening');
  });
  afterAll(async () => {
    attacker?.close();
    await platform?.leave();
  });

  const recordedExports = async () => {
    const request = { action: 'payments.exported' as const };
    const { body } = await platform.admin.as(owner.session).call(ADMIN_ROUTES.listRecords, request);
    return body.data.length;
  };
  const visit = (javaScriptEnabled: boolean) =>
    openVisitor({ dashboardUrl: platform.dashboardUrl, member: owner, javaScriptEnabled });

  test.for([true, false])(
    'exports are downloaded from a button, with JavaScript %s',
    async (javaScriptEnabled) => {
      const before = await recordedExports();
      const { page, close } = await visit(javaScriptEnabled);
      await page.goto(PAYMENTS);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^tollgate-sandbox-payments-[\d-]+\.csv$/);
      expect(await readFile(await file.path(), 'utf8')).toContain(paymentId);
      expect(await recordedExports()).toBe(before + 1);
      await close();
    },
  );

  test('exports name the period, the application, and the time zone of the member', async () => {
    const { page, close } = await visit(true);
    await page.goto('/sandbox/payments');
    await waitForScripts(page);
    await page.getByLabel('Period').selectOption('This month');
    await page.getByRole('link', { name: 'Remove filter Period: This month' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(
      /^tollgate-sandbox-payments-from-\d{4}-\d\d-01-to-\d{4}-\d\d-(28|29|30|31)\.csv$/,
    );
    const text = await readFile(await file.path(), 'utf8');
    const [columns = [], first = []] = text.split('\r\n').map((line) => line.split(','));
    const cell = (column: string) => first[columns.indexOf(column)];
    expect(cell('application')).toBe('Test');
    expect(cell('created_at')).toMatch(/\+0[12]:00$/);
    await close();
  });

  test.for([true, false])(
    'exports have the selected payments alone, with JavaScript %s',
    async (javaScriptEnabled) => {
      const { page, close } = await visit(javaScriptEnabled);
      await page.goto('/sandbox/payments');
      if (javaScriptEnabled) await waitForScripts(page);
      await page.locator(`input[value='${paymentId}']`).check();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export', exact: true }).click(),
      ]);
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain(paymentId);
      await close();
    },
  );

  test('exports of a selection without a valid payment are rejected, and do not contain every payment', async () => {
    const before = await recordedExports();
    const { context, close } = await visit(true);
    const response = await context.request.post('/sandbox/payments.csv', {
      headers: { origin: platform.dashboardUrl },
      form: { payment: 'none' },
    });
    expect(response.status()).toBe(400);
    expect(await recordedExports()).toBe(before);
    await close();
  });

  test('exports are not started by a link, a prefetch, or a form of another page', async () => {
    const before = await recordedExports();
    const { page, context, close } = await visit(true);
    const { port } = attacker.address() as AddressInfo;
    for (const host of ['localhost', '127.0.0.1']) {
      await page.goto(`http://${host}:${port}`);
      await page.getByRole('link', { name: 'Read more' }).click();
      // The page that has the button.
      await page.getByRole('heading', { name: 'Payments' }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(PAYMENTS);
      await page.goto(`http://${host}:${port}`);
      const [response] = await Promise.all([
        page.waitForResponse((candidate) => candidate.request().method() === 'POST'),
        page.getByRole('button', { name: 'Win a prize' }).click(),
      ]);
      expect(response.status()).toBe(403);
    }
    // As `fetch` in the mode `no-cors` sends it: without a form, and so without a content type.
    const withoutForm = await context.request.post(CSV, { headers: { origin: 'http://localhost:1' } });
    expect(withoutForm.status()).toBeGreaterThanOrEqual(400);
    expect(await recordedExports()).toBe(before);
    await close();
  });
});

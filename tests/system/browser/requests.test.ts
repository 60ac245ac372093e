import { deleteApplication } from '@tollgate/contracts/applications/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { archiveForDeletion } from '../../support/platform/archive-for-deletion.ts';
import type { TestApplication, TestTeam } from '../../support/platform/platform.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('the request log', () => {
  let platform: SharedPlatform;
  let visitor: Visitor;
  let team: TestTeam;
  let application: TestApplication;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
  });
  afterAll(async () => {
    await platform?.leave();
    expect(visitor.pageErrors).toEqual([]);
  });

  const api = () => apiClient(platform.baseUrl.sandbox, application.keys.sandbox);

  test('the request log shows a failed request while the page is open, and explains its error', async () => {
    const { page } = visitor;
    await page.goto('/sandbox/requests');
    await page.getByRole('button', { name: 'Real time', pressed: true }).waitFor();
    const created = await api().create({ amount: 1999, currency: 'EUR', payment_method: 'pm_hold' });
    const invalid = await api().create({ amount: 0, currency: 'EUR' });
    const row = page.getByRole('row', { name: /amount-out-of-range/ });
    await row.waitFor();
    await page
      .getByRole('link', { name: `${created.body.id.slice(0, 4)}…` })
      .first()
      .waitFor();
    await auditLook(visitor, 'requests');

    await page.getByLabel('Status').selectOption('4xx');
    await page.waitForURL(/status=4xx/);
    expect(await page.getByRole('row').filter({ hasText: '201' }).count()).toBe(0);
    await row.getByRole('link', { name: 'Create payment' }).click();
    await page.getByRole('heading', { name: 'Amount out of range' }).waitFor();
    await page.getByText(invalid.headers.get('x-request-id') as string).waitFor();
    const documentation = page.getByRole('link', { name: 'Learn about this error' });
    const href = (await documentation.getAttribute('href')) as string;
    expect((await fetch(href)).status).toBe(200);
    await auditLook(visitor, 'request');
  });

  test('the request log finds a rejected request by its ID in the command palette, and says what to change without its values', async () => {
    const { page } = visitor;
    const body = { amount: 1999, currency: 'EURO', payment_method: 'pm_hold' };
    const { headers } = await api().create(body, 'order-1042');
    await page.goto('/sandbox/requests');
    const row = page.getByRole('row', { name: /invalid-request/ });
    await row.getByRole('link', { name: 'sandbox', exact: true }).waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type(headers.get('x-request-id') as string);
    await page.keyboard.press('Enter');
    const changes = page.getByRole('table', { name: 'What to change' });
    await changes.getByRole('row', { name: /^Field \/currency \S+ This must be a currency code/ }).waitFor();
    const facts = page.getByRole('main');
    await facts.getByText('POST /v1/payments').waitFor();
    await facts.getByRole('link', { name: 'sandbox', exact: true }).waitFor();
    expect(await facts.innerText()).not.toMatch(/EURO|order-1042/);
    await page.getByRole('link', { name: 'Requests with this idempotency key' }).click();
    await row.waitFor();
    expect(
      await page
        .getByRole('row')
        .filter({ has: page.getByRole('cell') })
        .count(),
    ).toBe(1);
  });

  test('the request log is reached from a payment, and does not update while it is paused', async () => {
    const { page } = visitor;
    const { body: payment } = await api().create({ amount: 700, currency: 'EUR', payment_method: 'pm_hold' });
    await page.goto(`/sandbox/payments/${payment.id}`);
    await page.getByRole('link', { name: 'Requests of this payment' }).click();
    await page.getByRole('row', { name: /Create payment/ }).waitFor();
    await page.getByRole('button', { name: 'Real time' }).click();
    await page.getByRole('button', { name: 'Real time', pressed: false }).waitFor();
    const { headers } = await api().read(payment.id);
    const requestId = headers.get('x-request-id') as string;
    await expect
      .poll(async () => (await page.request.get(`/sandbox/requests/${requestId}`)).status(), {
        timeout: 30_000,
      })
      .toBe(200);
    expect(await page.getByRole('row', { name: /Read payment/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Real time' }).click();
    await page.getByRole('row', { name: /Read payment/ }).waitFor();
  });

  test('the request log and the usage of a deleted application show its ID', async () => {
    const { page } = visitor;
    const { id: application_id, keys } = await platform.createApplication(team);
    const { headers } = await apiClient(platform.baseUrl.sandbox, keys.sandbox).read('x');
    await archiveForDeletion(platform, team.owner, application_id);
    await team.owner.call(deleteApplication, { application_id });
    const requestPath = `/sandbox/requests/${headers.get('x-request-id')}`;
    await expect
      .poll(async () => (await page.request.get(requestPath)).status(), { timeout: 30_000 })
      .toBe(200);
    await page.goto(requestPath);
    await page.getByRole('link', { name: application_id }).waitFor();
    for (const list of ['requests', 'usage']) {
      await page.goto(`/sandbox/${list}?application=${application_id}`);
      expect(await page.getByLabel('Application').inputValue()).toBe(application_id);
    }
  });

  test('the request log of another team is not found', async () => {
    const other = await platform.createTeam();
    const foreign = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: other.owner });
    const { headers } = await api().create();
    const path = `/sandbox/requests/${headers.get('x-request-id')}`;
    await expect
      .poll(async () => (await visitor.page.request.get(path)).status(), { timeout: 30_000 })
      .toBe(200);
    expect((await foreign.page.goto(path))?.status()).toBe(404);
    await foreign.page.goto('/sandbox/requests');
    await foreign.page.getByText('No sandbox requests yet').waitFor();
  });
});

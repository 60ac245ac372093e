import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listRecords } from '@tollgate/contracts/audit/rpc';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import type { TestApplication, TestTeam } from '../../support/platform/platform.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

/** Actions appear in the log within seconds, and a failed sign-in with the next sweep. */
const IN_THE_LOG = { timeout: 60_000, interval: 500 };

describeInBrowser('the audit log', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let application: TestApplication;
  let visitor: Visitor;
  let page: Page;
  let paymentId: string;
  let folder: string;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    folder = await mkdtemp(join(tmpdir(), 'tollgate-audit-'));
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  afterAll(async () => {
    await platform?.leave();
    await rm(folder, { recursive: true, force: true });
    expect(visitor.pageErrors).toEqual([]);
  });

  test('the audit log shows actions of members, sign-ins and applications by readable names', async () => {
    await page.goto(`/sandbox/applications/${application.id}/keys/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Backend of the warehouse');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText('This key is shown only once').waitFor();

    await page.goto(`/sandbox/applications/${application.id}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Web shop');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Rename|Save/ })
      .click();
    await page.getByRole('heading', { name: 'Web shop' }).waitFor();

    const stranger = await openVisitor({ dashboardUrl: platform.dashboardUrl });
    await stranger.page.goto('/sign-in');
    await stranger.page.getByLabel('Email').fill(team.owner.email);
    await stranger.page.getByLabel('Password', { exact: true }).fill('not the password');
    await stranger.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await stranger.page.getByRole('alert').waitFor();
    await stranger.close();

    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    paymentId = await api.createPayment({
      amount: 1999,
      currency: 'EUR',
      payment_method: 'pm_hold',
    });

    await expectRow('API key created', /API key Backend of the warehouse/);
    await expectRow('Application renamed', /Application Web shop/);
    await expectRow('Payment created', new RegExp(`Sandbox\\s*Payment pay_…${paymentId.slice(-6)}`));
    await expectRow('Sign-in failed', /Unknown user/);
    await expectRow('Signed in', /127\.0\.0\.1|::1/);
  });

  test('the audit log shows the name before and after a renaming, the actor, and the browser', async () => {
    await page.goto('/audit');
    await page.getByRole('link', { name: 'Application renamed' }).click();
    await page.waitForURL(/\/audit\/aud_\w+$/);
    const changes = page.getByRole('table', { name: 'Changes by field' });
    await changes.getByRole('row', { name: 'Name Test Web shop' }).waitFor();
    const facts = page.getByRole('main');
    await facts.getByText('Chrome on Linux').waitFor();
    await facts.getByRole('link', { name: /^req_/ }).waitFor();
    await facts.getByText(/^ses_/).waitFor();
    await facts.getByRole('link', { name: 'Web shop' }).first().click();
    await page.waitForURL(`**/applications/${application.id}`);
    await page.getByRole('link', { name: 'Audit records' }).click();
    await page.waitForURL(`**/audit?target=${application.id}`);
    await expect.poll(() => rows().count()).toBeGreaterThan(0);
    expect(await rows().count()).toBe(await rows().filter({ hasText: 'Application' }).count());
  });

  test('the audit log links payments, keys and members to their records, and records to them', async () => {
    await page.goto(`/sandbox/payments/${paymentId}`);
    await page.getByRole('link', { name: 'Audit records' }).click();
    await rows()
      .getByRole('link', { name: paymentId.slice(-6) })
      .click();
    await page.waitForURL(`**/sandbox/payments/${paymentId}`);

    await page.goto(`/sandbox/applications/${application.id}/keys/${application.keyIds.sandbox}`);
    await page.getByRole('link', { name: 'Key activity' }).click();
    await rows().getByRole('link', { name: 'Payment created' }).click();
    await page.getByRole('row', { name: 'Amount 19.99 EUR' }).waitFor();

    await page.goto(`/team/members/${team.owner.id}`);
    await page.getByRole('link', { name: 'Member activity' }).click();
    await rows().getByRole('link', { name: 'Application renamed' }).waitFor();
  });

  test.for([true, false])(
    'the audit log is filtered and searched, and the address keeps the filters (JavaScript: %s)',
    async (javaScriptEnabled) => {
      const { dashboardUrl } = platform;
      const other = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled });
      const count = () =>
        other.page
          .getByRole('row')
          .filter({ has: other.page.getByRole('cell') })
          .count();
      await other.page.goto('/audit');
      await other.page.getByLabel('Action').selectOption('API key created');
      await other.page.getByLabel('Search').fill('ware');
      await other.page.keyboard.press('Enter');
      await other.page.waitForURL('**/audit?search=ware&action=key.created');
      await other.page.getByRole('link', { name: 'Remove filter Action: API key created' }).waitFor();
      expect(await count()).toBe(1);

      await other.page.getByRole('search').getByLabel('Environment').selectOption('Live');
      if (!javaScriptEnabled) await other.page.getByRole('button', { name: 'Filter' }).click();
      await other.page.getByText('No matching records').waitFor();
      await other.page.goto(`/audit?search=${paymentId}&actor=key`);
      expect(await count()).toBe(1);
      await other.page.goto('/audit?actor=nobody-knows&from=2026-02-31', { waitUntil: 'networkidle' });
      await other.page.getByText('Enter a valid date').waitFor();
      await other.close();
    },
  );

  test('a verification reports that the log is intact and how many records it has, and a record can be proved', async () => {
    await page.goto('/audit/verification');
    await page.getByText('The log has not been checked yet').waitFor();
    await auditLook(visitor, 'audit-never-checked');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The log is intact').waitFor({ timeout: 30_000 });
    const { data } = await team.owner.call(listRecords, { limit: 1 });
    const records = Number(data[0]?.seq);
    await page.getByText(`All ${records} records are present, in order, and unchanged.`).waitFor();
    await page.getByText(`${records} of ${records}`).waitFor();
    await page
      .getByRole('table', { name: 'Signed tree heads' })
      .getByRole('button', { name: 'Copy root hash' })
      .first()
      .waitFor();

    await page.goto(`/audit/${data[0]?.id}`);
    await page.getByText(/Anyone can compute the signed root hash/).waitFor();
    const proof = await download(() => page.getByRole('link', { name: 'Download proof' }).click());
    expect(JSON.parse(proof)).toMatchObject({ record: { id: data[0]?.id }, index: records - 1 });
  });

  test('the command line verifies an export, and detects a single changed character', async () => {
    await page.goto('/audit/verification');
    const keys = await download(() => page.getByRole('link', { name: 'Download' }).click());
    await page.getByRole('button', { name: 'Export records' }).click();
    const exported = await download(() => page.getByRole('button', { name: 'Download' }).click());
    expect(exported).toContain(paymentId);
    expect(await verify(exported, keys)).toMatchObject({ exitCode: 0 });
    expect(await verify(exported.replace('Web shop', 'Web ship'), keys)).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('aud_'),
    });
    await expectRow('Audit records exported', /Export Audit records/);
  });

  test('invalid export dates are rejected with a reason', async () => {
    const rejected = await postExport(visitor, { from: '2026-02-31', to: '2026-03-01' });
    expect(rejected.status()).toBe(400);
    expect(await rejected.text()).toContain('Enter both dates');
  });

  test('a developer sees all records and cannot export them', async () => {
    const { dashboardUrl } = platform;
    const developer = await team.createMember('developer');
    const other = await openVisitor({ dashboardUrl, member: developer });
    await other.page.goto('/audit');
    await other.page.getByRole('link', { name: 'Application renamed' }).waitFor();
    await other.page.goto('/audit/verification');
    await other.page.getByText('Admins, owners, and auditors can export audit records.').waitFor();
    expect(await other.page.getByRole('button', { name: 'Export records' }).count()).toBe(0);
    const rejected = await postExport(other, { from: '2026-01-01', to: '2026-01-02' });
    expect(rejected.status()).toBe(403);
    await other.close();
  });

  /** Reloads the log until a row that contains `words` matches `more`. */
  async function expectRow(words: string, more: RegExp): Promise<void> {
    await expect
      .poll(async () => {
        await page.goto('/audit');
        const texts = await rows().filter({ hasText: words }).allInnerTexts();
        return texts.map((text) => text.replaceAll(/\s+/g, ' '));
      }, IN_THE_LOG)
      .toContainEqual(expect.stringMatching(more));
  }

  function rows() {
    return page.getByRole('row').filter({ has: page.getByRole('cell') });
  }

  function postExport({ context }: Visitor, form: { from: string; to: string }) {
    const headers = { origin: platform.dashboardUrl };
    return context.request.post('/audit/export.ndjson', { form, headers });
  }

  async function download(press: () => Promise<void>): Promise<string> {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    return readFile(await file.path(), 'utf8');
  }

  /** Runs the verification with nothing but the two files. */
  async function verify(exported: string, keys: string): Promise<{ exitCode: number; output: string }> {
    const [exportPath, keysPath] = [join(folder, 'export.ndjson'), join(folder, 'keys.pem')];
    await Promise.all([writeFile(exportPath, exported), writeFile(keysPath, keys)]);
    const command = join(CHECKOUT_DIR, 'packages/cli/bin/tollgate.mjs');
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [command, 'verify-audit', exportPath, '--public-key', keysPath],
        (_error, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });
  }
});

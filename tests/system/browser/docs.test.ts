import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import { DESKTOP, describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

let platform: SharedPlatform;

beforeAll(async () => {
  platform = await joinSharedPlatform();
});
afterAll(() => platform?.leave());

describeInBrowser('the documentation', () => {
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    visitor = await openVisitor({ dashboardUrl: platform.baseUrl.sandbox });
    page = visitor.page;
  });

  async function open(path: string): Promise<void> {
    await page.goto(`/docs/${path}`);
    await page.waitForLoadState('networkidle');
  }

  it.each([
    '',
    'quickstart',
    'guides/payments',
    'guides/receive-webhooks',
    'reference/payments-api',
    'reference/payments/create-payment',
    'reference/admin/webhooks/create-endpoint',
    'errors',
    'errors/invalid-request',
    'security',
    'nonsense',
  ])('/docs/%s is accessible, fits a phone, and keeps to its policy', async (path) => {
    await open(path);
    await auditLook(visitor, `docs-${path.replaceAll('/', '-')}`);
  });

  it('the documentation fits the width of a tablet', async () => {
    await page.setViewportSize({ width: 768, height: 1024 });
    await open('quickstart');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(768);
    await page.setViewportSize(DESKTOP);
  });

  it.each(['quickstart', 'nonsense'])('/docs/%s links to its Markdown only if there is one', async (path) => {
    await open(path);
    const hrefs = await page.evaluate<string[]>(
      `[...document.querySelectorAll('link[rel=alternate]')].map(({ href }) => href)`,
    );
    expect(hrefs).toHaveLength(path === 'nonsense' ? 0 : 1);
    for (const href of hrefs) expect((await fetch(href)).status).toBe(200);
  });

  it('the documentation finds a page by its text, by keyboard', async () => {
    await open('');
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('send an idempotency key with every post');
    await page
      .getByRole('option', { name: /Send an idempotency key/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/guides\/errors-and-retries#send-an-idempotency-key/);
    expect(visitor.pageErrors).toEqual([]);
  });

  it('the documentation shows a sample in the language that a reader chooses, and copies it', async () => {
    await open('reference/payments/create-payment');
    await page.getByText('Python', { exact: true }).first().click();
    const sample = page.locator('.vp-code-group .language-python');
    await sample.hover();
    await sample.getByRole('button', { name: /copy/i }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain('tollgate.payments.create(');
    expect(copied).toContain(platform.baseUrl.sandbox.replace('127.0.0.1', 'localhost'));
  });

  it('the documentation changes pages and the theme without a violation of its policy', async () => {
    await open('');
    await page.getByRole('link', { name: 'Errors', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor();
    await page.getByRole('switch').first().click();
    await expect.poll(() => page.evaluate('document.documentElement.classList.contains("dark")')).toBe(true);
    expect(visitor.pageErrors).toEqual([]);
  });
});

describeInBrowser('the dashboard', () => {
  let visitor: Visitor;

  beforeAll(async () => {
    const { owner } = await platform.createTeam();
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: owner });
  });

  it('the dashboard explains an error with its page, and has the documentation in its navigation', async () => {
    const { page } = visitor;
    await page.goto('/sandbox/payments/pay_01kf0fj3s0ec7s9q7v0h5x2m4n');
    await page.getByRole('link', { name: 'Learn about this error' }).click();
    await page.waitForURL(/\/docs\/errors\/not-found$/);
    await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
    await page.goto('/sandbox');
    await page.getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { name: 'Tollgate documentation' }).waitFor();
  });
});

describe('the samples of the reference', () => {
  const PAGES = ['create-payment', 'read-payment', 'cancel-payment'];
  let folder: string;
  let key: string;

  beforeAll(async () => {
    const application = await platform.createApplication(await platform.createTeam());
    key = application.keys.sandbox;
    folder = mkdtempSync(join(tmpdir(), 'tollgate-samples-'));
    symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The samples of a page, for a payment that exists. */
  async function samplesOf(name: string, paymentId: string): Promise<Record<string, string>> {
    const response = await fetch(`${platform.baseUrl.sandbox}/docs/reference/payments/${name}.md`);
    const samples = (await response.text()).matchAll(/^```\w+ \[(\w+)\]\n(.+?)\n```$/gms);
    return Object.fromEntries(
      [...samples].map(([, language, code = '']) => [language, code.replaceAll(/pay_\w{26}/g, paymentId)]),
    );
  }

  const languages: Record<string, (code: string) => Promise<{ stdout: string }>> = {
    curl: (code) =>
      run('sh', ['-euc', code.replace('curl', 'curl -sf')], { env: { ...process.env, KEY: key } }),
    TypeScript(code) {
      writeFileSync(join(folder, 'sample.ts'), code);
      return run(process.execPath, [join(folder, 'sample.ts')], { env: { ...process.env, KEY: key } });
    },
    Python: (code) =>
      run('python3', ['-c', code], {
        env: {
          ...process.env,
          KEY: key,
          PYTHONPATH: join(CHECKOUT, 'sdks/python/src'),
          PYTHONDONTWRITEBYTECODE: '1',
        },
      }),
  };

  it.each(Object.keys(languages))(
    'the samples of the reference create, read, and cancel a payment in %s',
    async (language) => {
      let paymentId = 'pay_none';
      for (const name of PAGES) {
        // A key of its own for each language and page, because a key belongs to one request.
        const code = (await samplesOf(name, paymentId))[language]
          ?.replaceAll('order-4711', `${language}-${name}`)
          // Stays pending, so that it can be canceled.
          .replace(/(["']?)purpose\1: (["'])/, '$1payment_method$1: $2pm_hold$2,\n$&');
        const { stdout } = (await languages[language]?.(code ?? '')) ?? { stdout: '' };
        paymentId = /pay_\w{26}/.exec(stdout)?.[0] ?? '';
        expect(stdout, name).toMatch(name === 'cancel-payment' ? /canceled/ : /pending/);
      }
    },
  );
});

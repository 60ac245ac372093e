import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  openVisitor,
  signIn,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import type { PlatformProcess } from '../../support/platform/platform-process.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import { report } from '../../support/report.ts';

/** How much later than on an idle machine a page shows what it knows. */
const BUSY_MACHINE_MS = 3_000;

describeInBrowser('when a service is down', () => {
  let platform: Platform;
  let visitor: Visitor;
  let page: Page;
  let application: TestApplication;
  let paymentPath: string;
  const dead: PlatformProcess[] = [];

  beforeAll(async () => {
    platform = await startPlatform({ dashboard: true });
    application = await platform.createApplication();
    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    const id = await api.createPayment({ amount: 4200, currency: 'EUR', reference: 'order-1' });
    paymentPath = `/sandbox/payments/${id}`;
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl });
    page = visitor.page;
    // Signs in through the form: the dashboard remembers from its page that the installation is set up.
    await signIn(page, platform.owner);
  });
  beforeEach(() => page.goto('/sandbox'));
  afterEach(async () => {
    while (dead.length > 0) await dead.pop()?.start();
    expect(visitor.pageErrors).toEqual([]);
  });
  afterAll(() => platform?.stop());

  test('without payments, home and payments show an error, and applications work', async () => {
    await kill(platform.processes.payments);
    await page.goto('/sandbox');
    await page.getByText('Payment figures could not be loaded').waitFor();
    await auditCalm('dead-payments-home');
    await page.goto('/sandbox/payments');
    await page.getByText('Payments could not be loaded').waitFor();
    await page.getByText('Not updating').waitFor();
    await auditCalm('dead-payments-list');
    await page.goto(paymentPath);
    await page.getByRole('link', { name: 'Try again' }).waitFor();
    await auditCalm('dead-payments-payment');

    await page.goto('/sandbox/applications/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Made meanwhile');
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByRole('heading', { name: 'Made meanwhile' }).waitFor();

    await revive();
    await page.goto(paymentPath);
    await page.getByRole('heading', { name: '42.00 EUR' }).waitFor();
  });

  test('without applications, payments are shown, and other parts show an error', async () => {
    await kill(platform.processes.applications);
    await page.goto('/sandbox/payments');
    await page.getByRole('row').filter({ hasText: 'order-1' }).waitFor();
    await auditCalm('dead-applications-payments');
    await page.goto(paymentPath);
    await page.getByRole('heading', { name: '42.00 EUR' }).waitFor();
    await page.goto('/sandbox/applications');
    await page.getByRole('link', { name: 'Try again' }).waitFor();
    await auditCalm('dead-applications-list');

    await revive();
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Create application' }).waitFor();
  });

  test('without webhooks, a payment is shown without its events, and the delivery log shows an error', async () => {
    await kill(platform.processes.webhooks);
    await page.goto(paymentPath);
    await page.getByRole('heading', { name: '42.00 EUR' }).waitFor();
    await page.getByText('Webhooks could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Copy payment ID' }).waitFor();
    await auditCalm('dead-webhooks-payment');
    await page.goto('/sandbox/webhooks/deliveries');
    await page.getByRole('link', { name: 'Try again' }).waitFor();
    await auditCalm('dead-webhooks-deliveries');

    await revive();
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Webhook deliveries' }).waitFor();
  });

  test('without webhooks, home shows its figures and an application its keys, with an error in place of endpoints', async () => {
    await kill(platform.processes.webhooks);
    await page.goto('/sandbox');
    await page.getByRole('heading', { name: 'Recent payments' }).waitFor();
    await page.goto(`/sandbox/applications/${application.id}`);
    await page.getByRole('heading', { name: 'Sandbox API keys' }).waitFor();
    await page.getByText('Webhooks could not be loaded').waitFor();
    await auditCalm('dead-webhooks-application');
  });

  test('without usage, its page shows an error and keeps its filters, and an application lacks only its usage', async () => {
    await kill(platform.processes.usage);
    await page.goto('/sandbox/usage?operation=create_payment');
    await page.getByText('Usage could not be loaded').waitFor();
    await page.getByRole('link', { name: 'Remove filter Operation: Create payment' }).waitFor();
    await auditCalm('dead-usage');
    await page.goto(`/sandbox/applications/${application.id}`);
    await page.getByText('Usage could not be loaded').waitFor();
    await page.getByRole('row').filter({ hasText: 'tg_sandbox_' }).waitFor();
    await auditCalm('dead-usage-application');

    await revive();
    await page.goto('/sandbox/usage?operation=create_payment');
    await page.getByRole('figure', { name: 'Requests' }).waitFor();
  });

  test('without audit, its pages show an error and keep their filters, and the pages of recorded resources work', async () => {
    await kill(platform.processes.audit);
    await page.goto('/audit?action=key.created');
    await page.getByText('Audit records could not be loaded').waitFor();
    expect(await page.getByLabel('Action').inputValue()).toBe('key.created');
    await auditCalm('dead-audit');
    await page.goto('/audit/verification');
    await page.getByText('Audit records could not be loaded').waitFor();
    await auditCalm('dead-audit-verification');
    await page.goto(paymentPath);
    await page.getByRole('heading', { name: '42.00 EUR' }).waitFor();

    await revive();
    await page.goto('/audit?action=key.created');
    await page.getByRole('link', { name: 'API key created' }).first().waitFor();
  });

  test.for(['accounts', 'gateway'] as const)(
    'without %s an error page is shown, and members are still signed in after the recovery',
    async (name) => {
      await kill(platform.processes[name]);
      await page.goto('/team/tokens');
      await page.getByRole('link', { name: 'Try again' }).waitFor();
      await page.goto('/sandbox/applications');
      await page.getByRole('link', { name: 'Try again' }).waitFor();
      await auditCalm(`dead-${name}`);

      const stranger = await openVisitor({ dashboardUrl: platform.dashboardUrl });
      const { email, password } = platform.owner;
      await stranger.page.goto('/sign-in');
      await stranger.page.getByLabel('Email').fill(email);
      await stranger.page.getByLabel('Password', { exact: true }).fill(password);
      await stranger.page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await stranger.page.getByRole('alert').waitFor();
      await auditCalm(`dead-${name}-sign-in`, stranger);
      await stranger.close();

      await revive();
      await page.getByRole('link', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Applications' }).waitFor();
    },
  );

  test.for([
    ['requests', 'Requests'],
    ['usage', 'Usage'],
  ] as const)(
    'without the dashboard, the open page of %s stays with a message, and a link leads on after the recovery',
    async ([path, heading]) => {
      const { dashboard } = platform.processes;
      if (dashboard === undefined) throw new Error('The platform has a dashboard.');
      await page.goto(`/sandbox/${path}`);
      await waitForScripts(page);
      await kill(dashboard);
      // At the latest, when the page updates on its own.
      await page.getByText("Tollgate can't be reached.").waitFor({ timeout: 20_000 });
      if (path === 'requests') await page.getByText('Not updating').waitFor();
      await auditCalm(`dead-dashboard-${path}`);
      await page.getByRole('link', { name: 'Applications', exact: true }).first().click();
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();

      await revive();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
      await page.getByText("Tollgate can't be reached.").waitFor({ state: 'detached' });
    },
  );

  test('a form that is submitted during the outage keeps its values, and can be submitted afterwards', async () => {
    await page.goto('/sandbox/applications/new');
    await waitForScripts(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Typed with care');
    await kill(platform.processes.gateway);
    const create = page.getByRole('button', { name: 'Create application' });
    await create.click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Typed with care');
    await auditCalm('dead-gateway-form');

    await revive();
    await create.click();
    await page.getByRole('heading', { name: 'Typed with care' }).waitFor();
  });

  test('an open table reconnects to live updates on its own', async () => {
    await page.goto('/sandbox/payments');
    await page.getByText('Real time').waitFor();
    await kill(platform.processes.gateway);
    await page.getByText('Reconnecting').waitFor();
    await revive();
    await page.getByText('Real time').waitFor({ timeout: 60_000 });

    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    await expect.poll(() => api.tryKey()).toBe('accepted');
    await api.createPayment({ amount: 100, currency: 'EUR', reference: 'order-2' });
    await page.getByRole('row').filter({ hasText: 'order-2' }).waitFor();
  });

  test('"Real time" turns off within two seconds when the gateway hangs, and on again when it continues', async () => {
    await page.goto('/sandbox/payments');
    await page.getByText('Real time').waitFor();
    // The first heartbeat.
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          new EventSource('/events?environment=sandbox').addEventListener('heartbeat', resolve);
        }),
    );
    const pid = platform.processes.gateway.pid as number;
    process.kill(pid, 'SIGSTOP');
    try {
      const suspendedAt = performance.now();
      await page.getByText('Reconnecting').waitFor();
      const noticedAfterMs = performance.now() - suspendedAt;
      report(`"Real time" turned off ${Math.round(noticedAfterMs)} ms after the gateway was suspended`);
      expect(noticedAfterMs).toBeLessThan(2_000 + BUSY_MACHINE_MS);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await page.getByText('Real time').waitFor();
  });

  test('while a service hangs, the next page is a skeleton, and comes once the service responds', async () => {
    await page.goto('/sandbox/applications');
    await waitForScripts(page);
    const pid = platform.processes.payments.pid as number;
    process.kill(pid, 'SIGSTOP');
    try {
      await page.getByRole('link', { name: 'Payments', exact: true }).first().click();
      await page.locator('.skeleton').waitFor();
      await auditLook(visitor, 'skeleton');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    expect(await page.locator('.skeleton').count()).toBe(0);
  });

  async function kill(process: PlatformProcess): Promise<void> {
    await process.kill();
    dead.push(process);
  }

  async function revive(): Promise<void> {
    await dead.pop()?.start();
  }

  async function auditCalm(name: string, who = visitor): Promise<void> {
    const text = await who.page.locator('body').innerText();
    expect(text).not.toMatch(/\bat .*[:(]\d+|Error:|ECONN|node_modules|\.ts\b|127\.0\.0\.1:|nats/i);
    await auditLook(who, name);
  }
});

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectBus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { renameTeam, updateProfile } from '@tollgate/contracts/accounts/rpc';
import { renameApplication } from '@tollgate/contracts/applications/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { USAGE_WINDOWS_SUBJECT } from '@tollgate/contracts/platform/streams';
import { bucketOf } from '@tollgate/contracts/usage/log-linear-histogram';
import { totalUsage } from '@tollgate/contracts/usage/rpc';
import { type UsageWindow, usageWindowId } from '@tollgate/contracts/usage/usage';
import { CHECKOUT_DIR, cacheDir } from '@tollgate/local-servers/checkout';
import { createSigner } from '@tollgate/security/signature';
import { parseSigningKeys } from '@tollgate/security/signing-keys';
import { launchArguments } from '@tollgate/test-kit/chromium/chromium';
import { findChromium } from '@tollgate/test-kit/chromium/find-chromium';
import { eventually } from '@tollgate/test-kit/eventually';
import { type Browser, chromium as driver } from 'playwright-core';
import { startPlatform, type TestApplication } from '../support/platform/platform.ts';
import { report } from '../support/report.ts';

/**
 * Makes the screenshots of the README: `npm run screenshots --workspace tests`. Starts a platform with two days of traffic, and writes
 * the usage page in both color schemes to docs/images.
 */
const IMAGES = join(CHECKOUT_DIR, 'docs/images');
const VIEWPORT = { width: 1280, height: 860 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WINDOW_MS = HOUR_MS / 4;
const WINDOWS_PER_DAY = 96;
/** Requests in an hour of the day, in per cent of the busiest hour. */
const TRAFFIC_BY_HOUR = [
  12, 9, 7, 6, 7, 11, 20, 34, 52, 68, 79, 86, 92, 84, 80, 83, 88, 95, 100, 92, 74, 55, 36, 21,
];
const REQUESTS_IN_BUSIEST_WINDOW = 1_400;

const platform = await startPlatform({ dashboard: true });
try {
  const [shop] = await Promise.all([application('Web shop'), nameTeam()]);
  const mobile = await application('Mobile app');
  const published = await publishUsage([
    { application: shop, share: 0.7 },
    { application: mobile, share: 0.3 },
  ]);
  await eventually('all usage is counted', async () => (await countedRequests()) >= published, {
    timeoutMs: 60_000,
  });
  const chromium = await findChromium({ cacheDir: cacheDir(process.env), env: process.env, say: report });
  if (chromium === null)
    throw new Error('The screenshots need Chromium. Install it, or set CHROMIUM=<path>.');
  const { executablePath, env } = chromium;
  const browser = await driver.launch({
    executablePath,
    args: launchArguments(),
    env: { ...(process.env as Record<string, string>), ...env },
  });
  try {
    await mkdir(IMAGES, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) await takeScreenshot(browser, colorScheme);
  } finally {
    await browser.close();
  }
} finally {
  await platform.stop();
}

async function nameTeam(): Promise<void> {
  const { team, owner } = platform;
  await owner.call(renameTeam, { team_id: team.id, name: 'Northwind' });
  await owner.call(updateProfile, { name: 'Ada Keller' });
}

async function application(name: string): Promise<TestApplication> {
  const created = await platform.createApplication();
  await platform.owner.call(renameApplication, { application_id: created.id, name });
  return created;
}

/**
 * Publishes the usage of the last two days, as gateways do, so that the page can compare them.
 * @returns the number of requests
 */
async function publishUsage(traffic: { application: TestApplication; share: number }[]): Promise<number> {
  const bus = await connectBus({ url: platform.infra.natsUrl, name: 'screenshots' });
  const publisher = createPublisher(bus);
  const signer = createSigner(parseSigningKeys('gateway', platform.signing.gateway));
  const gatewayId = newId('gatewayInstance');
  const now = Math.floor(Date.now() / WINDOW_MS) * WINDOW_MS;
  let published = 0;
  try {
    for (let number = 1; number <= 2 * WINDOWS_PER_DAY; number += 1) {
      const atMs = now - number * WINDOW_MS;
      const window: UsageWindow = {
        gateway_id: gatewayId,
        number,
        at: new Date(atMs).toISOString(),
        rows: traffic.flatMap(({ application, share }) =>
          rowsAt(atMs, application, share * (number > WINDOWS_PER_DAY ? 0.88 : 1)),
        ),
        open_questions: [],
        log: { callers: [], lines: [] },
      };
      published += window.rows.reduce((sum, { requests }) => sum + requests, 0);
      const signed = signer.sign('usage_window', window);
      await publisher.publish(USAGE_WINDOWS_SUBJECT, signed, { messageId: usageWindowId(window) });
    }
    return published;
  } finally {
    await bus.close();
  }
}

async function countedRequests(): Promise<number> {
  const [from, to] = [Date.now() - 4 * DAY_MS, Date.now() + DAY_MS].map((ms) => new Date(ms).toISOString());
  const { total } = await platform.owner.call(totalUsage, {
    from: from as string,
    to: to as string,
    granularity: 'hour',
    environment: 'sandbox',
  });
  return total.requests;
}

function rowsAt(atMs: number, application: TestApplication, share: number): UsageWindow['rows'] {
  const hour = new Date(atMs).getUTCHours();
  const wave = 1 + 0.08 * Math.sin(atMs / (3 * WINDOW_MS)) + 0.05 * Math.sin(atMs / WINDOW_MS);
  const total = ((TRAFFIC_BY_HOUR[hour] as number) / 100) * REQUESTS_IN_BUSIEST_WINDOW * share * wave;
  const row = (
    operation: UsageWindow['rows'][number]['operation'],
    outcome: UsageWindow['rows'][number]['outcome'],
    part: number,
  ) => {
    const requests = Math.max(1, Math.round(total * part));
    const slow = Math.max(1, Math.round(requests / 60));
    return {
      team_id: application.teamId,
      application_id: application.id,
      key_id: application.keyIds.sandbox,
      environment: 'sandbox' as const,
      operation,
      outcome,
      requests: requests + slow,
      latency: [
        [bucketOf(operation === 'read_payment' ? 7_000 : 18_000), requests],
        [bucketOf(64_000), slow],
      ] as [number, number][],
    };
  };
  return [
    row('create_payment', 'succeeded', 0.34),
    row('create_payment', 'replayed', 0.03),
    row('create_payment', 'client_error', 0.02),
    row('read_payment', 'succeeded', 0.54),
    row('read_payment', 'rate_limited', hour === 18 ? 0.05 : 0.004),
    row('cancel_payment', 'succeeded', 0.03),
  ];
}

async function takeScreenshot(browser: Browser, colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({
    baseURL: platform.dashboardUrl,
    viewport: VIEWPORT,
    colorScheme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(platform.owner.email);
  await page.getByLabel('Password', { exact: true }).fill(platform.owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/sandbox$/);
  await page.goto('/sandbox/usage');
  await page.getByRole('list', { name: 'Requests, total for the period' }).waitFor();
  // The platform of the tests draws its addresses at random.
  await page
    .getByText(platform.owner.email)
    .first()
    .evaluate((shown) => {
      shown.textContent = 'ada@northwind.example';
    });
  await page.screenshot({ path: join(IMAGES, `dashboard-${colorScheme}.png`) });
  await context.close();
}

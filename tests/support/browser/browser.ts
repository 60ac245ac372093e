import { type Chromium, launchArguments } from '@tollgate/test-kit/chromium/chromium';
import { type Browser, type BrowserContext, chromium as driver, type Page } from 'playwright-core';
import { afterAll, afterEach, describe, inject } from 'vitest';
import type { TestMember } from '../platform/platform.ts';
import { report } from '../report.ts';

const ACTION_TIMEOUT_MS = 10_000;
const MAX_REPORTED_TEXT = 1_500;

export const DESKTOP = { width: 1280, height: 800 };
/** The narrowest screen that the dashboard supports. */
export const PHONE = { width: 320, height: 640 };

/** One browser for all test files of the process, with which it ends. Visitors share nothing but its processes. */
let browser: Promise<Browser> | undefined;
const openContexts = new Set<BrowserContext>();

/**
 * Groups journeys in a browser, and closes their visitors at the end. A failure reports what their pages show. Skips the journeys when
 * no browser is available; the run reports this at its start.
 */
export function describeInBrowser(name: string, defineTests: () => void): void {
  describe.skipIf(inject('chromium') === null)(name, () => {
    // Registered first, and so called last.
    afterAll(() => Promise.all([...openContexts].map((context) => context.close())));
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await reportPages();
    });
    defineTests();
  });
}

async function reportPages(): Promise<void> {
  for (const page of [...openContexts].flatMap((context) => context.pages())) {
    const text = await page.locator('body').innerText();
    report(`${page.url()} shows: ${text.replaceAll(/\s+/g, ' ').slice(0, MAX_REPORTED_TEXT)}`);
  }
}

function startBrowser(): Promise<Browser> {
  const { executablePath, env } = inject('chromium') as Chromium;
  return driver.launch({
    executablePath,
    args: launchArguments(),
    env: { ...(process.env as Record<string, string>), ...env },
  });
}

export interface VisitorOptions {
  dashboardUrl: string;
  /** The signed-in member, who has no page open yet; not signed in when absent. */
  member?: TestMember;
  javaScriptEnabled?: boolean;
  viewport?: typeof DESKTOP;
  /** The language of the browser. */
  locale?: string;
  timeZone?: string;
}

/** A user with a separate browser profile. `pageErrors` collects the messages of script errors. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  pageErrors: string[];
  close(): Promise<void>;
}

export async function openVisitor(options: VisitorOptions): Promise<Visitor> {
  const { dashboardUrl, member, javaScriptEnabled = true, viewport = DESKTOP, locale = 'en-GB' } = options;
  const { timeZone = 'Europe/Berlin' } = options;
  browser ??= startBrowser();
  const context = await (await browser).newContext({
    baseURL: dashboardUrl,
    javaScriptEnabled,
    viewport,
    locale,
    timezoneId: timeZone,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  openContexts.add(context);
  context.on('close', () => openContexts.delete(context));
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const page = await context.newPage();
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy')) {
      pageErrors.push(message.text());
    }
  });
  if (member !== undefined) await submitSignIn(context, dashboardUrl, member);
  return { page, context, pageErrors, close: () => context.close() };
}

/**
 * Resolves when the page's scripts run. Until then it ignores keys and drags, and the start itself clears the
 * selection of a field. SvelteKit adds its announcer of routes at that moment. A browser's first page then loads its
 * data again, for the browser's time zone: it shows what has changed since, and follows a session that has ended.
 */
export async function waitForScripts(page: Page): Promise<void> {
  await page.locator('#svelte-announcer').waitFor({ state: 'attached' });
  await page.locator('[data-time-zone]').waitFor({ state: 'detached' });
}

/** Lets no script of the following pages load until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/_app/**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Signs in as the form does, without the two pages before and after it. */
async function submitSignIn(
  context: BrowserContext,
  origin: string,
  { email, password }: TestMember,
): Promise<void> {
  const response = await context.request.post('/sign-in?/password', {
    form: { email, password },
    headers: { origin, accept: 'text/html' },
    maxRedirects: 0,
  });
  if (response.status() !== 303) throw new Error(`The sign-in was rejected with ${response.status()}.`);
}

/** Signs in with the form. */
export async function signIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/(live|sandbox)$/);
}

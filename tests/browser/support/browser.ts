import { type Chromium, launchArguments } from '@tollgate/test-kit/chromium/chromium';
import { type Browser, type BrowserContext, chromium as driver, type Page } from 'playwright-core';
import { describe, inject } from 'vitest';
import type { TestMember } from '../../platform/platform.ts';

const ACTION_TIMEOUT_MS = 10_000;

export const DESKTOP = { width: 1280, height: 800 };
/** The narrowest screen the dashboard is made for. */
export const PHONE = { width: 360, height: 740 };

/** Journeys are left out where no browser can be had; the run says so at its top. */
export const describeInBrowser = describe.skipIf(inject('chromium') === null);

export async function startBrowser(): Promise<Browser> {
  const { executablePath, env } = inject('chromium') as Chromium;
  return driver.launch({
    executablePath,
    args: launchArguments(),
    env: { ...(process.env as Record<string, string>), ...env },
  });
}

export interface VisitorOptions {
  dashboardUrl: string;
  /** Signed in as this member; nobody when absent. */
  member?: TestMember;
  javaScriptEnabled?: boolean;
  viewport?: typeof DESKTOP;
}

/** A person with a browser profile of their own. Messages of failed scripts are collected in `pageErrors`. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  pageErrors: string[];
  close(): Promise<void>;
}

export async function openVisitor(browser: Browser, options: VisitorOptions): Promise<Visitor> {
  const { dashboardUrl, member, javaScriptEnabled = true, viewport = DESKTOP } = options;
  const context = await browser.newContext({
    baseURL: dashboardUrl,
    javaScriptEnabled,
    viewport,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const page = await context.newPage();
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy')) {
      pageErrors.push(message.text());
    }
  });
  if (member !== undefined) await signIn(page, member);
  return { page, context, pageErrors, close: () => context.close() };
}

/** By the form, as a person does. */
export async function signIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/(live|sandbox)$/);
}

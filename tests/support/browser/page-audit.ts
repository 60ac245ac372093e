import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { DESKTOP, PHONE } from './browser.ts';

const ARTIFACTS = join(import.meta.dirname, '../../.artifacts');

const SIZES = { desktop: DESKTOP, phone: PHONE };
const SCHEMES = ['light', 'dark'] as const;
/** The rules of axe about colours. Everything else is the same in both schemes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * If `SCREENSHOTS=1` is set, writes `<name>-<desktop|phone>-<light|dark>.png` for a person to review: the full page, or the
 * viewport when a dialog or popover is open.
 */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== '1') return;
  await mkdir(ARTIFACTS, { recursive: true });
  const fullPage = (await page.locator('dialog:modal, :popover-open').count()) === 0;
  for (const [sizeName, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: join(ARTIFACTS, `${name}-${sizeName}-${colorScheme}.png`),
        fullPage,
      });
    }
  }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Violations that axe finds, as `<scheme>: <rule>: <element>` lines. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(axe.source);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const options: RunOptions = {
      resultTypes: ['violations'],
      preload: false,
      ...(colorScheme === 'dark' && { runOnly: COLOR_RULES }),
    };
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
    for (const { id, nodes } of violations) {
      for (const node of nodes)
        found.push(`${colorScheme}: ${id}: ${node.target.join(' ')}: ${node.failureSummary}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

/** Whether the page is wider than a phone's screen and so scrolls sideways. */
export async function overflowsPhone(page: Page): Promise<boolean> {
  await page.setViewportSize(PHONE);
  const overflows = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  await page.setViewportSize(DESKTOP);
  return Boolean(overflows);
}

/** The tables that are wider than their frame, and cannot be scrolled. */
export async function countCutTables(page: Page): Promise<number> {
  return page.evaluate<number>(
    `[...document.querySelectorAll('.table-frame')].filter((frame) => frame.firstElementChild.offsetWidth > frame.clientWidth && getComputedStyle(frame).overflowX !== 'auto').length`,
  );
}

const MAX_STOPS = 400;

/**
 * Presses Tab through the whole page.
 * @returns the controls that never received the focus
 */
export async function findUnreachable(page: Page): Promise<string[]> {
  await page.evaluate(MARK_CONTROLS);
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    // After the last control the focus leaves the document and returns to the first one.
    if ((await page.evaluate(VISIT_FOCUSED)) === 'seen before') break;
  }
  return (await page.evaluate(LIST_UNVISITED)) as string[];
}

// Strings rather than functions, because they run in the page and these tests lack its DOM types.
const MARK_CONTROLS = `
  document.activeElement?.blur();
  for (const control of document.querySelectorAll('a[href], button, input, select, textarea, summary')) {
    const isShown = control.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true });
    const isOneOfGroup = control.type === 'radio';
    if (isShown && !control.disabled && control.type !== 'hidden' && !isOneOfGroup && control.tabIndex >= 0) control.dataset.unvisited = '';
  }`;
const VISIT_FOCUSED = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return 'outside';
  // A date has stops for its day, month and year, all within one control.
  if (focused === window.__lastFocused) return 'within';
  window.__lastFocused = focused;
  const wasSeen = window.__visited?.has(focused) ?? false;
  (window.__visited ??= new Set()).add(focused);
  delete focused.dataset.unvisited;
  return wasSeen ? 'seen before' : 'new';
})()`;
const LIST_UNVISITED = `[...document.querySelectorAll('[data-unvisited]')].map((control) => control.outerHTML.slice(0, 120))`;

import { expect } from 'vitest';
import { report } from '../../report.ts';
import type { Visitor } from './browser.ts';
import {
  findAccessibilityViolations,
  findUnreachable,
  overflowsPhone,
  takeScreenshots,
} from './page-audit.ts';
import { MAX_SCRIPT_BYTES, measureScripts } from './script-weight.ts';

/** Opens a page and holds it to everything that is asked of every page. */
export async function auditPage(visitor: Visitor, path: string, name: string): Promise<void> {
  const { page } = visitor;
  const scriptBytes = await measureScripts(page, path);
  report(`${name} loads ${(scriptBytes / 1024).toFixed(1)} KiB of scripts`);
  expect.soft(scriptBytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  await auditLook(visitor, name);
  // Last: it leaves the focus, and with it the look, somewhere.
  expect.soft(await findUnreachable(page), 'out of reach of the keyboard').toEqual([]);
}

/** The page as it stands, with what is open on it. */
export async function auditLook({ page, pageErrors }: Visitor, name: string): Promise<void> {
  expect.soft(await findAccessibilityViolations(page), 'axe').toEqual([]);
  expect.soft(await overflowsPhone(page), 'scrolls sideways on a phone').toBe(false);
  await takeScreenshots(page, name);
  expect.soft(pageErrors, 'errors of scripts and of the content security policy').toEqual([]);
}

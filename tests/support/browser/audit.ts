import { expect } from 'vitest';
import { report } from '../report.ts';
import type { Visitor } from './browser.ts';
import {
  countCutTables,
  findAccessibilityViolations,
  findUnreachable,
  overflowsPhone,
  takeScreenshots,
} from './page-audit.ts';
import { MAX_SCRIPT_BYTES, measureScripts } from './script-weight.ts';

/** Opens a page and checks every requirement for pages. */
export async function auditPage(visitor: Visitor, path: string, name: string): Promise<void> {
  const { page } = visitor;
  const scriptBytes = await measureScripts(page, path);
  report(`${name} loads ${(scriptBytes / 1024).toFixed(1)} KiB of scripts`);
  expect.soft(scriptBytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  await auditLook(visitor, name);
  // Last, because it moves the focus and so changes the appearance.
  expect.soft(await findUnreachable(page), 'out of reach of the keyboard').toEqual([]);
}

/** Audits the current state of the page, including open dialogs. */
export async function auditLook({ page, pageErrors }: Visitor, name: string): Promise<void> {
  expect.soft(await findAccessibilityViolations(page), 'axe').toEqual([]);
  expect.soft(await overflowsPhone(page), 'scrolls sideways on a phone').toBe(false);
  expect.soft(await countCutTables(page), 'tables with columns out of reach').toBe(0);
  await takeScreenshots(page, name);
  expect.soft(pageErrors, 'errors of scripts and of the content security policy').toEqual([]);
}

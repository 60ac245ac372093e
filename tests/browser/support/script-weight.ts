import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

/** The most JavaScript that a page may load until it is idle, in bytes after gzip. */
export const MAX_SCRIPT_BYTES = 97_000;

/** Opens a page with an empty cache and adds up the gzip sizes of its scripts, including those loaded later. */
export async function measureScripts(page: Page, path: string): Promise<number> {
  const responses: Response[] = [];
  const record = (response: Response) => {
    if (response.request().resourceType() === 'script') responses.push(response);
  };
  page.on('response', record);
  await page.goto(path, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  page.off('response', record);
  const bodies = await Promise.all(responses.map((response) => response.body()));
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
}

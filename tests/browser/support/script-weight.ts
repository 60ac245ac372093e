import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

/** What a page may load before it stands still, as gzip. */
export const MAX_SCRIPT_BYTES = 120 * 1024;

/** Opens a page in a fresh cache and adds up its scripts, those loaded later included, each as gzip makes it. */
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

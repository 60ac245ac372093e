import type { Page } from 'playwright-core';

/** The most JavaScript that a page may load until it is idle, in bytes as transferred: compressed with Brotli by the build. */
export const MAX_SCRIPT_BYTES = 90_000;

/** Opens a page and adds up the compressed sizes of its scripts, including those loaded later and those in the cache. */
export async function measureScripts(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  return page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
}

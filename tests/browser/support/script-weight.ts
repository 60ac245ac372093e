import type { Page, Response } from 'playwright-core';

/** The most JavaScript that a page may load until it is idle, in bytes as transferred: compressed with Brotli by the build. */
export const MAX_SCRIPT_BYTES = 90_000;

/** Opens a page without the cache and adds up what its scripts transfer, including those loaded later. */
export async function measureScripts(page: Page, path: string): Promise<number> {
  const responses: Response[] = [];
  const record = (response: Response) => {
    if (response.request().resourceType() === 'script') responses.push(response);
  };
  page.on('response', record);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(path, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  page.off('response', record);
  await devTools.detach();
  const sizes = await Promise.all(responses.map((response) => response.request().sizes()));
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
}

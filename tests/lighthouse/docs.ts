import { startPlatform } from '../support/platform/platform.ts';
import { CATEGORIES, createLighthouse, DEVICES, type Device, type Scores } from './lighthouse.ts';

/**
 * Measures pages of the documentation with Lighthouse, as a phone and as a desktop: `npm run lighthouse --workspace tests`. Fails if a
 * category of a page is below 95.
 */
const LOWEST_SCORE = 95;
const PAGES = [
  '/docs/',
  '/docs/quickstart',
  '/docs/guides/verify-webhooks',
  '/docs/reference/payments/create-payment',
  '/docs/errors/invalid-request',
];

const scoresOf = await createLighthouse();
const platform = await startPlatform();
try {
  const rows: ({ page: string; device: Device } & Scores)[] = [];
  for (const page of PAGES) {
    const url = platform.baseUrl.sandbox.replace('127.0.0.1', 'localhost') + page;
    for (const device of DEVICES) rows.push({ page, device, ...(await scoresOf(url, device)) });
  }
  console.table(rows);
  if (rows.some((row) => CATEGORIES.some((category) => row[category] < LOWEST_SCORE))) process.exitCode = 1;
} finally {
  await platform.stop();
}

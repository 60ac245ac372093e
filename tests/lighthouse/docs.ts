import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cacheDir } from '@tollgate/local-servers/checkout';
import { type Chromium, launchArguments } from '@tollgate/test-kit/chromium/chromium';
import { findChromium } from '@tollgate/test-kit/chromium/find-chromium';
import { startPlatform } from '../platform/platform.ts';
import { report } from '../report.ts';

/**
 * Measures pages of the documentation with Lighthouse, as a phone and as a desktop: `npm run lighthouse --workspace tests`. Fails if a
 * category of a page is below 95. Lighthouse is downloaded when it runs, because only this script needs its 100 MB.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const LOWEST_SCORE = 95;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const PAGES = [
  '/docs/',
  '/docs/quickstart',
  '/docs/guides/verify-webhooks',
  '/docs/reference/payments/create-payment',
  '/docs/errors/invalid-request',
];
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

type Scores = Record<(typeof CATEGORIES)[number], number>;

const run = promisify(execFile);
const chromium = await findChromium({ cacheDir: cacheDir(process.env), env: process.env, say: report });
if (chromium === null) throw new Error('Lighthouse needs Chromium. Install it, or set CHROMIUM=<path>.');

const platform = await startPlatform();
try {
  const rows: ({ page: string; device: string } & Scores)[] = [];
  for (const page of PAGES) {
    const url = platform.baseUrl.sandbox.replace('127.0.0.1', 'localhost') + page;
    for (const device of ['phone', 'desktop'])
      rows.push({ page, device, ...(await scoresOf(url, device, chromium)) });
  }
  console.table(rows);
  if (rows.some((row) => CATEGORIES.some((category) => row[category] < LOWEST_SCORE))) process.exitCode = 1;
} finally {
  await platform.stop();
}

async function scoresOf(url: string, device: string, { executablePath, env }: Chromium): Promise<Scores> {
  const options = [
    '--quiet',
    '--output=json',
    '--no-enable-error-reporting',
    `--only-categories=${CATEGORIES.join(',')}`,
    `--chrome-flags=--headless ${launchArguments().join(' ')}`,
    ...(device === 'desktop' ? ['--preset=desktop'] : []),
  ];
  const { stdout } = await run('npx', ['--yes', LIGHTHOUSE, url, ...options], {
    env: { ...process.env, ...env, CHROME_PATH: executablePath },
    maxBuffer: MAX_REPORT_BYTES,
  });
  const { categories } = JSON.parse(stdout) as { categories: Record<string, { score: number }> };
  return Object.fromEntries(
    CATEGORIES.map((category) => [category, Math.round((categories[category]?.score ?? 0) * 100)]),
  ) as Scores;
}

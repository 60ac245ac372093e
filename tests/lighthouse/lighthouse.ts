import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cacheDir } from '@tollgate/local-servers/checkout';
import { launchArguments } from '@tollgate/test-kit/chromium/chromium';
import { findChromium } from '@tollgate/test-kit/chromium/find-chromium';
import { report } from '../support/report.ts';

/** Downloaded when it runs, because only these scripts need its 100 MB. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const MAX_REPORT_BYTES = 64 * 1024 * 1024;
/** Chromium at times records no trace of a load. Lighthouse then asks to be run again. */
const NO_TRACE = 'NO_NAVSTART';
const MAX_ATTEMPTS = 3;
const run = promisify(execFile);

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export const DEVICES = ['phone', 'desktop'] as const;
export type Device = (typeof DEVICES)[number];
/** From 0 to 100. */
export type Scores = Record<(typeof CATEGORIES)[number], number>;

/**
 * Returns a function that measures one load of a page. `cookie` is the header of a signed-in member, whose pages must not be
 * found by search engines. Lighthouse would count that as a fault.
 */
export async function createLighthouse(): Promise<
  (url: string, device: Device, options?: { cookie?: string }) => Promise<Scores>
> {
  const chromium = await findChromium({ cacheDir: cacheDir(process.env), env: process.env, say: report });
  if (chromium === null) throw new Error('Lighthouse needs Chromium. Install it, or set CHROMIUM=<path>.');
  const { executablePath, env } = chromium;

  return async (url, device, { cookie } = {}) => {
    const options = [
      '--quiet',
      '--output=json',
      '--no-enable-error-reporting',
      `--only-categories=${CATEGORIES.join(',')}`,
      `--chrome-flags=--headless ${launchArguments().join(' ')}`,
      ...(device === 'desktop' ? ['--preset=desktop'] : []),
      ...(cookie === undefined
        ? []
        : ['--skip-audits=is-crawlable', `--extra-headers=${JSON.stringify({ cookie })}`]),
    ];
    const load = () =>
      run('npx', ['--yes', LIGHTHOUSE, url, ...options], {
        env: { ...process.env, ...env, CHROME_PATH: executablePath },
        maxBuffer: MAX_REPORT_BYTES,
      });
    const { stdout } = await withTrace(load);
    const { categories } = JSON.parse(stdout) as { categories: Record<string, { score: number }> };
    return Object.fromEntries(
      CATEGORIES.map((category) => [category, Math.round((categories[category]?.score ?? 0) * 100)]),
    ) as Scores;
  };
}

async function withTrace<Result>(load: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load();
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string };
      if (attempt === MAX_ATTEMPTS || !stderr.includes(NO_TRACE)) throw error;
    }
  }
}

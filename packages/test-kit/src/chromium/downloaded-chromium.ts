import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ChromiumSource, isUsable } from './chromium.ts';

const DOWNLOAD_TIMEOUT_MS = 300_000;
const run = promisify(execFile);
const packageFolder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
const BROWSER = 'chromium-headless-shell';
const PRINT_PATH = `
  const { registry } = require(process.argv[1] + '/lib/coreBundle').registry;
  process.stdout.write(registry.findExecutable('${BROWSER}').executablePath());`;

/** The headless shell for this version of Playwright, downloaded once into the cache by Playwright's installer. */
export const downloadChromium: ChromiumSource = async ({ cacheDir, env, say }) => {
  const installerEnv = { ...env, PLAYWRIGHT_BROWSERS_PATH: join(cacheDir, 'playwright') };
  const { stdout: executablePath } = await run(process.execPath, ['-e', PRINT_PATH, packageFolder], {
    env: installerEnv,
  });
  const chromium = { executablePath, env: {} };
  if (!existsSync(executablePath)) {
    say('Downloading Chromium with Playwright (about 110 MB, once)…');
    try {
      const installer = [join(packageFolder, 'cli.js'), 'install', BROWSER];
      await run(process.execPath, installer, { env: installerEnv, timeout: DOWNLOAD_TIMEOUT_MS });
    } catch {
      say('  not downloaded: the download server is unreachable.');
      return null;
    }
  }
  if (await isUsable(chromium)) return chromium;
  say('  it does not start: required libraries are missing.');
  return null;
};

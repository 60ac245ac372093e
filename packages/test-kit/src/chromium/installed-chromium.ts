import { delimiter, join } from 'node:path';
import { type Chromium, type ChromiumSource, isUsable } from './chromium.ts';

/** Headless shells first: the tests take a third less processor time in a browser without a user interface. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const MACOS_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The browser in `CHROMIUM`. If it does not start, that is an error instead of a fallback. */
export const findConfiguredChromium: ChromiumSource = async ({ env }) => {
  const executablePath = env['CHROMIUM'];
  if (!executablePath) return null;
  const chromium = { executablePath, env: {} };
  if (await isUsable(chromium)) return chromium;
  throw new Error(
    `CHROMIUM=${executablePath} does not start. Set it to a Chromium or Chrome executable, or unset it.`,
  );
};

/** The first browser on `PATH`, or in the applications folder of macOS. */
export const findInstalledChromium: ChromiumSource = async ({ env }) => {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const executablePath of [...onPath, ...(process.platform === 'darwin' ? MACOS_PATHS : [])]) {
    const chromium: Chromium = { executablePath, env: {} };
    if (await isUsable(chromium)) return chromium;
  }
  return null;
};

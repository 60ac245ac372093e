import { delimiter, join } from 'node:path';
import { type Chromium, type ChromiumSource, isUsable } from './chromium.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MACOS_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The one that `CHROMIUM` names. Naming one that does not start is a mistake to hear of, not to work around. */
export const findConfiguredChromium: ChromiumSource = async ({ env }) => {
  const executablePath = env['CHROMIUM'];
  if (!executablePath) return null;
  const chromium = { executablePath, env: {} };
  if (await isUsable(chromium)) return chromium;
  throw new Error(`CHROMIUM=${executablePath} does not start. Name a Chromium or Chrome, or unset it.`);
};

/** The first on `PATH`, or where macOS has its applications. */
export const findInstalledChromium: ChromiumSource = async ({ env }) => {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const executablePath of [...onPath, ...(process.platform === 'darwin' ? MACOS_PATHS : [])]) {
    const chromium: Chromium = { executablePath, env: {} };
    if (await isUsable(chromium)) return chromium;
  }
  return null;
};

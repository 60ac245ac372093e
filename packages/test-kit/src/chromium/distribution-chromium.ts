import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unpackDebianPackage } from '@tollgate/local-servers/debian-package';
import { type Chromium, type ChromiumSource, isUsable } from './chromium.ts';

const PACKAGE = 'chromium-headless-shell';
/** Chromium cannot lay out text without a font, and slim images have none. */
const FONT_PACKAGE = 'fonts-dejavu-core';

/**
 * The headless shell of the distribution, unpacked into the cache with its missing libraries. Needs no root and installs nothing.
 */
export const unpackDistributionChromium: ChromiumSource = async ({ cacheDir, say }) => {
  if (process.platform !== 'linux') return null;
  const folder = join(cacheDir, PACKAGE, `linux-${process.arch}`);
  if (!existsSync(folder) && !(await unpack(folder, say))) return null;
  const chromium = await describe(folder);
  return (await isUsable(chromium)) ? chromium : null;
};

/** Moved into place atomically, so that an interrupted or concurrent download never leaves a partial browser there. */
async function unpack(folder: string, say: (line: string) => void): Promise<boolean> {
  await mkdir(dirname(folder), { recursive: true });
  const scratch = await mkdtemp(join(dirname(folder), 'fetching-'));
  try {
    for (const name of [PACKAGE, FONT_PACKAGE]) {
      if (!(await unpackDebianPackage(name, scratch, say, { withDependencies: true }))) return false;
    }
    if (!(await isUsable(await describe(scratch)))) return false;
    await rename(scratch, folder);
    return true;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function describe(folder: string): Promise<Chromium> {
  const libraries = join(folder, 'usr', 'lib');
  const entries = existsSync(libraries) ? await readdir(libraries, { withFileTypes: true }) : [];
  const architectures = entries.filter((entry) => entry.isDirectory() && entry.name.endsWith('-linux-gnu'));
  const libraryPath = [
    ...architectures.flatMap(({ name }) => [
      join(libraries, name),
      join(folder, 'lib', name),
      // The library that needs it looks in a path of an installed system.
      join(libraries, name, 'pulseaudio'),
    ]),
    libraries,
  ].join(':');
  return {
    // Bypasses the package's start script, which looks for its files in /usr.
    executablePath: join(libraries, 'chromium', PACKAGE),
    env: { LD_LIBRARY_PATH: libraryPath, FONTCONFIG_FILE: await fontConfiguration(folder) },
  };
}

async function fontConfiguration(folder: string): Promise<string> {
  const path = join(folder, 'fonts.conf');
  const fonts = [join(folder, 'usr', 'share', 'fonts'), '/usr/share/fonts'];
  const directories = fonts.map((font) => `<dir>${font}</dir>`).join('');
  await writeFile(
    path,
    `<?xml version="1.0"?><fontconfig>${directories}<cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
  );
  return path;
}

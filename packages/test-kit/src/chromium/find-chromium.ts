import type { Chromium, ChromiumSource, ChromiumSourceOptions } from './chromium.ts';
import { unpackDistributionChromium } from './distribution-chromium.ts';
import { downloadChromium } from './downloaded-chromium.ts';
import { findConfiguredChromium, findInstalledChromium } from './installed-chromium.ts';

const SOURCES: ChromiumSource[] = [
  findConfiguredChromium,
  findInstalledChromium,
  downloadChromium,
  unpackDistributionChromium,
];

/** The first source that has a browser wins. Returns null if none has one. */
export async function findChromium(
  options: ChromiumSourceOptions,
  sources = SOURCES,
): Promise<Chromium | null> {
  for (const source of sources) {
    const chromium = await source(options);
    if (chromium !== null) return chromium;
  }
  return null;
}

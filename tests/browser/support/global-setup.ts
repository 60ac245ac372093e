import { cacheDir } from '@tollgate/local-servers/checkout';
import type { Chromium } from '@tollgate/test-kit/chromium/chromium';
import { findChromium } from '@tollgate/test-kit/chromium/find-chromium';
import type { TestProject } from 'vitest/node';
import { startPlatform } from '../../platform/platform.ts';
import type { SharedPlatformAddress } from './shared-platform.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null when no browser is available. */
    chromium: Chromium | null;
    /** Null when no browser is available. */
    sharedPlatform: SharedPlatformAddress | null;
  }
}

const NONE_FOUND = `
################################################################################
#  NO BROWSER: the journeys through the dashboard are NOT run.                 #
#  Install Chromium or Chrome, or name one: CHROMIUM=<path> npm test           #
################################################################################
`;

/** Finds or downloads the browser and starts a platform, once for all journeys. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const chromium = await findChromium({ cacheDir: cacheDir(process.env), env: process.env, say });
  say(chromium === null ? NONE_FOUND : `The dashboard is tested with ${chromium.executablePath}.`);
  project.provide('chromium', chromium);
  if (chromium === null) {
    project.provide('sharedPlatform', null);
    return undefined;
  }
  const platform = await startPlatform({ dashboard: true });
  const { dashboardUrl, baseUrl, infra } = platform;
  // Omits the function, which cannot be serialized for the test processes.
  const { call: _, ...owner } = platform.owner;
  project.provide('sharedPlatform', { dashboardUrl, baseUrl, natsUrl: infra.natsUrl, owner });
  return () => platform.stop();
}

import { cacheDir } from '@tollgate/local-servers/checkout';
import type { Chromium } from '@tollgate/test-kit/chromium/chromium';
import { findChromium } from '@tollgate/test-kit/chromium/find-chromium';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null when no browser is available. */
    chromium: Chromium | null;
  }
}

const NONE_FOUND = `
################################################################################
#  NO BROWSER: the journeys through the dashboard are NOT run.                 #
#  Install Chromium or Chrome, or name one: CHROMIUM=<path> npm test           #
################################################################################
`;

/** Finds or downloads the browser, once for all files. */
export default async function setup(project: TestProject): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const chromium = await findChromium({ cacheDir: cacheDir(process.env), env: process.env, say });
  say(chromium === null ? NONE_FOUND : `The dashboard is tested with ${chromium.executablePath}.`);
  project.provide('chromium', chromium);
}

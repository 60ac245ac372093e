import { cacheDir } from '@tollgate/local-servers/checkout';
import { findPromtool } from '@tollgate/test-kit/promtool';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the program; null when it is not available. */
    promtool: string | null;
  }
}

const NONE_FOUND = `
################################################################################
#  NO PROMTOOL: the alerts are NOT evaluated.                                  #
#  Install the package prometheus of the distribution.                         #
################################################################################
`;

/** Finds or downloads promtool, once for all files. */
export default async function setup(project: TestProject): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const promtool = await findPromtool({ cacheDir: cacheDir(process.env), say });
  if (promtool === null) say(NONE_FOUND);
  project.provide('promtool', promtool);
}

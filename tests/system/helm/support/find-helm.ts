import { cacheDir } from '@tollgate/local-servers/checkout';
import type { TestProject } from 'vitest/node';
import { findHelm } from './helm.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Renders the chart. Null when there is no Helm. */
    helm: string | null;
  }
}

const NONE_FOUND = `
################################################################################
#  NO HELM: the chart for Kubernetes is NOT tested.                            #
#  Install Helm, or name one: HELM=<path> npm run test:system                  #
################################################################################
`;

/** Finds or builds the program, once for all files. */
export default async function setup(project: TestProject): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const helm = await findHelm({ cacheDir: cacheDir(process.env), env: process.env, say });
  say(helm === null ? NONE_FOUND : `The chart is rendered with ${helm}.`);
  project.provide('helm', helm);
}

import type { TestProject } from 'vitest/node';
import { startPlatform } from './platform.ts';

/** Starts the platform that the test files share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const platform = await startPlatform({ dashboard: true, paymentsInstances: 2 });
  const { baseUrl, docsBaseUrl, adminUrl, dashboardUrl, setupToken, infra } = platform;
  // Omits the function, which cannot be serialized for the test processes.
  const { call: _, ...installationAdmin } = platform.owner;
  project.provide('sharedPlatform', {
    baseUrl,
    docsBaseUrl,
    adminUrl,
    dashboardUrl,
    setupToken,
    natsUrl: infra.natsUrl,
    pids: platform.pids().filter((pid) => pid !== null),
    installationAdmin,
  });
  return () => platform.stop();
}

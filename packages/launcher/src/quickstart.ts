import type { FirstApplication } from './first-run.ts';
import { writePrivateJson } from './private-file.ts';
import type { RunningProcess } from './process-supervisor.ts';

export interface QuickstartParts {
  application: FirstApplication;
  livePort: number;
  sandboxPort: number;
  mongodbUrl: string;
  natsUrl: string;
}

/** Writes `quickstart.json` (600): all that a script needs to use the platform that runs now. */
export async function writeQuickstart(
  path: string,
  parts: QuickstartParts,
  running: RunningProcess[],
): Promise<void> {
  const { application, livePort, sandboxPort, mongodbUrl, natsUrl } = parts;
  await writePrivateJson(path, {
    application_id: application.applicationId,
    live: { base_url: `http://localhost:${livePort}`, api_key: application.apiKeys.live },
    sandbox: { base_url: `http://localhost:${sandboxPort}`, api_key: application.apiKeys.sandbox },
    mongodb_url: mongodbUrl,
    nats_url: natsUrl,
    processes: running.map(({ name, pid }) => ({ name, pid })),
  });
}

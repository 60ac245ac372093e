import type { Environment } from '@tollgate/contracts/platform/environment';
import type { FirstApplication } from './first-run/first-application.ts';
import type { FirstRunResult } from './first-run/first-run.ts';
import { writePrivateJson } from './private-file.ts';
import type { RunningProcess } from './processes/process-supervisor.ts';

/** Everything that a user or a script needs to use the running platform. */
export interface QuickstartParts {
  firstRun: FirstRunResult;
  urls: Record<Environment | 'admin' | 'dashboard', string>;
  /** The page with the mails that Tollgate sends; null when they go to a mail server. */
  inboxUrl: string | null;
  /** The address with the user that may do everything. */
  mongodbUrl: string;
  /** The address with the user of `tollgate dead-letters`. */
  natsUrl: string;
}

/** Writes `quickstart.json` (mode 600). Missing values are omitted: keys without an application, a changed password. */
export async function writeQuickstart(
  path: string,
  { firstRun, urls, inboxUrl, mongodbUrl, natsUrl }: QuickstartParts,
  running: RunningProcess[],
): Promise<void> {
  const { application, owner } = firstRun;
  await writePrivateJson(path, {
    ...(application && { application_id: application.id }),
    live: api(urls.live, application, 'live'),
    sandbox: api(urls.sandbox, application, 'sandbox'),
    admin: {
      base_url: urls.admin,
      email: owner.email,
      ...(owner.password !== null && { password: owner.password }),
    },
    dashboard: { url: urls.dashboard },
    ...(inboxUrl !== null && { inbox: { url: inboxUrl } }),
    mongodb_url: mongodbUrl,
    nats_url: natsUrl,
    processes: running.map(({ name, pid }) => ({ name, pid })),
  });
}

function api(baseUrl: string, application: FirstApplication | null, environment: Environment) {
  return { base_url: baseUrl, ...(application && { api_key: application.apiKeys[environment] }) };
}

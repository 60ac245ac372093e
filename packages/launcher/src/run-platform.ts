import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { CHECKOUT_DIR, cacheDir } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { type MailInbox, startMailInbox } from '@tollgate/local-servers/mail-inbox/start-mail-inbox';
import { findNatsServer } from '@tollgate/local-servers/nats-server/find-nats-server';
import { ensureDashboardBuild } from './dashboard-build/dashboard-build.ts';
import { createDataDir, dataPaths } from './data-dir.ts';
import { buildDocs } from './docs-build.ts';
import type { FirstApplication } from './first-run/first-application.ts';
import { ensureFirstRun } from './first-run/first-run.ts';
import { openFirstRunRecord } from './first-run/first-run-record.ts';
import { greeting } from './greeting.ts';
import { lockDataDir } from './launcher-lock.ts';
import { requireFreePorts } from './ports.ts';
import {
  type ComponentSpec,
  dashboardUrl,
  INTERNAL_PORT_COUNT,
  listComponents,
  type MailServer,
} from './processes/components.ts';
import { inheritedEnvironment } from './processes/inherited-environment.ts';
import { readRecordedProcesses, recordProcesses } from './processes/process-record.ts';
import { createProcessSupervisor, type RunningProcess } from './processes/process-supervisor.ts';
import { allInOneProcess, separateProcess } from './processes/processes.ts';
import { describeServers } from './processes/servers.ts';
import { stopStaleProcesses } from './processes/stale-processes.ts';
import type { ProcessSpec } from './processes/supervised-process.ts';
import { type QuickstartParts, writeQuickstart } from './quickstart.ts';
import { loadSecrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import { waitForKey } from './wait-for-key.ts';

/** For mails to the development inbox, unless `MAIL_FROM` is set. */
const DEVELOPMENT_SENDER = 'Tollgate <tollgate@localhost>';

export interface RunningPlatform {
  stop(): Promise<void>;
}

/**
 * Starts the whole platform on this machine.
 * @throws LauncherFailure, ConfigError, or NoNatsServerError with a message for the user, after stopping everything
 */
export async function runPlatform(options: {
  settings: Settings;
  env: NodeJS.ProcessEnv;
  say(line: string): void;
  /** Called with the running processes whenever they change. */
  onProcesses(running: RunningProcess[]): void;
  /** Aborted when the platform should stop before it has started. */
  signal: AbortSignal;
}): Promise<RunningPlatform> {
  const { settings, env, say, onProcesses, signal } = options;
  const paths = dataPaths(settings.dataDir);
  await createDataDir(paths);
  const lock = lockDataDir(paths.lock, paths.dataDir);

  let quickstart: QuickstartParts | null = null;
  // Sequential writes: with concurrent ones, the slower one would win.
  let recorded = Promise.resolve();
  const record = (running: RunningProcess[]) => {
    onProcesses(running);
    recorded = recorded
      .then(() => recordProcesses(paths.processes, paths.dataDir, running))
      .then(() => (quickstart === null ? undefined : writeQuickstart(paths.quickstart, quickstart, running)))
      .catch((error: unknown) => say(`Cannot write to ${paths.dataDir}: ${String(error)}`));
  };
  let inbox: MailInbox | null = null;
  const supervisor = createProcessSupervisor({ logsDir: paths.logsDir, say, onChange: record });
  const stop = async () => {
    await supervisor.stop();
    await inbox?.stop();
    await recorded;
    lock.release();
  };
  signal.addEventListener('abort', () => void supervisor.stop(), { once: true });

  try {
    const stale = await stopStaleProcesses(await readRecordedProcesses(paths.processes, paths.dataDir));
    if (stale.length > 0) say(`Stopped processes of an earlier launcher: ${stale.join(', ')}.`);
    await requireFreePorts([
      { port: settings.livePort, variable: 'LIVE_PORT', purpose: 'live API' },
      { port: settings.sandboxPort, variable: 'SANDBOX_PORT', purpose: 'sandbox API' },
      { port: settings.adminPort, variable: 'ADMIN_PORT', purpose: 'admin API' },
      { port: settings.dashboardPort, variable: 'DASHBOARD_PORT', purpose: 'dashboard' },
    ]);
    const secrets = await loadSecrets(paths);
    const firstRunRecord = await openFirstRunRecord(paths.firstRun);
    const server =
      settings.natsUrl === '' ? await findNatsServer({ env, cacheDir: cacheDir(env), say }) : null;
    if (!settings.isPrebuilt) {
      await ensureDashboardBuild({
        checkoutDir: CHECKOUT_DIR,
        logPath: paths.dashboardBuildLog,
        say,
        onBuilder: (builder) => record(builder === null ? [] : [builder]),
        signal,
      });
    }
    const [mongodb, nats, ...internalPorts] = (await findFreePorts(2 + INTERNAL_PORT_COUNT)) as [
      number,
      number,
      ...number[],
    ];
    if (sendsMailToInbox(settings)) inbox = await startMailInbox({ smtp: 0, http: settings.inboxPort });
    const inherited = {
      ...inheritedEnvironment(env),
      PLATFORM_PORTS: platformPorts({ settings, env, inbox, others: [mongodb, nats, ...internalPorts] }),
    };
    const servers = await describeServers({
      settings,
      secrets,
      paths,
      server,
      ports: { mongodb, nats },
      inherited,
    });
    const components = listComponents({
      settings,
      secrets,
      paths,
      urls: servers,
      mail: mailOf(settings, inbox),
      internalPorts,
      inherited,
    });
    const stages =
      settings.topology === 'separate'
        ? components.map((stage) => stage.map((each) => separateProcess(each, { settings, inherited })))
        : [[allInOneProcess(components, { settings, inherited })]];
    const startStage = async (stage: ProcessSpec[]) => {
      if (stage.length === 0) return;
      say(`Starting ${stage.map(({ name }) => name).join(' and ')}…`);
      await supervisor.startStage(stage);
    };
    const [first = [], ...others] = stages;
    // The services wait for their servers, and take longer to load.
    await Promise.all([startStage(servers.processes), startStage(first)]);
    for (const stage of others) await startStage(stage);

    const natsUrl = servers.natsUrlOf('launcher');
    const firstRun = await ensureFirstRun({ natsUrl, secrets, record: firstRunRecord });
    quickstart = {
      firstRun,
      urls: urlsOf(settings, env),
      inboxUrl: inbox?.secretUrl ?? null,
      mongodbUrl: servers.mongodbUrl,
      natsUrl: servers.natsUrlOf('operator'),
    };
    record(supervisor.running());
    await recorded;
    if (firstRun.application !== null) {
      await checkKeys(firstRun.application, opsUrlOfGateway(components), {
        say,
        signal,
        path: paths.quickstart,
      });
    }
    say(greeting(quickstart, paths));
    if (!settings.isPrebuilt) {
      void buildDocs({ checkoutDir: CHECKOUT_DIR, logPath: paths.docsBuildLog, say, signal });
    }
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The image runs in a container, where nobody reaches an inbox of this machine. */
function sendsMailToInbox({ smtpUrl, isPrebuilt }: Settings): boolean {
  return smtpUrl === '' && !isPrebuilt;
}

function mailOf({ smtpUrl }: Settings, inbox: MailInbox | null): MailServer {
  if (!inbox) return { smtpUrl, from: '', inboxUrl: '' };
  return { smtpUrl: inbox.smtpUrl, from: DEVELOPMENT_SENDER, inboxUrl: inbox.url };
}

/** Every port of this machine on which the platform listens, and those that the operator lists. */
function platformPorts({
  settings: { livePort, sandboxPort, adminPort, dashboardPort },
  env,
  inbox,
  others,
}: {
  settings: Settings;
  env: NodeJS.ProcessEnv;
  inbox: MailInbox | null;
  others: readonly number[];
}): string {
  const ofInbox = inbox === null ? [] : [inbox.smtpUrl, inbox.url].map((url) => new URL(url).port);
  const ofOperator = [env['PLATFORM_PORTS'], env['CALLBACK_PORT']].filter(Boolean);
  return [livePort, sandboxPort, adminPort, dashboardPort, ...others, ...ofInbox, ...ofOperator].join();
}

function urlsOf(settings: Settings, env: NodeJS.ProcessEnv): QuickstartParts['urls'] {
  return {
    live: `http://localhost:${settings.livePort}`,
    sandbox: `http://localhost:${settings.sandboxPort}`,
    admin: `http://localhost:${settings.adminPort}`,
    dashboard: dashboardUrl(settings, env),
  };
}

function opsUrlOfGateway(components: ComponentSpec[][]): string {
  const gateway = components.flat().find(({ name }) => name === 'gateway');
  return `http://127.0.0.1:${gateway?.opsPort}`;
}

/** Reports keys that no longer work, after the gateway had time to load them. */
async function checkKeys(
  application: FirstApplication,
  opsUrl: string,
  { say, signal, path }: { say(line: string): void; signal: AbortSignal; path: string },
): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    if (await waitForKey(opsUrl, application.apiKeys[environment], signal)) continue;
    signal.throwIfAborted();
    say(`The ${environment} key in ${path} no longer works. Create a new key for the application.`);
  }
}

import { connectBus } from '@tollgate/bus/connection';
import { cacheDir } from '@tollgate/local-servers/checkout';
import { findNatsServer } from '@tollgate/local-servers/nats-server/find-nats-server';
import { createActorSigner } from '@tollgate/service-kit/actor-token';
import { systemClock } from '@tollgate/service-kit/clock';
import { dataPaths, makeDataDir } from './data-dir.ts';
import { ensureFirstApplication } from './first-run.ts';
import { greeting } from './greeting.ts';
import { keyWorks } from './key-works.ts';
import { lockDataDir } from './launcher-lock.ts';
import { requireFreePorts } from './ports.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import { createProcessSupervisor, type RunningProcess } from './process-supervisor.ts';
import { listProcesses } from './processes.ts';
import { type QuickstartParts, writeQuickstart } from './quickstart.ts';
import { loadSecrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import { endStaleProcesses } from './stale-processes.ts';

export interface RunningPlatform {
  stop(): Promise<void>;
}

/**
 * Brings the whole platform up on this machine.
 * @throws LauncherFailure, ConfigError or NoNatsServerError with a message for the person; what had been started is stopped then
 */
export async function runPlatform(options: {
  settings: Settings;
  env: NodeJS.ProcessEnv;
  say(line: string): void;
  /** Told the processes that run, whenever that changes. */
  onProcesses(running: RunningProcess[]): void;
  /** Aborted when the platform is to stop before it has started. */
  signal: AbortSignal;
}): Promise<RunningPlatform> {
  const { settings, env, say, onProcesses, signal } = options;
  const paths = dataPaths(settings.dataDir);
  await makeDataDir(paths);
  const lock = lockDataDir(paths.lock, paths.dataDir);

  let quickstart: QuickstartParts | null = null;
  // One write after the other: two at once would leave whichever was slower.
  let recorded = Promise.resolve();
  const record = (running: RunningProcess[]) => {
    onProcesses(running);
    recorded = recorded
      .then(() => writePrivateJson(paths.processes, running))
      .then(() => (quickstart === null ? undefined : writeQuickstart(paths.quickstart, quickstart, running)))
      .catch((error: unknown) => say(`${paths.dataDir} cannot be written: ${String(error)}`));
  };
  const supervisor = createProcessSupervisor({ logsDir: paths.logsDir, say, onChange: record });
  const stop = async () => {
    await supervisor.stop();
    await recorded;
    lock.release();
  };
  signal.addEventListener('abort', () => void supervisor.stop(), { once: true });

  try {
    const stale = await endStaleProcesses(
      ((await readPrivateJson(paths.processes)) ?? []) as RunningProcess[],
    );
    if (stale.length > 0) say(`Ended what an earlier launcher left running: ${stale.join(', ')}.`);
    await requireFreePorts([
      { port: settings.livePort, variable: 'LIVE_PORT', purpose: 'live API' },
      { port: settings.sandboxPort, variable: 'SANDBOX_PORT', purpose: 'sandbox API' },
    ]);
    const secrets = await loadSecrets(paths);
    const server =
      settings.natsUrl === '' ? await findNatsServer({ env, cacheDir: cacheDir(env), say }) : null;
    const { stages, mongodbUrl, natsUrl } = await listProcesses({ settings, secrets, paths, server, env });
    for (const stage of stages) {
      if (stage.length === 0) continue;
      say(`Starting ${stage.map(({ name }) => name).join(' and ')}…`);
      await supervisor.startStage(stage);
    }

    const bus = await connectBus({ url: natsUrl, name: 'launcher' });
    try {
      const application = await ensureFirstApplication({
        path: paths.firstRun,
        bus,
        signActor: createActorSigner(secrets.ACTOR_SIGNING_KEY, systemClock),
      });
      quickstart = {
        application,
        mongodbUrl,
        natsUrl,
        livePort: settings.livePort,
        sandboxPort: settings.sandboxPort,
      };
    } finally {
      await bus.close();
    }
    record(supervisor.running());
    await recorded;
    for (const environment of ['live', 'sandbox'] as const) {
      const port = settings[`${environment}Port`];
      const works = await keyWorks(
        `http://127.0.0.1:${port}`,
        quickstart.application.apiKeys[environment],
        signal,
      );
      if (works) continue;
      signal.throwIfAborted();
      say(
        `The ${environment} key in ${paths.quickstart} is not accepted any more; make a new one for the application.`,
      );
    }
    say(greeting(quickstart, paths));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

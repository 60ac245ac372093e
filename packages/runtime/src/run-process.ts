import { setTimeout as sleep } from 'node:timers/promises';
import { startTracing, type Tracing } from '@tollgate/tracing/start-tracing';
import type { Component, ConfiguredComponent, RunningComponent } from './component.ts';
import { ConfigError, type Environment, processVariables, readConfig, tracingVariables } from './config.ts';
import { onStop, runStopSteps } from './graceful-stop.ts';
import { createLogger, type Logger } from './logger.ts';
import { VERSION } from './metrics.ts';
import { STAGE_STOP_TIMEOUT_MS } from './stop-limit.ts';

interface RunningPart extends RunningComponent {
  drainDelayMs: number;
}

/** What is open so far, and how to close it. */
interface Parts {
  /** Those that run, by stage. */
  stages: RunningPart[][];
  tracing: Tracing | null;
}

/** Runs a component as this process. */
export function runComponent(component: Component): Promise<void> {
  return runProcess(component.name, (env) => [[component.configure(env)]]);
}

/**
 * Runs components as this process, until a signal or a fatal error stops it. All start at once. Stages stop in reverse order, after one
 * drain for all. If a component cannot start, logs why in one JSON line, stops those that run, and exits with 1.
 * @param configure throws a ConfigError that names every wrong variable
 */
export async function runProcess(
  name: string,
  configure: (env: Environment) => readonly (readonly ConfiguredComponent[])[],
  { stageTimeoutMs = STAGE_STOP_TIMEOUT_MS } = {},
): Promise<void> {
  const logger = createLogger({ service: name, level: logLevelOf(process.env), isSynchronous: true });
  const parts: Parts = { stages: [], tracing: null };
  let stopping: Promise<void> | null = null;
  const stop = () => {
    stopping ??= stopParts(parts, { stageTimeoutMs, logger });
    return stopping;
  };
  // Registered before the start, which can wait for NATS: the first process of a container ignores signals without a handler.
  onStop({ logger, stop });
  try {
    const stages = configure(process.env);
    const { otlpEndpoint: endpoint, sampledShare } = readConfig(process.env, tracingVariables);
    parts.tracing = await startTracing({ version: VERSION, endpoint, sampledShare, logger });
    await Promise.all(stages.flatMap((stage) => startStage(stage, parts)));
  } catch (error) {
    if (error instanceof ConfigError)
      logger.fatal(`The configuration is not valid. ${error.problems.join(' ')}`);
    else logger.fatal({ err: error }, 'the process could not start');
    await stop().finally(() => process.exit(1));
  }
}

function startStage(stage: readonly ConfiguredComponent[], { stages }: Parts): Promise<unknown>[] {
  const running: RunningPart[] = [];
  stages.push(running);
  return stage.map(async ({ drainDelayMs, start }) => {
    const component = await start();
    running.push({ ...component, drainDelayMs });
  });
}

/** @throws Error if a stage did not stop in time */
async function stopParts(
  { stages, tracing }: Parts,
  { stageTimeoutMs, logger }: { stageTimeoutMs: number; logger: Logger },
): Promise<void> {
  const components = stages.flat();
  for (const component of components) component.becomeUnready();
  // Until a balancer has probed the readiness again, it sends new requests.
  await sleep(Math.max(0, ...components.map(({ drainDelayMs }) => drainDelayMs)));

  let isLate = false;
  for (const stage of stages.toReversed()) {
    const stopped = Promise.all(
      stage.map(({ stop }) => runStopSteps([{ name: 'stop a component', run: stop }], logger)),
    );
    const late = sleep(stageTimeoutMs, 'late' as const, { ref: false });
    if ((await Promise.race([stopped, late])) === 'late') isLate = true;
  }
  await tracing?.stop();
  if (isLate) {
    const message = `the process did not finish what was in flight within ${stageTimeoutMs / 1000} s`;
    logger.fatal(message);
    throw new Error(message);
  }
}

/** An invalid level is reported with all other configuration errors. */
function logLevelOf(env: Environment): string {
  try {
    return readConfig(env, { logLevel: processVariables.logLevel }).logLevel;
  } catch {
    return 'info';
  }
}

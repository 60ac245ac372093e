import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { LauncherFailure } from '../launcher-failure.ts';
import type { ProcessLog } from './process-log.ts';

/** Describes a process to run. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  /** The complete environment: nothing is inherited, so that no process gets another's secrets. */
  env: Record<string, string>;
  /** Time between SIGTERM and SIGKILL. */
  stopTimeoutMs: number;
  isReady(): Promise<boolean>;
}

export interface Timing {
  /** Time limit until the first readiness. */
  readyTimeoutMs: number;
  readyPollMs: number;
  /** Delay before the first restart. Doubles with each further one, up to the maximum. */
  minBackoffMs: number;
  maxBackoffMs: number;
  /** A process that has run this long is healthy: the delay starts over. */
  healthyAfterMs: number;
}

export const DEFAULT_TIMING: Timing = {
  readyTimeoutMs: 60_000,
  readyPollMs: 50,
  minBackoffMs: 250,
  maxBackoffMs: 15_000,
  healthyAfterMs: 10_000,
};

export interface SupervisedProcess {
  readonly name: string;
  /** Null while it is not running. */
  readonly pid: number | null;
  /**
   * Starts the process and waits until it is ready. Throws LauncherFailure with the end of its log. Afterwards, the
   * process is restarted when it dies.
   */
  start(): Promise<void>;
  /** Sends SIGTERM, and SIGKILL after a timeout. Resolves when the process has ended and no restart is pending. */
  stop(): Promise<void>;
}

export function superviseProcess(
  spec: ProcessSpec,
  options: {
    log: ProcessLog;
    timing: Timing;
    /** Prints what a user should see: deaths and restarts. */
    say(line: string): void;
    /** Called whenever the pid changes. */
    onPidChange(): void;
  },
): SupervisedProcess {
  const { log, timing, say, onPidChange } = options;
  let child: ChildProcess | null = null;
  let startedAtMs = 0;
  let restarts = 0;
  const stopping = new AbortController();
  let keepingAlive: Promise<void> | undefined;

  function launch(): ChildProcess {
    const launched = spawn(spec.command, spec.args, {
      env: spec.env,
      stdio: ['ignore', log.fileDescriptor, log.fileDescriptor],
      // Its own process group: Ctrl+C in the terminal is for the launcher, which stops all processes in order.
      detached: true,
    });
    startedAtMs = performance.now();
    child = launched;
    launched.once('spawn', () => log.note(`started as process ${launched.pid}`));
    // Without a listener, a missing executable would end the launcher. `exit` is not emitted in this case.
    launched.once('error', (error) => log.note(`did not start: ${error.message}`));
    onPidChange();
    return launched;
  }

  /** Restarts the process whenever it dies, until it is stopped. */
  async function keepAlive(): Promise<void> {
    while (child !== null && !stopping.signal.aborted) {
      await ended(child);
      child = null;
      onPidChange();
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAtMs >= timing.healthyAfterMs) restarts = 0;
      const backoffMs = Math.min(timing.minBackoffMs * 2 ** restarts, timing.maxBackoffMs);
      restarts += 1;
      const text = `${spec.name} ended unexpectedly; restarting it in ${(backoffMs / 1000).toFixed(1)} s. Its log: ${log.path}`;
      log.note(text);
      say(text);
      await delay(backoffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const launched = launch();
      void becomesReady(launched).then((ready) => {
        if (ready) say(`${spec.name} is running again (process ${launched.pid}).`);
      });
    }
  }

  async function becomesReady(launched: ChildProcess): Promise<boolean> {
    const deadline = performance.now() + timing.readyTimeoutMs;
    await Promise.race([once(launched, 'spawn'), once(launched, 'exit')]).catch(() => undefined);
    while (performance.now() < deadline && !hasEnded(launched) && !stopping.signal.aborted) {
      if (await spec.isReady()) return true;
      await delay(timing.readyPollMs);
    }
    return false;
  }

  return {
    name: spec.name,
    get pid() {
      return child === null || hasEnded(child) ? null : (child.pid ?? null);
    },
    async start() {
      const launched = launch();
      if (await becomesReady(launched)) {
        keepingAlive = keepAlive();
        return;
      }
      if (stopping.signal.aborted) throw new LauncherFailure(`${spec.name} was stopped while starting.`);
      const why = hasEnded(launched)
        ? 'exited immediately'
        : `was not ready within ${timing.readyTimeoutMs / 1000} s`;
      throw new LauncherFailure(
        `${spec.name} ${why}. The end of its log, ${log.path}:\n${log
          .tail(15)
          .map((line) => `  ${line}`)
          .join('\n')}`,
      );
    },
    async stop() {
      stopping.abort();
      if (child !== null && !hasEnded(child)) {
        const straggler = setTimeout(() => child?.kill('SIGKILL'), spec.stopTimeoutMs);
        child.kill('SIGTERM');
        await ended(child);
        clearTimeout(straggler);
        child = null;
        onPidChange();
      }
      await keepingAlive;
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function ended(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, 'exit');
}

/** `npm start`: runs the whole platform on one machine until it is stopped. */

import { constants } from 'node:os';
import { NoNatsServerError } from '@tollgate/local-servers/nats-server/find-nats-server';
import { ConfigError } from '@tollgate/runtime/config';
import { describeUnknownVariable, findUnknownVariables } from '@tollgate/runtime/unknown-variables';
import { LauncherFailure } from './launcher-failure.ts';
import { type RunningPlatform, runPlatform } from './run-platform.ts';
import { launcherVariables, readSettings, withoutServerFiles } from './settings.ts';

/** One press of Ctrl+C arrives several times: from the terminal, from npm, and from the bootstrap. */
const ONE_PRESS_MS = 500;

const say = (line: string) => process.stdout.write(`${line}\n`);
const stopRequested = new AbortController();
let stopRequestedAt = 0;
let platform: RunningPlatform | null = null;
let pids: number[] = [];

async function stop(signal?: NodeJS.Signals): Promise<void> {
  if (stopRequested.signal.aborted) {
    if (signal === 'SIGINT' && performance.now() - stopRequestedAt > ONE_PRESS_MS) killAll();
    return;
  }
  stopRequestedAt = performance.now();
  say(`\nStopping…${signal === 'SIGINT' ? ' Press Ctrl+C again to stop at once.' : ''}`);
  stopRequested.abort();
  if (platform === null) return; // runPlatform throws and cleans up below.
  await platform.stop();
  leave(0);
}

/** Exits in the same turn of the event loop, so that no process is restarted. */
function killAll(): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
  leave(128 + constants.signals.SIGINT);
}

function leave(exitCode: number): void {
  if (exitCode === 0) say('Stopped.');
  process.exit(exitCode);
}

process.on('SIGINT', stop);
process.on('SIGTERM', stop);
process.on('SIGHUP', stop);
// The bootstrap has ended, so nothing else can stop this process.
process.on('disconnect', stop);
// Closing the terminal must not end the launcher before it has stopped its processes.
process.stdout.on('error', () => undefined);

try {
  const settings = readSettings(process.env);
  for (const unknown of findUnknownVariables(process.env, launcherVariables))
    say(describeUnknownVariable(unknown));
  platform = await runPlatform({
    settings,
    env: withoutServerFiles(process.env),
    say,
    onProcesses: (running) => {
      pids = running.map(({ pid }) => pid);
      if (process.connected) process.send?.({ pids });
    },
    signal: stopRequested.signal,
  });
  if (stopRequested.signal.aborted) {
    await platform.stop();
    leave(0);
  }
} catch (error) {
  if (stopRequested.signal.aborted) leave(0);
  const isExpected =
    error instanceof LauncherFailure || error instanceof ConfigError || error instanceof NoNatsServerError;
  process.stderr.write(
    `\n${isExpected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  leave(1);
}

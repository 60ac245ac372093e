/** `npm start`: runs the whole platform on one machine until it is stopped. */

import { NoNatsServerError } from '@tollgate/local-servers/nats-server/find-nats-server';
import { ConfigError } from '@tollgate/runtime/config';
import { describeUnknownVariable, findUnknownVariables } from '@tollgate/runtime/unknown-variables';
import { LauncherFailure } from './launcher-failure.ts';
import { type RunningPlatform, runPlatform } from './run-platform.ts';
import { launcherVariables, readSettings, withoutServerFiles } from './settings.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const stopRequested = new AbortController();
let platform: RunningPlatform | null = null;

/** Runs once: Ctrl+C arrives several times, from the terminal and from the bootstrap. */
async function stop(): Promise<void> {
  if (stopRequested.signal.aborted) return;
  say('\nStopping…');
  stopRequested.abort();
  if (platform === null) return; // runPlatform throws and cleans up below.
  await platform.stop();
  leave(0);
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
      if (process.connected) process.send?.({ pids: running.map(({ pid }) => pid) });
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

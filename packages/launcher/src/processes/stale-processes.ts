import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningProcess } from './process-supervisor.ts';

const GRACE_MS = 5_000;
const POLL_MS = 50;

/** Those of the recorded processes that have not ended. */
export async function stillRunning(recorded: RunningProcess[]): Promise<RunningProcess[]> {
  const running: RunningProcess[] = [];
  for (const process of recorded) {
    if ((await readCommandLine(process.pid)) === process.commandLine) running.push(process);
  }
  return running;
}

/**
 * Ends processes that a killed launcher left running: they hold its data files. A process must have the recorded
 * command line, because the system reuses pids.
 * @returns names of the processes that were ended
 */
export async function stopStaleProcesses(recorded: RunningProcess[]): Promise<string[]> {
  const stale = await stillRunning(recorded);
  const deadlineMs = performance.now() + GRACE_MS;
  // In reverse order of their start: a service that loses its database and NATS first takes long to exit.
  for (const process of stale.toReversed()) {
    signal(process.pid, 'SIGTERM');
    await untilGone(process, deadlineMs);
  }
  for (const process of stale) {
    if (await untilGone(process, deadlineMs)) continue;
    signal(process.pid, 'SIGKILL');
    await untilGone(process, performance.now() + GRACE_MS);
  }
  return stale.map(({ name }) => name);
}

/**
 * Compares the command line and not only the pid: a dead process keeps its pid until its parent reaps it.
 * @returns whether it has ended
 */
async function untilGone({ pid, commandLine }: RunningProcess, deadlineMs: number): Promise<boolean> {
  while ((await readCommandLine(pid)) === commandLine) {
    if (performance.now() > deadlineMs) return false;
    await delay(POLL_MS);
  }
  return true;
}

async function readCommandLine(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return text.replace(/\0$/, '').replaceAll('\0', ' ');
  } catch {
    return process.platform === 'linux' ? null : readCommandLineFromPs(pid);
  }
}

/** macOS has no /proc. */
function readCommandLineFromPs(pid: number): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('ps', ['-ww', '-o', 'command=', '-p', String(pid)], (error, stdout) => {
      resolve(error ? null : stdout.trimEnd());
    });
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended in the meantime.
  }
}

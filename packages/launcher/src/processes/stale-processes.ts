import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningProcess } from './process-supervisor.ts';

const GRACE_MS = 5_000;
const POLL_MS = 50;

/**
 * Ends processes that a killed launcher has left behind: they hold its data files. A process counts as one of them only when
 * its command line is the recorded one, because the system gives the numbers of dead processes to new ones.
 * @returns the names of those that were ended
 */
export async function endStaleProcesses(recorded: RunningProcess[]): Promise<string[]> {
  const stale: RunningProcess[] = [];
  for (const process of recorded) {
    if ((await readCommandLine(process.pid)) === process.commandLine) stale.push(process);
  }
  const deadlineMs = performance.now() + GRACE_MS;
  // The last one that was started ends first: a service that has lost its database and NATS takes long to give up.
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
 * Asks for the command line and not for the number: a dead process keeps that until its parent has taken note of its end.
 * @returns whether it is
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
    // It has ended meanwhile.
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FileLock, tryLockFile } from '@tollgate/runtime/file-lock';
import { LauncherFailure } from '../launcher-failure.ts';
import { openProcessLog, type ProcessLog } from '../processes/process-log.ts';
import type { RunningProcess } from '../processes/process-supervisor.ts';
import { hashDashboardSources } from './dashboard-sources.ts';

const POLL_MS = 250;
const READ_LOG_LINES = 200;
const SHOWN_LOG_LINES = 15;

interface BuildOptions {
  checkoutDir: string;
  logPath: string;
  say(line: string): void;
  /** Told the builder while it runs, and null when it has ended: a launcher that is killed leaves it behind. */
  onBuilder?(builder: RunningProcess | null): void;
  signal?: AbortSignal;
}

/**
 * Builds the dashboard unless the build that is there was made of these very sources.
 * @throws LauncherFailure with the end of the log when it cannot be built
 */
export async function ensureDashboardBuild(options: BuildOptions): Promise<void> {
  const { checkoutDir, say, signal } = options;
  if (await isBuilt(checkoutDir)) return;
  // Of the checkout, as the build is: launchers with other data share it.
  const cacheDir = join(checkoutDir, '.cache');
  await mkdir(cacheDir, { recursive: true });
  // Two builders in one folder would each remove what the other writes.
  const lock = await waitForLock(join(cacheDir, 'dashboard-build.lock'), say, signal);
  try {
    // Another launcher may have built while this one waited.
    if (!(await isBuilt(checkoutDir))) await build(options);
  } finally {
    lock.release();
  }
}

/** Inside the build, so that anyone who builds anew or removes the build removes it, too. */
function stampPath(checkoutDir: string): string {
  return join(checkoutDir, 'dashboard/dist/sources.sha256');
}

async function isBuilt(checkoutDir: string): Promise<boolean> {
  const stamp = await readFile(stampPath(checkoutDir), 'utf8').catch(() => null);
  return stamp === (await hashDashboardSources(checkoutDir));
}

async function waitForLock(
  path: string,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<FileLock> {
  for (let tried = 0; ; tried++) {
    const lock = tryLockFile(path);
    if (lock !== null) return lock;
    if (tried === 0) say('Another start is building the dashboard; waiting for it…');
    await delay(POLL_MS, undefined, signal && { signal });
  }
}

async function build(options: BuildOptions): Promise<void> {
  const { checkoutDir, logPath, say } = options;
  const begunAtMs = performance.now();
  say('Building the dashboard (up to half a minute, only after a change of it)…');
  // Taken first: what is changed while it builds makes the next start build again.
  const sources = await hashDashboardSources(checkoutDir);
  await rm(stampPath(checkoutDir), { force: true });
  const log = openProcessLog(logPath);
  try {
    if (!(await runVite(options, log.fileDescriptor))) {
      throw new LauncherFailure(
        `The dashboard was not built. The end of the log, ${logPath}:\n${endOf(log).join('\n')}`,
      );
    }
  } finally {
    log.close();
  }
  await writeFile(stampPath(checkoutDir), sources, { flush: true });
  say(`Dashboard built in ${Math.round((performance.now() - begunAtMs) / 1000)} s.`);
}

/** Without the stack traces of Vite, which are longer than what it says. */
function endOf(log: ProcessLog): string[] {
  return log
    .tail(READ_LOG_LINES)
    .filter((line) => !/^\s+at /.test(line))
    .slice(-SHOWN_LOG_LINES)
    .map((line) => `  ${line}`);
}

/** @returns whether it succeeded. Throws the signal's reason when that has stopped it. */
async function runVite(
  { checkoutDir, onBuilder, signal }: BuildOptions,
  logFileDescriptor: number,
): Promise<boolean> {
  const folder = join(checkoutDir, 'dashboard');
  const manifest = createRequire(join(folder, 'package.json')).resolve('vite/package.json');
  const args = [join(dirname(manifest), 'bin/vite.js'), 'build'];
  const builder = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', logFileDescriptor, logFileDescriptor],
  });
  const stop = () => builder.kill('SIGTERM');
  signal?.addEventListener('abort', stop, { once: true });
  const commandLine = [process.execPath, ...args].join(' ');
  if (builder.pid !== undefined) onBuilder?.({ name: 'dashboard-build', pid: builder.pid, commandLine });
  try {
    await once(builder, 'close');
    signal?.throwIfAborted();
    return builder.exitCode === 0;
  } finally {
    signal?.removeEventListener('abort', stop);
    onBuilder?.(null);
  }
}

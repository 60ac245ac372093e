import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hashSources } from '@tollgate/local-servers/source-hash';
import { type FileLock, tryLockFile } from '@tollgate/runtime/file-lock';
import { LauncherFailure } from '../launcher-failure.ts';
import { openProcessLog, type ProcessLog } from '../processes/process-log.ts';
import type { RunningProcess } from '../processes/process-supervisor.ts';

/** Everything that the build reads. */
const SOURCES = ['dashboard', 'packages/contracts/src', 'package-lock.json', 'tsconfig.base.json'];
const POLL_MS = 250;
const READ_LOG_LINES = 200;
const SHOWN_LOG_LINES = 15;

interface BuildOptions {
  checkoutDir: string;
  logPath: string;
  say(line: string): void;
  /**
   * Called with the builder while it runs, and with null when it has ended: a launcher that is killed leaves it
   * running.
   */
  onBuilder?(builder: RunningProcess | null): void;
  signal?: AbortSignal;
}

/**
 * Builds the dashboard unless the existing build matches the current sources.
 * @throws LauncherFailure with the end of the log if the build fails
 */
export async function ensureDashboardBuild(options: BuildOptions): Promise<void> {
  const { checkoutDir, say, signal } = options;
  if (await isBuilt(checkoutDir)) return;
  // In the checkout, like the build: launchers with different data share it.
  const cacheDir = join(checkoutDir, '.cache');
  await mkdir(cacheDir, { recursive: true });
  // Two concurrent builders would remove each other's files.
  const lock = await waitForLock(join(cacheDir, 'dashboard-build.lock'), say, signal);
  try {
    // Another launcher may have built while this one waited.
    if (!(await isBuilt(checkoutDir))) await build(options);
  } finally {
    lock.release();
  }
}

/** Inside the build, so that replacing or removing the build removes the stamp too. */
function stampPath(checkoutDir: string): string {
  return join(checkoutDir, 'dashboard/dist/sources.sha256');
}

async function isBuilt(checkoutDir: string): Promise<boolean> {
  const stamp = await readFile(stampPath(checkoutDir), 'utf8').catch(() => null);
  return stamp === (await hashSources(checkoutDir, SOURCES));
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
  say('Building the dashboard (up to 30 seconds, only after a change)…');
  // Hashed before the build: sources that change during the build trigger another one at the next start.
  const sources = await hashSources(checkoutDir, SOURCES);
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

/** Without Vite's stack traces, which are longer than its messages. */
function endOf(log: ProcessLog): string[] {
  return log
    .tail(READ_LOG_LINES)
    .filter((line) => !/^\s+at /.test(line))
    .slice(-SHOWN_LOG_LINES)
    .map((line) => `  ${line}`);
}

/** @returns whether the build succeeded. Throws the signal's reason if it was aborted. */
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

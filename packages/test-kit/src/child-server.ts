import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { guardAgainstOrphan } from './orphan-guard.ts';

const STOP_TIMEOUT_MS = 5_000;
const MIN_POLL_MS = 10;
const MAX_POLL_MS = 100;
/** Characters of a server's latest output in the error that it did not start. */
const MAX_SHOWN_OUTPUT = 4_000;

/** A server for tests, as a child process that ends with the test process. */
export interface ChildServer {
  /** Null after the process has ended. */
  readonly pid: number | null;
  /** Everything that it has written to its standard output and error. */
  output(): string;
  /** Sends SIGTERM, then SIGKILL after a timeout. Resolves when the process has ended. */
  stop(): Promise<void>;
  /** Sends SIGKILL, as if the machine had failed. */
  kill(): Promise<void>;
}

/**
 * Starts a program, which does not keep the test process alive. Its latest output is part of the error if `isReady` stays false, and is
 * printed if the program ends unexpectedly.
 */
export async function startChildServer(options: {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Its folder, which is also removed if the test process is killed. */
  folder?: string;
  isReady: () => Promise<boolean>;
  timeoutMs?: number;
}): Promise<ChildServer> {
  const spawnOptions: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] };
  if (options.env) spawnOptions.env = options.env;
  const child = spawn(options.command, options.args, spawnOptions);
  guardAgainstOrphan(child, options.folder);
  child.unref();
  let output = '';
  for (const stream of [child.stdout, child.stderr] as Socket[]) {
    stream.on('data', (text) => {
      output += text;
    });
    stream.unref();
  }
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure = `exited with ${signal ?? `code ${code}`}`;
  });

  const startedAt = performance.now();
  const deadline = startedAt + (options.timeoutMs ?? 15_000);
  while (!(await options.isReady())) {
    if (failure === null && performance.now() > deadline) failure = 'timed out';
    if (failure !== null) {
      child.kill('SIGKILL');
      throw new Error(`${options.name} did not start: ${failure}.\n${output.slice(-MAX_SHOWN_OUTPUT)}`);
    }
    // Less and less often: asking eight starting processes every 10 ms cost as much as another process.
    const waitMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, (performance.now() - startedAt) / 10));
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  let isEnding = false;
  child.once('exit', () => {
    if (!isEnding)
      process.stderr.write(
        `${options.name} exited unexpectedly: ${failure}.\n${output.slice(-MAX_SHOWN_OUTPUT)}\n`,
      );
  });
  async function end(signal: NodeJS.Signals): Promise<void> {
    isEnding = true;
    if (hasEnded(child)) return;
    child.ref();
    child.kill(signal);
    await once(child, 'exit');
  }
  return {
    get pid() {
      return hasEnded(child) ? null : (child.pid ?? null);
    },
    output: () => output,
    async stop() {
      const straggler = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await end('SIGTERM');
      clearTimeout(straggler);
    },
    kill: () => end('SIGKILL'),
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

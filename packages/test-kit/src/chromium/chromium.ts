import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A browser that starts on this machine, and the environment of its process. */
export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

export interface ChromiumSourceOptions {
  /** Folder of downloaded programs. */
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  /** Receives what is being downloaded, and why it failed. */
  say(line: string): void;
}

/** One way to get a browser. Returns null if it has none. */
export type ChromiumSource = (options: ChromiumSourceOptions) => Promise<Chromium | null>;

/** Long, because a browser that is read from a slow disk for the first time takes its time, and tests without one are not run. */
const VERSION_TIMEOUT_MS = 120_000;
const run = promisify(execFile);

/** Returns true if it starts on this machine: without its libraries, a browser does not even print its version. */
export async function isUsable({ executablePath, env }: Chromium): Promise<boolean> {
  try {
    const options = { timeout: VERSION_TIMEOUT_MS, env: { ...process.env, ...env } };
    const { stdout } = await run(executablePath, ['--version'], options);
    return /chrom/i.test(stdout);
  } catch {
    return false;
  }
}

/** Chromium does not run its sandbox as root, and containers usually cannot create one. */
export function launchArguments(): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    ...(isRoot ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
  ];
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A browser that can be started, and what its process needs in its environment. */
export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

export interface ChromiumSourceOptions {
  /** Where fetched programs are kept. */
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  /** Told what is being fetched, and why it did not work. */
  say(line: string): void;
}

/** One way to get a browser; null where it has none. */
export type ChromiumSource = (options: ChromiumSourceOptions) => Promise<Chromium | null>;

const VERSION_TIMEOUT_MS = 20_000;
const run = promisify(execFile);

/** Whether it starts here: a browser whose libraries are missing does not even say its version. */
export async function isUsable({ executablePath, env }: Chromium): Promise<boolean> {
  try {
    const options = { timeout: VERSION_TIMEOUT_MS, env: { ...process.env, ...env } };
    const { stdout } = await run(executablePath, ['--version'], options);
    return /chrom/i.test(stdout);
  } catch {
    return false;
  }
}

/** Chromium denies root a sandbox of its own, and a container's usually cannot be made. */
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

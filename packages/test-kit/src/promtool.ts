import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unpackDebianPackage } from '@tollgate/local-servers/debian-package';

const run = promisify(execFile);

export interface PromtoolOptions {
  /** Folder of downloaded programs. */
  cacheDir: string;
  /** Receives what is being downloaded, and why it failed. */
  say(line: string): void;
}

/**
 * Returns the promtool on `PATH`, or that of the distribution's package, unpacked into the cache. Null if there is neither. Needs no
 * root and installs nothing.
 */
export async function findPromtool({ cacheDir, say }: PromtoolOptions): Promise<string | null> {
  if (await isUsable('promtool')) return 'promtool';
  const cached = join(cacheDir, 'promtool', `${process.platform}-${process.arch}`, 'promtool');
  if (existsSync(cached) || (await unpack(cached, say))) return (await isUsable(cached)) ? cached : null;
  return null;
}

/** Moved into place atomically, so that an interrupted or concurrent download never leaves a partial program there. */
async function unpack(target: string, say: (line: string) => void): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true });
  const scratch = await mkdtemp(join(dirname(target), 'fetching-'));
  try {
    if (!(await unpackDebianPackage('prometheus', scratch, say))) return false;
    await rename(join(scratch, 'usr', 'bin', 'promtool'), target);
    return true;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function isUsable(promtool: string): Promise<boolean> {
  try {
    await run(promtool, ['--version']);
    return true;
  } catch {
    return false;
  }
}

import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { addToCache } from './server-cache.ts';
import type { SourceOptions } from './source.ts';

const PACKAGE = 'nats-server';
const STEP_TIMEOUT_MS = 120_000;

/**
 * Unpacks the package of Debian, Ubuntu and their relatives into the cache. Nothing is installed and root is not needed:
 * apt only downloads (and verifies the archive's signatures), dpkg-deb only unpacks.
 */
export async function fetchDistributionPackage({ cacheDir, say }: SourceOptions): Promise<string | null> {
  if ((await runProgram('apt-get', ['--version'])).exitCode !== 0) return null;
  if ((await runProgram('dpkg-deb', ['--version'])).exitCode !== 0) return null;
  say("Fetching the distribution's nats-server package (no root, nothing is installed)…");
  return addToCache(cacheDir, async (scratchDir) => {
    const deb = (await downloadPackage(scratchDir)) ?? (await downloadWithOwnLists(scratchDir, say));
    if (deb === null) return null;
    const unpacked = join(scratchDir, 'unpacked');
    const { exitCode, output } = await runProgram('dpkg-deb', ['-x', deb, unpacked]);
    if (exitCode === 0) return join(unpacked, 'usr', 'sbin', 'nats-server');
    say(`  not unpacked: ${output}`);
    return null;
  });
}

/** With the package lists that the machine has. */
async function downloadPackage(folder: string, options: string[] = []): Promise<string | null> {
  await runProgram('apt-get', [...aptOptions(), ...options, 'download', PACKAGE], {
    cwd: folder,
    timeoutMs: STEP_TIMEOUT_MS,
  });
  const deb = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  return deb === undefined ? null : join(folder, deb);
}

/** With lists of our own, for machines that have none (images are usually cleaned of them) or outdated ones. */
async function downloadWithOwnLists(folder: string, say: (line: string) => void): Promise<string | null> {
  const lists = join(folder, 'lists');
  const cache = join(folder, 'cache');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(cache, 'archives', 'partial'), { recursive: true });
  const ownFolders = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`];
  say('  reading the package lists first…');
  const update = await runProgram('apt-get', [...aptOptions(), ...ownFolders, 'update'], {
    timeoutMs: STEP_TIMEOUT_MS,
  });
  const deb = await downloadPackage(folder, ownFolders);
  if (deb === null)
    say(`  not fetched: ${update.exitCode === 0 ? 'there is no such package' : update.output}`);
  return deb;
}

function aptOptions(): string[] {
  const impatient = ['-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::Retries=1'];
  // As root, apt downloads as the user `_apt`, who may not be able to write into the cache.
  return process.getuid?.() === 0 ? [...impatient, '-o', 'APT::Sandbox::User=root'] : impatient;
}

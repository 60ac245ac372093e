import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const STEP_TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Unpacks a package of Debian, Ubuntu or one of their relatives into a folder. Nothing is installed and root is not needed:
 * apt only downloads (and verifies the archive's signatures), dpkg-deb only unpacks.
 * @param {string} name of the package
 * @param {string} folder where `usr/…` of the package goes; made if missing
 * @param {(line: string) => void} say told what is being done, and why it did not work
 * @returns {Promise<boolean>} whether it worked; false also where there is no apt
 */
export async function unpackDebianPackage(name, folder, say) {
  for (const program of ['apt-get', 'dpkg-deb']) {
    if ((await run(program, ['--version'])).exitCode !== 0) return false;
  }
  say(`Fetching the distribution's package ${name} (no root, nothing is installed)…`);
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(folder, 'downloading-'));
  try {
    const deb = (await download(name, scratch)) ?? (await downloadWithOwnLists(name, scratch, say));
    if (deb === null) return false;
    const { exitCode, output } = await run('dpkg-deb', ['-x', deb, folder]);
    if (exitCode !== 0) say(`  not unpacked: ${output}`);
    return exitCode === 0;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** With the package lists that the machine has. */
async function download(name, folder, options = []) {
  await run('apt-get', [...aptOptions(), ...options, 'download', name], folder);
  const deb = (await readdir(folder)).find((file) => file.endsWith('.deb'));
  return deb === undefined ? null : join(folder, deb);
}

/** With lists of our own, for machines that have none (images are usually cleaned of them) or outdated ones. */
async function downloadWithOwnLists(name, folder, say) {
  const lists = join(folder, 'lists');
  const cache = join(folder, 'cache');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(cache, 'archives', 'partial'), { recursive: true });
  const ownFolders = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`];
  say('  reading the package lists first…');
  const update = await run('apt-get', [...aptOptions(), ...ownFolders, 'update'], folder);
  const deb = await download(name, folder, ownFolders);
  // apt reports an unreachable mirror as a warning only, with exit code 0.
  if (deb === null)
    say(
      `  not fetched: the mirror could not be reached or has no package ${name}. ${update.output}`.trimEnd(),
    );
  return deb;
}

function aptOptions() {
  const impatient = ['-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::Retries=1'];
  // As root, apt downloads as the user `_apt`, who may not be able to write into our folder.
  return process.getuid?.() === 0 ? [...impatient, '-o', 'APT::Sandbox::User=root'] : impatient;
}

/** @returns {Promise<{ exitCode: number, output: string }>} -1 for a program that is missing or hangs; its last line */
function run(command, args, cwd) {
  return new Promise((resolve) => {
    const options = { cwd, timeout: STEP_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(command, args, options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      const lines = (stderr.trim() || stdout.trim()).split('\n');
      resolve({ exitCode, output: lines.at(-1) ?? '' });
    });
  });
}

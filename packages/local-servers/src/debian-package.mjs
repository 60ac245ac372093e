import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A browser with its libraries is 200 MB. */
const STEP_TIMEOUT_MS = 300_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Unpacks a package of Debian, Ubuntu, or a derivative into a folder. Does not install anything or need root: apt only
 * downloads (and verifies the archive's signatures), and dpkg-deb only unpacks.
 * @param {string} name of the package
 * @param {string} folder where `usr/…` of the package goes; created if missing
 * @param {(line: string) => void} say receives progress and the reason for a failure
 * @param {{ withDependencies?: boolean }} [options] also unpacks missing dependencies
 * @returns {Promise<boolean>} whether it succeeded; false without apt
 */
export async function unpackDebianPackage(name, folder, say, { withDependencies = false } = {}) {
  for (const program of ['apt-get', 'dpkg-deb']) {
    if ((await run(program, ['--version'])).exitCode !== 0) return false;
  }
  say(`Downloading the package ${name} of the distribution (requires no root access, installs nothing)…`);
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(folder, 'downloading-'));
  try {
    const debs =
      (await download(name, scratch, withDependencies)) ??
      (await downloadWithOwnLists(name, scratch, withDependencies, say));
    if (debs === null) return false;
    for (const deb of debs) {
      const { exitCode, output } = await run('dpkg-deb', ['-x', deb, folder]);
      if (exitCode !== 0) {
        say(`  not unpacked: ${lastLine(output)}`);
        return false;
      }
    }
    return true;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Downloads with the machine's package lists.
 * @returns {Promise<string[] | null>} paths of the package files
 */
async function download(name, folder, withDependencies, options = []) {
  const names = withDependencies ? await listMissing(name, join(folder, 'no-archives'), options) : [name];
  if (names === null) return null;
  await run('apt-get', [...aptOptions(), ...options, 'download', ...names], folder);
  const debs = (await readdir(folder)).filter((file) => file.endsWith('.deb'));
  return debs.length < names.length ? null : debs.map((file) => join(folder, file));
}

/**
 * Lists the package, and those of its dependencies that are not installed. apt only prints what it would download: that is less if
 * the package is installed, or if an earlier installation left files in the archives.
 * @returns {Promise<string[] | null>}
 */
async function listMissing(name, noArchives, options) {
  await mkdir(join(noArchives, 'partial'), { recursive: true });
  const question = [
    'install',
    '--yes',
    '--no-install-recommends',
    '--reinstall',
    '--print-uris',
    '-o',
    'Debug::NoLocking=1',
    '-o',
    `Dir::Cache::archives=${noArchives}`,
    name,
  ];
  const { exitCode, output } = await run('apt-get', [...aptOptions(), ...options, ...question]);
  if (exitCode !== 0) return null;
  // Line format: 'http://…/pool/…/name_version_architecture.deb' name_version_architecture.deb 12345 SHA256:…
  const names = output.split('\n').flatMap((line) => /^'\S+' ([^_\s]+)_\S+\.deb /.exec(line)?.[1] ?? []);
  return names.length === 0 ? null : names;
}

/**
 * Downloads with separate package lists, for machines without lists (images usually remove them) or with outdated ones.
 */
async function downloadWithOwnLists(name, folder, withDependencies, say) {
  const lists = join(folder, 'lists');
  const cache = join(folder, 'cache');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(cache, 'archives', 'partial'), { recursive: true });
  const ownFolders = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`];
  say('  reading the package lists first…');
  const update = await run('apt-get', [...aptOptions(), ...ownFolders, 'update'], folder);
  const debs = await download(name, folder, withDependencies, ownFolders);
  if (debs === null) {
    // apt reports an unreachable mirror as a warning only, with exit code 0.
    const reason = lastLine(update.output);
    say(`  not fetched: the mirror could not be reached or has no package ${name}. ${reason}`.trimEnd());
  }
  return debs;
}

function aptOptions() {
  const impatient = ['-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::Retries=1'];
  // As root, apt downloads as the user `_apt`, who may not have write access to the folder.
  return process.getuid?.() === 0 ? [...impatient, '-o', 'APT::Sandbox::User=root'] : impatient;
}

/**
 * @returns {Promise<{ exitCode: number, output: string }>} -1 if the program is missing or hangs; output is its errors,
 * or its results if there are none
 */
function run(command, args, cwd) {
  return new Promise((resolve) => {
    const options = { cwd, timeout: STEP_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(command, args, options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({
        exitCode,
        output: exitCode === 0 ? stdout.trim() || stderr.trim() : stderr.trim() || stdout.trim(),
      });
    });
  });
}

function lastLine(text) {
  return text.split('\n').at(-1) ?? '';
}

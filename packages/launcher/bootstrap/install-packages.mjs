import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { waitForExit } from './child-process.mjs';
import { withInstallLock } from './install-lock.mjs';
import { SetupFailure } from './setup-failure.mjs';

const PROGRESS_INTERVAL_MS = 15_000;
const SHOWN_NPM_LINES = 15;
/** npm's own waits add up to more than a minute before it says that there is no network. */
const RETRIES = ['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];

/**
 * Makes node_modules what package-lock.json says, unless it already is.
 * @param {string} root the checkout
 */
export async function installPackages(root) {
  if (packagesAreInstalled(root)) return;
  refuseReadOnlyCheckout(root);
  await withInstallLock(join(root, '.cache'), async () => {
    // Another start may have installed while this one waited for the lock.
    if (packagesAreInstalled(root)) return;
    await runNpmCi(root);
  });
}

/**
 * npm writes node_modules/.package-lock.json as the last step of an install, and `npm ci` removes it as its first:
 * where it agrees with package-lock.json, an install of exactly these packages has finished.
 * @param {string} root
 */
export function packagesAreInstalled(root) {
  const wanted = readLockfile(join(root, 'package-lock.json'));
  const installed = readLockfile(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true; // the root and the workspaces themselves
    const present = installed[path];
    // Packages for other platforms are listed but left out.
    if (present === undefined) return entry.optional === true;
    // A workspace's link is also gone when its folder was moved; a package of another platform when node_modules was copied here.
    return (
      present.version === entry.version &&
      present.integrity === entry.integrity &&
      existsSync(join(root, path))
    );
  });
}

/** @returns {Record<string, any> | null} its `packages`, or null when there is none that can be read */
function readLockfile(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

function refuseReadOnlyCheckout(root) {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new SetupFailure(`Packages cannot be installed: ${root} is not writable for you.`, [
      'Clone the repository into a folder of your own, or give yourself write access to this one.',
    ]);
  }
}

async function runNpmCi(root) {
  const startedAt = Date.now();
  const say = (text) => process.stdout.write(`${text}\n`);
  say('Installing packages (first run, about a minute)…');

  const npm = npmCommand(root);
  const child = spawn(
    npm.command,
    // Whatever NODE_ENV or `omit` say elsewhere: the tests need dev dependencies, and turbo and biome ship as optional ones.
    [
      ...npm.args,
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--no-progress',
      ...RETRIES,
    ],
    { cwd: root, env: { ...process.env, PATH: npm.path }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const elapsedS = () => Math.round((Date.now() - startedAt) / 1000);
  const progress = setInterval(() => say(`  still installing (${elapsedS()} s)…`), PROGRESS_INTERVAL_MS);
  try {
    const exitCode = await waitForExit(child);
    if (exitCode !== 0) throw installFailure(root, exitCode, complaints);
  } catch (error) {
    if (error?.code === 'ENOENT') {
      throw new SetupFailure('npm was not found.', [
        'Install Node with npm from https://nodejs.org, then run the command again.',
      ]);
    }
    throw error;
  } finally {
    clearInterval(progress);
  }
  say(`Packages installed in ${elapsedS()} s.`);
}

/**
 * The npm that runs this script, else the one on PATH. Never through node_modules/.bin/node: `npm ci` deletes that first,
 * and with it the program it would be running on.
 */
function npmCommand(root) {
  const inside = join(root, 'node_modules') + sep;
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !`${folder}${sep}`.startsWith(inside));
  const path = folders.join(delimiter);
  const running = process.env.npm_execpath;
  if (running?.endsWith('npm-cli.js') && existsSync(running)) {
    const node = folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file));
    return { command: node ?? process.execPath, args: [running], path };
  }
  return { command: 'npm', args: [], path };
}

/** npm's exit code says nothing; its error code, a line of its output, does. */
const CAUSES = [
  {
    pattern: /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/,
    what: 'Packages were not installed: the npm registry could not be reached.',
    remedy:
      'Check the network, and `npm config get registry` and `npm config get https-proxy`, then run the command again.',
  },
  {
    pattern: /\b(EUSAGE)\b/,
    what: 'Packages were not installed: package-lock.json does not match the package.json files.',
    remedy: 'Run `npm install`, and commit the package-lock.json it writes.',
  },
  {
    pattern: /\b(EACCES|EPERM|EROFS)\b/,
    what: 'Packages were not installed: a file or folder is not writable for you.',
    remedy:
      'Look at the path above: it may belong to another user, for example after an earlier run as root.',
  },
  {
    pattern: /\bENOSPC\b/,
    what: 'Packages were not installed: the disk is full.',
    remedy: 'Packages take about 600 MB. Free some space, then run the command again.',
  },
];

function installFailure(root, exitCode, complaints) {
  const lines = complaints.split('\n').filter((line) => line.startsWith('npm error'));
  process.stderr.write(`${lines.slice(0, SHOWN_NPM_LINES).join('\n')}\n`);
  if (exitCode > 128) {
    return new SetupFailure('The installation of packages was interrupted.', [
      'Run the command again to begin it anew.',
    ]);
  }
  const cause = CAUSES.find(({ pattern }) => pattern.test(complaints));
  if (cause) return new SetupFailure(cause.what, [cause.remedy]);
  return new SetupFailure(`Packages were not installed: \`npm ci\` ended with code ${exitCode}.`, [
    `Run \`npm ci\` in ${root} to see all that it says.`,
  ]);
}

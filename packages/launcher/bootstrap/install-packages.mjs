import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withInstallLock } from './install-lock.mjs';
import { NODE_PACKAGE } from './node-runtime.mjs';
import { runNpm } from './npm-run.mjs';
import { SetupFailure } from './setup-failure.mjs';

/**
 * Installs the packages of package-lock.json that a command needs, unless they are installed already.
 * @param {string} root folder of the checkout
 * @param {{ dev: boolean }} needs whether the command needs the development dependencies
 */
export async function installPackages(root, { dev }) {
  if (packagesAreInstalled(root, { dev })) return;
  requireWritableCheckout(root);
  await withInstallLock(join(root, '.cache'), async () => {
    // Another process may have installed while this one waited for the lock.
    if (!packagesAreInstalled(root, { dev })) await install(root, { dev });
  });
}

async function install(root, { dev }) {
  const record = recordOf(root);
  const installed = readLockfile(record);
  // Without this record, an install that is interrupted counts as none.
  rmSync(record, { force: true });
  process.stdout.write('Installing packages (up to a minute)…\n');
  const seconds = await runNpm(root, [
    // `npm ci` removes all packages first, also those that a running platform has yet to import.
    ...(installed === null ? ['ci'] : ['install', '--no-save']),
    // No install script is needed; npm before 12 would run all of them.
    '--ignore-scripts',
    // Regardless of NODE_ENV and `omit`. A start omits no development dependencies that are there: npm would remove them.
    dev || Object.values(installed ?? {}).some((entry) => entry.dev) ? '--include=dev' : '--omit=dev',
    // Node, turbo, and biome are optional dependencies, one for each platform.
    '--include=optional',
  ]);
  process.stdout.write(`Packages installed in ${seconds} s.\n`);
}

/**
 * npm writes node_modules/.package-lock.json as the last step of an install, and `npm ci` removes it as the first: if
 * it matches package-lock.json, an install of exactly these packages has completed.
 * @param {string} root folder of the checkout
 * @param {{ dev: boolean }} needs whether development dependencies count
 */
export function packagesAreInstalled(root, { dev }) {
  const wanted = readLockfile(join(root, 'package-lock.json'));
  const installed = readLockfile(recordOf(root));
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true; // the root and the workspaces themselves
    if (entry.dev && !dev) return true;
    const present = installed[path];
    // Packages for other platforms are listed but not installed. npm also omits an optional one that it fails to download.
    if (present === undefined) return entry.optional === true && path !== `node_modules/${NODE_PACKAGE}`;
    // A workspace's link is also missing after its folder was moved, and a package of this platform after node_modules
    // was copied from another one.
    return (
      present.version === entry.version &&
      present.integrity === entry.integrity &&
      existsSync(join(root, path))
    );
  });
}

function recordOf(root) {
  return join(root, 'node_modules', '.package-lock.json');
}

/** @returns {Record<string, any> | null} its `packages`, or null if it is missing or unreadable */
function readLockfile(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

function requireWritableCheckout(root) {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new SetupFailure(`Packages cannot be installed: you do not have write access to ${root}.`, [
      'Clone the repository into your own folder, or get write access to this one.',
    ]);
  }
}

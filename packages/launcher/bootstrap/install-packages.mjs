import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withInstallLock } from './install-lock.mjs';
import { runNpm } from './npm-run.mjs';
import { SetupFailure } from './setup-failure.mjs';

/**
 * Installs the packages of package-lock.json unless they are installed already.
 * @param {string} root folder of the checkout
 */
export async function installPackages(root) {
  if (packagesAreInstalled(root) && nodeIsInstalled(root)) return;
  requireWritableCheckout(root);
  await withInstallLock(join(root, '.cache'), async () => {
    // Another process may have installed while this one waited for the lock.
    if (!packagesAreInstalled(root)) await install(root);
    if (!nodeIsInstalled(root)) await installNode(root);
  });
}

async function install(root) {
  process.stdout.write('Installing packages (first run, about a minute)…\n');
  // Only the install script of `node` is needed, and it runs below; npm before 12 would run all of them. Dev and
  // optional packages are included regardless of NODE_ENV and `omit`: the tests need the former, and turbo and biome
  // are among the latter.
  const seconds = await runNpm(root, ['ci', '--ignore-scripts', '--include=dev', '--include=optional']);
  process.stdout.write(`Packages installed in ${seconds} s.\n`);
}

/** The install script of the package `node` downloads the executable for this platform. */
async function installNode(root) {
  process.stdout.write('Fetching Node 26…\n');
  await runNpm(root, ['rebuild', 'node']);
}

function nodeIsInstalled(root) {
  return existsSync(join(root, 'node_modules', '.bin', 'node'));
}

/**
 * npm writes node_modules/.package-lock.json as the last step of an install, and `npm ci` removes it as the first: if
 * it matches package-lock.json, an install of exactly these packages has completed.
 * @param {string} root folder of the checkout
 */
export function packagesAreInstalled(root) {
  const wanted = readLockfile(join(root, 'package-lock.json'));
  const installed = readLockfile(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true; // the root and the workspaces themselves
    const present = installed[path];
    // Packages for other platforms are listed but not installed.
    if (present === undefined) return entry.optional === true;
    // A workspace's link is also missing after its folder was moved, and a package of this platform after node_modules
    // was copied from another one.
    return (
      present.version === entry.version &&
      present.integrity === entry.integrity &&
      existsSync(join(root, path))
    );
  });
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

import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackDebianPackage } from '../../local-servers/src/debian-package.mjs';

/**
 * Node 26 needs it, and slim images of Debian and Ubuntu come without: fetched into the cache, where only the processes of
 * this checkout see it.
 */
const LIBRARY = 'libatomic.so.1';
const PACKAGE = 'libatomic1';

/** @returns {boolean} whether this is what keeps a program from running */
export function isMissingLibrary(complaint) {
  return complaint.includes(LIBRARY);
}

/**
 * @param {string} root the checkout
 * @returns {Promise<string | null>} a folder for LD_LIBRARY_PATH, or null when it cannot be had
 */
export async function provideMissingLibrary(root) {
  const folder = join(root, '.cache', 'lib', `${process.platform}-${process.arch}`);
  const target = join(folder, LIBRARY);
  if (existsSync(target)) return folder;

  const say = (line) => process.stdout.write(`${line}\n`);
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(folder, 'fetching-'));
  try {
    if (!(await unpackDebianPackage(PACKAGE, scratch, say))) return null;
    const files = await readdir(scratch, { recursive: true });
    const found = files.find((file) => file.endsWith(`/${LIBRARY}`));
    if (found === undefined) return null;
    // The file in the package is a link to the one with the full version.
    await copyFile(join(scratch, found), join(scratch, 'library'));
    await rename(join(scratch, 'library'), target);
    return folder;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

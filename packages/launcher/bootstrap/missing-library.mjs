import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackDebianPackage } from '../../local-servers/src/debian-package.mjs';

/**
 * Node 26 needs this library, and slim images of Debian and Ubuntu lack it. It is fetched into the cache, where only
 * the processes of this checkout see it.
 */
const LIBRARY = 'libatomic.so.1';
const PACKAGE = 'libatomic1';

/** @returns {boolean} whether this library is why a program does not run */
export function isMissingLibrary(complaint) {
  return complaint.includes(LIBRARY);
}

/**
 * @param {string} root folder of the checkout
 * @returns {Promise<string | null>} a folder for LD_LIBRARY_PATH, or null if the library is unavailable
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
    // The file in the package is a symbolic link to the full version.
    await copyFile(join(scratch, found), join(scratch, 'library'));
    await rename(join(scratch, 'library'), target);
    return folder;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Folders that are not sources: installed packages, build output, and tests. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.cache', '.svelte-kit', 'test']);

/**
 * Hashes everything that a build reads, so that the next one can tell whether it would be the same.
 * @param paths files and folders of the checkout
 */
export async function hashSources(checkoutDir: string, paths: readonly string[]): Promise<string> {
  const files = (await Promise.all(paths.map((path) => filesOf(join(checkoutDir, path))))).flat();
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const content = await readFile(file);
    // The lengths mark where each file ends.
    hash.update(`${relative(checkoutDir, file).replaceAll(sep, '/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (entries === null) return [path];
  const inner = entries
    .filter((entry) => !LEFT_OUT.has(entry.name) && (entry.isDirectory() || entry.isFile()))
    .map((entry) => filesOf(join(path, entry.name)));
  return (await Promise.all(inner)).flat();
}

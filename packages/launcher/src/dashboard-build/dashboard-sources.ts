import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Everything that the dashboard is built from. */
const SOURCES = ['dashboard', 'packages/contracts/src', 'package-lock.json', 'tsconfig.base.json'];
/** Folders that are no source: what was installed or built, and tests. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.svelte-kit', 'test']);

/** One hash of all sources of the dashboard in a checkout: the same sources have the same one. */
export async function hashDashboardSources(checkoutDir: string): Promise<string> {
  const files = (await Promise.all(SOURCES.map((path) => filesOf(join(checkoutDir, path))))).flat();
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const content = await readFile(file);
    // The lengths keep one file's end from passing as the next one's beginning.
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

import { readFile, rename, writeFile } from 'node:fs/promises';

/** Writes JSON that only the owner may read, atomically: a crash leaves either the old file or the new one. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  await writeFile(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(unfinished, path);
}

/** @returns the content of the file, or null if it does not exist */
export async function readPrivateJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return JSON.parse(text);
}

import { open } from 'node:fs/promises';

/** Returns when the content of the file or folder is on disk. */
export async function flushToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

import { chmod, copyFile } from 'node:fs/promises';

/** Only the owner can read the copy, whatever the mode of the original. */
export async function copyPrivately(path: string, to: string): Promise<void> {
  await copyFile(path, to);
  await chmod(to, 0o600);
}

import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of all files in a folder. A file that is removed meanwhile has none. */
export function folderSize(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map(sizeOf).reduce((total, size) => total + size, 0);
}

function sizeOf({ parentPath, name }: Dirent): number {
  return statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0;
}

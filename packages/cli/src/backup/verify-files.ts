import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MANIFEST_FILE } from '../manifest-file.ts';
import type { BackupFile, BackupManifest } from './manifest.ts';

/** Returns every difference between a backup and its manifest. */
export async function verifyFiles(folder: string, manifest: BackupManifest): Promise<string[]> {
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  const found = new Set(await listFiles(folder));
  const problems = [...listed.keys()].filter((path) => !found.has(path)).map((path) => `${path} is missing.`);
  for (const path of found) {
    const expected = listed.get(path);
    if (path === MANIFEST_FILE) continue;
    if (expected === undefined) problems.push(`${path} is not part of the backup.`);
    else if ((await describeFile(folder, path)).sha256 !== expected.sha256)
      problems.push(`${path} was changed, or is incomplete.`);
  }
  return problems;
}

/** Every file of a backup, by path. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** One after another: a backup can have more files than a process can open. */
export async function describeFiles(folder: string, paths: readonly string[]): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const path of paths) files.push(await describeFile(folder, path));
  return files;
}

export async function describeFile(folder: string, path: string): Promise<BackupFile> {
  const absolute = join(folder, path);
  const hash = createHash('sha256');
  await pipeline(createReadStream(absolute), hash);
  return { path, bytes: (await stat(absolute)).size, sha256: hash.digest('hex') };
}

import { access, copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataPaths } from '@tollgate/launcher/data-dir';
import type { Clock } from '@tollgate/runtime/clock';
import { MongoClient } from 'mongodb';
import { copyPrivately } from '../backup/copy-privately.ts';
import { type BackupManifest, DATA_FILE, readManifest, USAGE_FOLDER } from '../backup/manifest.ts';
import { describeFile, verifyFiles } from '../backup/verify-files.ts';
import { UsageError } from '../command.ts';
import { loadEmbeddedServer } from '../load-platform.ts';
import { addWindows } from './add-windows.ts';
import { declareRestore } from './declare-restore.ts';
import { whileStopped } from './while-stopped.ts';

export interface RestoredFolder {
  takenAt: string;
  /** Folder with the data from before; null if there was none. */
  setAside: string | null;
  sessions: number;
  /** Windows of usage that were added. */
  windows: number;
  /** Notes about the secrets. */
  secrets: string[];
}

/** Restores a stopped installation. Nothing changes before the backup is verified, and nothing is deleted. */
export async function restoreDataFolder(deps: {
  from: string;
  paths: DataPaths;
  clock: Clock;
}): Promise<RestoredFolder> {
  const { from, paths, clock } = deps;
  const manifest = await readManifest(from);
  const problems = await verifyFiles(from, manifest);
  if (problems.length > 0)
    throw new UsageError(
      `The backup ${from} was changed or is incomplete. Nothing was restored.\n${problems.join('\n')}`,
    );
  return whileStopped(paths, async () => {
    const secrets = await restoreSecrets(from, manifest, paths);
    const time = new Date(clock.now()).toISOString().replaceAll(':', '');
    const restored = `${paths.mongodbDir}.restored-${time}`;
    await mkdir(restored, { mode: 0o700 });
    const { sessions } = await fill(restored, from, clock);
    const windows = await addWindows(join(from, USAGE_FOLDER), paths.usageSpoolDir);
    const setAside = await replaceFolder(paths.mongodbDir, restored, `${paths.mongodbDir}.before-${time}`);
    return { takenAt: manifest.taken_at, setAside, sessions, windows, secrets };
  });
}

/** Copies the data, and declares the restore in the copy, so that no server starts restored data without a declaration. */
async function fill(folder: string, from: string, clock: Clock) {
  const path = join(folder, DATA_FILE);
  try {
    await copyFile(join(from, DATA_FILE), path);
    const { start } = await loadEmbeddedServer();
    const server = await start({ path });
    const client = new MongoClient(server.url);
    try {
      return await declareRestore(client, clock);
    } finally {
      await client.close();
      await server.stop();
    }
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
}

/** Resolves to the folder with the content from before, or null. */
async function replaceFolder(path: string, replacement: string, aside: string): Promise<string | null> {
  const existed = await exists(path);
  if (existed) await rename(path, aside);
  await rename(replacement, path);
  return existed ? aside : null;
}

/** Keeps the secrets in the data folder: they may be newer, and also contain the earlier keys. */
async function restoreSecrets(from: string, manifest: BackupManifest, paths: DataPaths): Promise<string[]> {
  const { included, files } = manifest.secrets;
  const notes: string[] = [];
  const missing: string[] = [];
  for (const { path, sha256 } of files) {
    if (!(await exists(join(paths.dataDir, path)))) missing.push(path);
    else if ((await describeFile(paths.dataDir, path)).sha256 !== sha256)
      notes.push(`${path} has changed since the backup. The current file was kept.`);
  }
  if (missing.length > 0 && !included) {
    throw new UsageError(
      `${paths.dataDir} lacks ${missing.join(' and ')}, and the backup has no secrets. Copy the files from the place where you keep them to this folder, then repeat the command. Nothing was changed.`,
    );
  }
  for (const path of missing) await copyPrivately(join(from, path), join(paths.dataDir, path));
  return notes;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

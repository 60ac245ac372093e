import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DataPaths } from '@tollgate/launcher/data-dir';
import type { Clock } from '@tollgate/runtime/clock';
import { VERSION } from '@tollgate/runtime/metrics';
import { UsageError } from '../command.ts';
import { loadEmbeddedServer } from '../load-platform.ts';
import { MANIFEST_FILE } from '../manifest-file.ts';
import { copyPrivately } from './copy-privately.ts';
import { copyUsage, hasEveryWindow, listWindows } from './copy-usage.ts';
import { flushToDisk } from './flush-to-disk.ts';
import { type BackupManifest, createManifest, DATA_FILE, USAGE_FOLDER } from './manifest.ts';
import { writeNewFolder } from './new-folder.ts';
import { requireDataFile } from './require-data-file.ts';
import { describeFiles, listFiles } from './verify-files.ts';

/** Each gateway removes one window per second, and a copy takes milliseconds. */
const MAX_ATTEMPTS = 20;

export interface TakeBackup {
  paths: DataPaths;
  /** The folder to create. */
  to: string;
  /** Whether the secrets of the installation become part of the backup. */
  withSecrets: boolean;
  maxBytesPerSecond: number;
  clock: Clock;
  signal: AbortSignal;
}

/** Backs up an installation while it runs. The backup is one point in time of all databases. */
export function takeBackup(options: TakeBackup): Promise<BackupManifest> {
  return writeNewFolder(options.to, (unfinished) => fill(unfinished, options));
}

async function fill(folder: string, options: TakeBackup): Promise<BackupManifest> {
  const { paths, withSecrets, clock, signal, maxBytesPerSecond } = options;
  await requireDataFile(paths, 'back that server up with the tools of MongoDB');
  const secrets = await secretsOf(paths);
  const { takenAt, snapshot } = await takeSnapshot(folder, paths, clock);
  const dataFile = join(folder, DATA_FILE);
  try {
    // SQLite keeps the mode of a file that exists.
    await writeFile(dataFile, '', { mode: 0o600, flag: 'wx' });
    await snapshot.copyTo(dataFile, { maxBytesPerSecond, signal });
  } finally {
    snapshot.close();
  }
  const databases = await countDocuments(dataFile);
  if (withSecrets) for (const path of secrets) await copyPrivately(path, join(folder, basename(path)));
  const manifest = createManifest({
    tollgate_version: VERSION,
    taken_at: new Date(takenAt).toISOString(),
    databases,
    files: await describeFiles(folder, await listFiles(folder)),
    secrets: {
      included: withSecrets,
      // Hashes the copies, if there are any: the secrets may be rotated in the meantime.
      files: (
        await describeFiles(
          withSecrets ? folder : paths.dataDir,
          secrets.map((path) => basename(path)),
        )
      ).map(({ path, sha256 }) => ({ path, sha256 })),
    },
  });
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await flushAll(folder);
  return manifest;
}

/**
 * Takes the snapshot of the data, and a copy of the usage that it may lack. The copy follows within milliseconds and before the long
 * copy of the data, so that it has little of what happens after the snapshot.
 */
async function takeSnapshot(folder: string, { mongodbDir, usageSpoolDir }: DataPaths, clock: Clock) {
  const { openDataSnapshot } = await loadEmbeddedServer();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await listWindows(usageSpoolDir);
    // Before the snapshot: what was acknowledged by then is in it.
    const takenAt = clock.now();
    const snapshot = openDataSnapshot(join(mongodbDir, DATA_FILE));
    const target = join(folder, USAGE_FOLDER);
    try {
      await mkdir(target, { mode: 0o700 });
      const copied = await copyUsage(usageSpoolDir, target);
      if (hasEveryWindow(copied, before)) return { takenAt, snapshot };
    } catch (error) {
      snapshot.close();
      throw error;
    }
    snapshot.close();
    await rm(target, { recursive: true });
  }
  throw new UsageError(
    `The usage in ${usageSpoolDir} changed during each of ${MAX_ATTEMPTS} attempts to copy it. Run the command again when the disk is less busy.`,
  );
}

/** The secrets that decrypt the data, and the file by which `npm start` finds its application. */
async function secretsOf({ secrets, firstRun }: DataPaths): Promise<string[]> {
  const present = await Promise.all([secrets, firstRun].map(exists));
  return [secrets, firstRun].filter((_, index) => present[index]);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** @throws if a document or the structure of the copy is corrupted, which is then also so in the original */
async function countDocuments(dataFile: string): Promise<BackupManifest['databases']> {
  const { examineCopy } = await loadEmbeddedServer();
  const counts: BackupManifest['databases'] = {};
  for (const { database, collection, documents } of examineCopy(dataFile)) {
    counts[database] ??= {};
    counts[database][collection] = documents;
  }
  return counts;
}

async function flushAll(folder: string): Promise<void> {
  const files = await listFiles(folder);
  for (const path of files) await flushToDisk(join(folder, path));
  const folders = new Set(files.map((path) => join(folder, path, '..')));
  for (const path of folders) await flushToDisk(path);
}

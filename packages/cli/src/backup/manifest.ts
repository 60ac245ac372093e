import { Time } from '@tollgate/contracts/time';
import Type, { type Static } from 'typebox';
import { readManifestFile } from '../manifest-file.ts';

/** Raised when a reader of the earlier version would restore less than the backup has. */
const FORMAT_VERSION = 1;

/** The data file of the embedded MongoDB. A server can open it directly, and a read-only disk is enough to read it. */
export const DATA_FILE = 'data.db';
/** The folder with the usage that the gateways had not stored yet: instance folders, as in the data folder. */
export const USAGE_FOLDER = 'gateway-usage';

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

const BackupFile = Type.Object({
  /** Relative to the backup, with slashes. */
  path: Type.String({ minLength: 1 }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
});
export type BackupFile = Static<typeof BackupFile>;

/** `manifest.json` of a backup. Written last, and lists every other file. */
const BackupManifest = Type.Object({
  format: Type.Literal('tollgate-backup'),
  format_version: Type.Integer({ minimum: 1 }),
  tollgate_version: Type.String(),
  /** The point in time of the data, by the clock of the machine. Everything that was acknowledged before is in the backup. */
  taken_at: Time,
  /** The number of documents by database and collection. */
  databases: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer({ minimum: 0 }))),
  files: Type.Array(BackupFile),
  /**
   * The files with the secrets of the installation, named as in its data folder, as they were when the backup was taken. They are
   * part of the backup, and of `files`, only if `included`.
   */
  secrets: Type.Object({
    included: Type.Boolean(),
    files: Type.Array(Type.Object({ path: Type.String({ minLength: 1 }), sha256: Sha256 })),
  }),
});
export type BackupManifest = Static<typeof BackupManifest>;

export function createManifest(content: Omit<BackupManifest, 'format' | 'format_version'>): BackupManifest {
  return { format: 'tollgate-backup', format_version: FORMAT_VERSION, ...content };
}

/** Reads the manifest of a backup. `verifyFiles` compares the files with it. @throws UsageError */
export function readManifest(folder: string): Promise<BackupManifest> {
  return readManifestFile(folder, {
    what: 'a backup',
    schema: BackupManifest,
    formatVersion: FORMAT_VERSION,
  });
}

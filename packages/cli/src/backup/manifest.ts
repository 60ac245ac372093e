import { Time } from '@tollgate/contracts/platform/schema';
import Type, { type Static } from 'typebox';
import { UsageError } from '../command.ts';
import { readManifestFile } from '../manifest-file.ts';

/** Raised when a reader of the earlier version would restore less than the backup has. */
const FORMAT_VERSION = 1;

/** The data file of the embedded MongoDB. A server can open it directly, and a read-only disk is enough to read it. */
export const DATA_FILE = 'data.db';
/** The folder with the usage that the gateways had not stored yet: instance folders, as in the data folder. */
export const USAGE_FOLDER = 'gateway-usage';

/** The files of the data folder that have the secrets. */
const SECRET_FILES = ['secrets.json', 'first-run.json'];

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
export async function readManifest(folder: string): Promise<BackupManifest> {
  const manifest = await readManifestFile(folder, {
    what: 'a backup',
    schema: BackupManifest,
    formatVersion: FORMAT_VERSION,
  });
  const problem = findProblem(manifest);
  if (problem !== null)
    throw new UsageError(
      `The manifest of ${folder} is not as Tollgate writes it: ${problem}. Use another backup.`,
    );
  return manifest;
}

/** A restore writes what the manifest names, so it must name nothing else than a backup has. */
function findProblem({ files, secrets }: BackupManifest): string | null {
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  if (!hashes.has(DATA_FILE)) return `it does not list ${DATA_FILE}`;
  for (const { path, sha256 } of secrets.files) {
    if (!SECRET_FILES.includes(path)) return `${path} is not a file with secrets`;
    if (secrets.included && hashes.get(path) !== sha256)
      return `${path} is not one of its files, or has another hash there`;
  }
  return null;
}

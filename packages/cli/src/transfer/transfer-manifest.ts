import { DATABASES } from '@tollgate/contracts/platform/databases';
import { Time } from '@tollgate/contracts/platform/schema';
import { EJSON } from 'bson';
import type { IndexDescriptionInfo } from 'mongodb';
import Type, { type Static } from 'typebox';
import { UsageError } from '../command.ts';
import { readManifestFile } from '../manifest-file.ts';

/** Raised when an import of the earlier version would leave something out. */
const FORMAT_VERSION = 1;

const ExportedCollection = Type.Object({
  database: Type.String(),
  collection: Type.String(),
  /** The documents in the order of their ids, as BSON: what mongodump writes, without compression. */
  file: Type.String(),
  documents: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  /** Hash of `file`. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Every index but that of the ids, in canonical extended JSON. */
  indexes: Type.Array(Type.Unsafe<object>(Type.Object({}))),
});
export type ExportedCollection = Static<typeof ExportedCollection>;

/** `manifest.json` of an export. */
const ExportManifest = Type.Object({
  format: Type.Literal('tollgate-export'),
  format_version: Type.Integer({ minimum: 1 }),
  tollgate_version: Type.String(),
  exported_at: Time,
  collections: Type.Array(ExportedCollection),
});
export type ExportManifest = Static<typeof ExportManifest>;

export function createManifest(content: Omit<ExportManifest, 'format' | 'format_version'>): ExportManifest {
  return { format: 'tollgate-export', format_version: FORMAT_VERSION, ...content };
}

/** @throws UsageError */
export async function readManifest(folder: string): Promise<ExportManifest> {
  const manifest = await readManifestFile(folder, {
    what: 'an export',
    schema: ExportManifest,
    formatVersion: FORMAT_VERSION,
  });
  const foreign = manifest.collections.find(({ database, file, collection }) => {
    return !isDatabase(database) || collection.includes('/') || file !== fileOf(database, collection);
  });
  if (foreign)
    throw new UsageError(`The manifest of ${folder} names ${foreign.file}, which no export of Tollgate has.`);
  return manifest;
}

export function fileOf(database: string, collection: string): string {
  return `${database}/${collection}.bson`;
}

export function namespaceOf({
  database,
  collection,
}: Pick<ExportedCollection, 'database' | 'collection'>): string {
  return `${database}.${collection}`;
}

function isDatabase(name: string): boolean {
  return Object.values(DATABASES).some((database) => database === name);
}

/** Without the version and the namespace, which a server chooses. */
export function writeIndex({ v: _version, ns: _namespace, ...index }: IndexDescriptionInfo): object {
  return EJSON.serialize(index, { relaxed: false });
}

export function readIndex(stored: object): IndexDescriptionInfo {
  return EJSON.deserialize(stored, { relaxed: false }) as IndexDescriptionInfo;
}

/** Whether the server removes documents by this index. */
export function expires(index: object): boolean {
  return Object.hasOwn(index, 'expireAfterSeconds');
}

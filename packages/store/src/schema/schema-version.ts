import type { Connection } from 'mongoose';
import { isDuplicateKey } from '../duplicate-key.ts';
import type { DatabaseSchema } from './database-schema.ts';

/** The highest schema version that a release has stored in the database. */
export interface StoredVersion {
  version: number;
  readable_from: number;
  /** The release that stored it first. */
  release: string;
}

interface VersionDocument extends StoredVersion {
  _id: 'schema';
}

const ID = 'schema';

/** A later release has changed the database so that this one cannot read it. To recover, run another release, or restore a backup. */
export class SchemaTooNew extends Error {
  override name = 'SchemaTooNew';
}

/** Null in a new database. */
export async function readStoredVersion(connection: Connection): Promise<StoredVersion | null> {
  return connection.collection<VersionDocument>('schema').findOne({ _id: ID });
}

/** @throws SchemaTooNew */
export function assertReadable(database: string, schema: DatabaseSchema, stored: StoredVersion | null): void {
  if (stored === null || stored.readable_from <= schema.version) return;
  throw new SchemaTooNew(
    `The database ${database} has schema ${stored.version} of release ${stored.release}. Only releases from schema ${stored.readable_from} can read it, and this release has schema ${schema.version}. ` +
      `Run release ${stored.release} or later, or restore a backup from before its upgrade (docs/operating/upgrade.md).`,
  );
}

/** Stores the version unless the database has this or a higher one. */
export async function raiseVersion(
  connection: Connection,
  { version, readableFrom }: DatabaseSchema,
  release: string,
): Promise<void> {
  try {
    await connection
      .collection<VersionDocument>('schema')
      .updateOne(
        { _id: ID, version: { $lt: version } },
        { $set: { version, readable_from: readableFrom, release } },
        { upsert: true },
      );
  } catch (error) {
    // It exists with this or a higher version: the update matched nothing, and the upsert cannot insert it again.
    if (!isDuplicateKey(error)) throw error;
  }
}

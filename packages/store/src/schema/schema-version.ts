import type { Connection } from 'mongoose';
import { isDuplicateKey } from '../duplicate-key.ts';
import type { DatabaseSchema } from './database-schema.ts';

/** The highest schema version that a release has stored in the database. */
export interface StoredVersion {
  version: number;
  readable_from: number;
  /** The release that stored it first. */
  release: string;
  /** The release that prepared the new database. Development versions before 1.0.0 did not store it. */
  first_release: string;
}

interface VersionDocument extends StoredVersion {
  _id: 'schema';
}

const COLLECTION = 'schema';
const ID = 'schema';

/** Another version wrote the database, so that this release cannot read it. The message says what to do. */
export class SchemaUnreadable extends Error {
  override name = 'SchemaUnreadable';
}

/**
 * Resolves to null for a new database.
 * @throws SchemaUnreadable
 */
export async function readVersion(
  connection: Connection,
  schema: DatabaseSchema,
): Promise<StoredVersion | null> {
  const find = () => connection.collection<VersionDocument>(COLLECTION).findOne({ _id: ID });
  let stored = await find();
  if (stored === null) {
    if (!(await hasDocuments(connection))) return null;
    // A process that starts at the same time stores the version before its first document.
    stored = await find();
  }
  if (stored?.first_release === undefined) {
    throw new SchemaUnreadable(
      `The database ${connection.name} has data of a development version before 1.0.0, which no release can read: ` +
        'drop the databases of Tollgate and delete its NATS streams, or use other servers.',
    );
  }
  if (stored.readable_from > schema.version) {
    throw new SchemaUnreadable(
      `The database ${connection.name} has schema ${stored.version} of release ${stored.release}. Only releases from schema ${stored.readable_from} can read it, and this release has schema ${schema.version}. ` +
        `Run release ${stored.release} or later, or restore a backup from before its upgrade (docs/operating/upgrade.md).`,
    );
  }
  return stored;
}

/** An operator may have created and sharded the collections of a new database. */
async function hasDocuments({ db }: Connection): Promise<boolean> {
  const collections = (await db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
  for (const { name } of collections) {
    if (name === COLLECTION || name.startsWith('system.')) continue;
    if (await db?.collection(name).findOne({}, { projection: { _id: 1 } })) return true;
  }
  return false;
}

/** Stores the version unless the database has this or a higher one. */
export async function raiseVersion(
  connection: Connection,
  { version, readableFrom }: DatabaseSchema,
  release: string,
): Promise<void> {
  try {
    await connection.collection<VersionDocument>(COLLECTION).updateOne(
      { _id: ID, version: { $lt: version } },
      {
        $set: { version, readable_from: readableFrom, release },
        $setOnInsert: { first_release: release },
      },
      { upsert: true },
    );
  } catch (error) {
    // It exists with this or a higher version: the update matched nothing, and the upsert cannot insert it again.
    if (!isDuplicateKey(error)) throw error;
  }
}

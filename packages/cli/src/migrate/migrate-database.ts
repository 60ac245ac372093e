import { compareIndexes } from '@tollgate/store/schema/compare-indexes';
import { createIndexes, IndexRejected } from '@tollgate/store/schema/create-indexes';
import {
  type DatabaseSchema,
  type IndexDeclaration,
  indexName,
} from '@tollgate/store/schema/database-schema';
import { raiseVersion, readVersion } from '@tollgate/store/schema/schema-version';
import type { Connection } from './connect-database.ts';

/** An index that differs from the declarations, and the action on it. */
export interface IndexResult {
  collection: string;
  name: string;
  /** `missing` and `undeclared`: left as it is. */
  result: 'created' | 'missing' | 'rejected' | 'dropped' | 'undeclared';
  /** The estimated number of documents in the collection, for an index to create. */
  documents?: number;
  duration_ms?: number;
  /** Why it was rejected, or not dropped, and what to do. */
  message?: string;
}

export interface MigrationOptions {
  isDryRun: boolean;
  dropsObsolete: boolean;
  /** The release of this program. */
  release: string;
  /** An index whose creation starts, which can take long. */
  onCreating(index: { collection: string; name: string; documents: number }): void;
  onDone(result: IndexResult): void;
}

/**
 * Creates the missing indexes of a database one after another. Whatever an earlier run has created stays, and the build of another
 * process is waited for, so that it can be interrupted, repeated, and run by several at once.
 * @throws SchemaUnreadable before it changes anything
 */
export async function migrateDatabase(
  connection: Connection,
  schema: DatabaseSchema,
  options: MigrationOptions,
): Promise<void> {
  const { isDryRun, release } = options;
  const stored = await readVersion(connection, schema);
  const { indexes, undeclared } = await compareIndexes(connection, schema);
  // First, so that an earlier release neither reads what it cannot, nor drops the new indexes.
  if (!isDryRun) await raiseVersion(connection, schema, release);
  for (const { collection, index, documents, state } of indexes)
    if (state !== 'ready') await createIndex(connection, { collection, index, documents }, options);
  const isOlder = stored !== null && stored.version > schema.version;
  for (const { collection, name } of undeclared) {
    if (isDryRun || !options.dropsObsolete) options.onDone({ collection, name, result: 'undeclared' });
    else if (isOlder) {
      const message = `Not dropped: release ${stored.release} has a newer schema and may need this index. Drop it with that release.`;
      options.onDone({ collection, name, result: 'undeclared', message });
    } else {
      await connection.collection(collection).dropIndex(name);
      options.onDone({ collection, name, result: 'dropped' });
    }
  }
}

async function createIndex(
  connection: Connection,
  { collection, index, documents }: { collection: string; index: IndexDeclaration; documents: number },
  { isDryRun, onCreating, onDone }: MigrationOptions,
): Promise<void> {
  const name = indexName(index);
  if (isDryRun) {
    onDone({ collection, name, result: 'missing', documents });
    return;
  }
  onCreating({ collection, name, documents });
  const startedAt = performance.now();
  try {
    await createIndexes(connection, collection, [index]);
    const duration_ms = Math.round(performance.now() - startedAt);
    onDone({ collection, name, result: 'created', documents, duration_ms });
  } catch (error) {
    if (!(error instanceof IndexRejected)) throw error;
    onDone({ collection, name, result: 'rejected', documents, message: error.message });
  }
}

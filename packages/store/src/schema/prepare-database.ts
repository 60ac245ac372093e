import type { Connection } from 'mongoose';
import { type ComparedIndex, compareIndexes } from './compare-indexes.ts';
import { createIndexes, IndexRejected } from './create-indexes.ts';
import { type DatabaseSchema, indexName } from './database-schema.ts';
import { raiseVersion, readVersion } from './schema-version.ts';

/**
 * Prepares a database for a service that starts: creates missing indexes of small collections. Resolves to the reasons why the service
 * must not start yet; empty if the database is ready. Safe to repeat, and to call from several processes.
 * @param limits.maxDocuments A missing index of a collection with more documents is left to `tollgate migrate`.
 * @throws SchemaUnreadable
 */
export async function prepareDatabase(
  connection: Connection,
  schema: DatabaseSchema,
  { maxDocuments, release }: { maxDocuments: number; release: string },
): Promise<string[]> {
  const stored = await readVersion(connection, schema);
  if (stored === null || stored.version < schema.version) await raiseVersion(connection, schema, release);
  const { indexes } = await compareIndexes(connection, schema);
  const [creatable, obstacles] = partition(
    indexes.filter(({ state }) => state !== 'ready'),
    ({ state, documents }) => state !== 'different' && documents <= maxDocuments,
  );
  const rejections = await createByCollection(connection, creatable);
  return [...obstacles.map((obstacle) => describe(connection.name, obstacle)), ...rejections];
}

/** Resolves to the reasons why indexes were not created. */
async function createByCollection(
  connection: Connection,
  missing: readonly ComparedIndex[],
): Promise<string[]> {
  const rejections: string[] = [];
  for (const [collection, indexes] of Map.groupBy(missing, (each) => each.collection)) {
    try {
      await createIndexes(
        connection,
        collection,
        indexes.map(({ index }) => index),
      );
    } catch (error) {
      if (!(error instanceof IndexRejected)) throw error;
      rejections.push(error.message);
    }
  }
  return rejections;
}

function describe(database: string, { collection, index, state, documents }: ComparedIndex): string {
  const name = `the index ${indexName(index)} of ${database}.${collection}`;
  if (state === 'building') return `${name} is being created`;
  if (state === 'different')
    return `${name} has another key or other options than this release needs: run \`tollgate migrate\`, which says what to do`;
  return `${name} is missing (about ${documents} documents): run \`tollgate migrate\``;
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

import { isDeepStrictEqual } from 'node:util';
import type { Connection, mongo } from 'mongoose';
import { type DatabaseSchema, type IndexDeclaration, indexName } from './database-schema.ts';

/** A declared index as the database has it. `different`: its name belongs to an index with another key or other options. */
export interface ComparedIndex {
  collection: string;
  index: IndexDeclaration;
  state: 'ready' | 'building' | 'missing' | 'different';
  /** The estimated number of documents in the collection. */
  documents: number;
}

/** An index that neither this release nor the previous one declares. */
export interface UndeclaredIndex {
  collection: string;
  name: string;
}

export interface IndexComparison {
  indexes: ComparedIndex[];
  undeclared: UndeclaredIndex[];
}

interface StoredIndex extends Pick<mongo.IndexDescriptionInfo, 'key' | 'unique' | 'expireAfterSeconds'> {
  name: string;
  partialFilterExpression?: object;
  isBuilding: boolean;
}

const ID_INDEX = '_id_';
/** Above the 64 indexes that MongoDB allows for a collection. */
const ALL_INDEXES = 100;

/** Compares the declared indexes with those of the database. The role `read` suffices. */
export async function compareIndexes(
  connection: Connection,
  schema: DatabaseSchema,
): Promise<IndexComparison> {
  const stored = await listStoredIndexes(connection);
  const compared = await Promise.all(
    Object.entries(schema.indexes).map(async ([collection, indexes]) => {
      const existing = stored.get(collection);
      const documents = existing ? await connection.collection(collection).estimatedDocumentCount() : 0;
      return indexes.map((index) => ({ collection, index, state: stateOf(index, existing), documents }));
    }),
  );
  const undeclared = [...stored].flatMap(([collection, indexes]) => {
    const declared = schema.indexes[collection]?.map(indexName) ?? [];
    const known = [ID_INDEX, ...declared, ...(schema.retired?.[collection] ?? [])];
    return indexes.filter(({ name }) => !known.includes(name)).map(({ name }) => ({ collection, name }));
  });
  return { indexes: compared.flat(), undeclared };
}

function stateOf(declared: IndexDeclaration, existing: readonly StoredIndex[] = []): ComparedIndex['state'] {
  const found = existing.find(({ name }) => name === indexName(declared));
  if (found === undefined) return 'missing';
  if (!isSame(declared, found)) return 'different';
  return found.isBuilding ? 'building' : 'ready';
}

function isSame(declared: IndexDeclaration, stored: StoredIndex): boolean {
  return (
    // The order of the fields matters.
    isDeepStrictEqual(Object.entries(declared.key), Object.entries(stored.key)) &&
    (declared.unique ?? false) === (stored.unique ?? false) &&
    declared.expireAfterSeconds === stored.expireAfterSeconds &&
    isDeepStrictEqual(declared.partialFilterExpression, stored.partialFilterExpression)
  );
}

/** Stored indexes by collection. */
async function listStoredIndexes(connection: Connection): Promise<Map<string, StoredIndex[]>> {
  const collections = (await connection.db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
  const names = collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await listIndexesOf(connection, name)] as [string, StoredIndex[]]),
    ),
  );
}

async function listIndexesOf(connection: Connection, collection: string): Promise<StoredIndex[]> {
  const reply = await connection.db?.command({
    listIndexes: collection,
    cursor: { batchSize: ALL_INDEXES },
    // Without it, an index that is still being built looks like a complete one.
    includeBuildUUIDs: true,
  });
  const batch: (StoredIndex | { spec: StoredIndex })[] = reply?.['cursor'].firstBatch ?? [];
  return batch.map((entry) =>
    'spec' in entry ? { ...entry.spec, isBuilding: true } : { ...entry, isBuilding: false },
  );
}

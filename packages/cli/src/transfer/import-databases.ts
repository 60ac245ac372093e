import { join } from 'node:path';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { EJSON } from 'bson';
import type { Db, Document, MongoClient } from 'mongodb';
import { UsageError } from '../command.ts';
import { toExactDocument } from './exact-document.ts';
import { digestOf, readBsonFile, readCollection } from './raw-documents.ts';
import {
  type ExportedCollection,
  type ExportManifest,
  expires,
  namespaceOf,
  readIndex,
  writeIndex,
} from './transfer-manifest.ts';

const BATCH_DOCUMENTS = 1_000;
/** A message must be smaller than 16 MiB, unless it has a single document. */
const BATCH_BYTES = 8 * 1024 * 1024;

export interface ImportDatabases {
  client: MongoClient;
  from: string;
  manifest: ExportManifest;
  signal: AbortSignal;
  /** Called before each step on a collection. */
  onStep(step: 'checking' | 'importing' | 'verifying' | 'indexing' | 'expiring', namespace: string): void;
}

/**
 * Imports an export without the indexes that expire documents, and reads everything back. An interrupted import continues where it
 * ended: documents are written in the order of their ids, so what is there must be the beginning of the export. @throws UsageError
 */
export async function importDatabases(options: ImportDatabases): Promise<void> {
  const { manifest, onStep, client, signal } = options;
  await requireKnownCollections(options);
  const present = new Map<ExportedCollection, number>();
  for (const exported of manifest.collections) {
    onStep('checking', namespaceOf(exported));
    present.set(exported, await countPresent(exported, options));
  }
  for (const [exported, skip] of present) {
    if (skip === exported.documents) continue;
    onStep('importing', namespaceOf(exported));
    await insertDocuments(exported, skip, options);
  }
  for (const exported of manifest.collections) {
    onStep('verifying', namespaceOf(exported));
    await verify(exported, options);
  }
  for (const exported of manifest.collections) {
    signal.throwIfAborted();
    onStep('indexing', namespaceOf(exported));
    const database = client.db(exported.database);
    // An empty collection has no documents that create it.
    if (exported.documents === 0) await createIfMissing(database, exported.collection);
    await createIndexes(database, exported, (index) => !expires(index));
  }
}

/**
 * Creates the indexes that expire documents. The last step: from the first of them on, the server removes what has expired, so an
 * interrupted import could not continue.
 */
export async function importExpiry({ manifest, onStep, client }: ImportDatabases): Promise<void> {
  for (const exported of manifest.collections.filter(({ indexes }) => indexes.some(expires))) {
    onStep('expiring', namespaceOf(exported));
    await createIndexes(client.db(exported.database), exported, expires);
  }
}

/** Rejects a target with documents in a collection that the export does not have. */
async function requireKnownCollections({ client, manifest }: ImportDatabases): Promise<void> {
  const known = new Set(manifest.collections.map(namespaceOf));
  for (const database of Object.values(DATABASES)) {
    for (const { name } of await client.db(database).listCollections({}, { nameOnly: true }).toArray()) {
      if (name.startsWith('system.') || known.has(namespaceOf({ database, collection: name }))) continue;
      const found = await client
        .db(database)
        .collection(name)
        .findOne({}, { projection: { _id: 1 } });
      if (found !== null)
        throw notEmpty(`${database}.${name} has documents, and the export does not have it`);
    }
  }
}

/** Checks the file, and that the target has the beginning of it. Returns the number of documents that the target has. */
async function countPresent(exported: ExportedCollection, options: ImportDatabases): Promise<number> {
  const { client, from, signal } = options;
  const stored = readCollection(client.db(exported.database), exported.collection);
  let next = await stored.next();
  let present = 0;
  const digest = await digestOf(readBsonFile(join(from, exported.file)), async (document) => {
    signal.throwIfAborted();
    if (next.done) return;
    if (Buffer.compare(next.value, document) !== 0) throw differs(exported);
    present += 1;
    next = await stored.next();
  });
  if (digest.sha256 !== exported.sha256 || digest.documents !== exported.documents) {
    throw new UsageError(
      `${join(from, exported.file)} is not as it was exported. Copy the export again, or create another one.`,
    );
  }
  if (!next.done) throw differs(exported);
  return present;
}

async function insertDocuments(
  exported: ExportedCollection,
  skip: number,
  { client, from, signal }: ImportDatabases,
): Promise<void> {
  const database = client.db(exported.database);
  let batch: Document[] = [];
  let bytes = 0;
  let position = 0;
  async function insertBatch(): Promise<void> {
    signal.throwIfAborted();
    if (batch.length > 0) await insert(database, exported.collection, batch);
    [batch, bytes] = [[], 0];
  }
  for await (const document of readBsonFile(join(from, exported.file))) {
    position += 1;
    if (position <= skip) continue;
    if (batch.length === BATCH_DOCUMENTS || bytes + document.length > BATCH_BYTES) await insertBatch();
    batch.push(exactDocument(document, exported, position));
    bytes += document.length;
  }
  await insertBatch();
}

function exactDocument(bytes: Uint8Array, exported: ExportedCollection, position: number): Document {
  try {
    return toExactDocument(bytes);
  } catch (error) {
    throw new UsageError(
      `Document ${position} of ${namespaceOf(exported)} cannot be imported: ${(error as Error).message}.`,
    );
  }
}

/** Ordered, so that an interrupted import leaves the beginning. `insertMany` does not accept documents that are Maps. */
async function insert(database: Db, collection: string, documents: Document[]): Promise<void> {
  const { writeErrors = [], writeConcernError } = (await database.command({
    insert: collection,
    documents,
    ordered: true,
    writeConcern: { w: 'majority', j: true },
  })) as { writeErrors?: { errmsg: string }[]; writeConcernError?: { errmsg: string } };
  const problem = writeErrors[0] ?? writeConcernError;
  if (problem) {
    throw new UsageError(
      `The server rejected a document of ${database.databaseName}.${collection}: ${problem.errmsg}. Fix the cause, then repeat the command: it continues where it ended.`,
    );
  }
}

async function verify(exported: ExportedCollection, { client, signal }: ImportDatabases): Promise<void> {
  const digest = await digestOf(readCollection(client.db(exported.database), exported.collection), () =>
    signal.throwIfAborted(),
  );
  if (digest.sha256 === exported.sha256 && digest.documents === exported.documents) return;
  throw new UsageError(
    `${namespaceOf(exported)} has ${digest.documents} documents that differ from the ${exported.documents} of the export. ` +
      'Another program writes to the server, or an index of it expires documents. Drop the databases of Tollgate there, stop that program, and import again.',
  );
}

async function createIndexes(
  database: Db,
  exported: ExportedCollection,
  isWanted: (index: object) => boolean,
): Promise<void> {
  const { collection } = exported;
  const indexes = exported.indexes.filter(isWanted);
  if (indexes.length === 0) return;
  await database.command({ createIndexes: collection, indexes: indexes.map(readIndex) });
  const created = await database.collection(collection).listIndexes().toArray();
  const found = new Set(created.map((index) => fingerprint(writeIndex(index as never))));
  const missing = indexes.find((index) => !found.has(fingerprint(index)));
  if (missing !== undefined) {
    throw new UsageError(
      `The server did not create the index ${EJSON.stringify(missing)} of ${database.databaseName}.${collection} as it was exported.`,
    );
  }
}

async function createIfMissing(database: Db, collection: string): Promise<void> {
  const found = await database.listCollections({ name: collection }, { nameOnly: true }).toArray();
  if (found.length === 0) await database.createCollection(collection);
}

/** Servers return the options of an index in different orders. */
function fingerprint(index: object): string {
  const sorted = Object.entries(index).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(sorted);
}

function differs(exported: ExportedCollection): UsageError {
  return notEmpty(`${namespaceOf(exported)} has documents that are not the beginning of the export`);
}

function notEmpty(what: string): UsageError {
  return new UsageError(
    `The server in MONGODB_URL is not empty: ${what}. Import to a server without the databases of Tollgate, or drop them there first.`,
  );
}

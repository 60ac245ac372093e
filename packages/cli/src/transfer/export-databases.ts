import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import type { Clock } from '@tollgate/runtime/clock';
import { VERSION } from '@tollgate/runtime/metrics';
import type { Db, MongoClient } from 'mongodb';
import { flushToDisk } from '../backup/flush-to-disk.ts';
import { writeNewFolder } from '../backup/new-folder.ts';
import { UsageError } from '../command.ts';
import { MANIFEST_FILE } from '../manifest-file.ts';
import { createDigest, type Digest, digestOf, readCollection } from './raw-documents.ts';
import {
  createManifest,
  type ExportedCollection,
  type ExportManifest,
  expires,
  fileOf,
  namespaceOf,
  writeIndex,
} from './transfer-manifest.ts';

/** A server removes expired documents every minute, so one repetition nearly always suffices. */
const MAX_ATTEMPTS = 3;

export interface ExportDatabases {
  client: MongoClient;
  to: string;
  clock: Clock;
  signal: AbortSignal;
  /** Called before each collection is read. */
  onCollection(namespace: string): void;
}

/** Writes all databases of Tollgate to a new folder. @throws UsageError if they change meanwhile */
export function exportDatabases(options: ExportDatabases): Promise<ExportManifest> {
  return writeNewFolder(options.to, (folder) => fill(folder, options));
}

async function fill(folder: string, options: ExportDatabases): Promise<ExportManifest> {
  const { client, clock } = options;
  const exportedAt = new Date(clock.now()).toISOString();
  const namespaces = await listCollections(client);
  if (namespaces.length === 0) throw noData();
  const collections: ExportedCollection[] = [];
  for (const [database, name] of namespaces)
    collections.push(await exportCollection(folder, database, name, options));
  for (const [index, exported] of collections.entries())
    collections[index] = await requireUnchanged(folder, exported, options);
  if ((await listCollections(client)).length !== namespaces.length) throw stillWritten('a collection');
  const manifest = createManifest({ tollgate_version: VERSION, exported_at: exportedAt, collections });
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await flushToDisk(join(folder, MANIFEST_FILE));
  return manifest;
}

async function listCollections(client: MongoClient): Promise<[database: Db, collection: string][]> {
  const found: [Db, string][] = [];
  for (const name of Object.values(DATABASES)) {
    const database = client.db(name);
    const collections = await database.listCollections({}, { nameOnly: false }).toArray();
    for (const { name: collection, type, options = {} } of collections) {
      if (collection.startsWith('system.')) continue;
      if (type !== 'collection' || Object.keys(options).length > 0) {
        throw new UsageError(
          `${name}.${collection} is a view, or has options that no release of Tollgate sets and that are not copied. Remove it, or its options.`,
        );
      }
      found.push([database, collection]);
    }
  }
  return found.sort(([a, one], [b, other]) =>
    `${a.databaseName}.${one}` < `${b.databaseName}.${other}` ? -1 : 1,
  );
}

async function exportCollection(
  folder: string,
  database: Db,
  name: string,
  { onCollection, signal }: ExportDatabases,
): Promise<ExportedCollection> {
  const { databaseName } = database;
  onCollection(`${databaseName}.${name}`);
  const file = fileOf(databaseName, name);
  await mkdir(join(folder, databaseName), { recursive: true, mode: 0o700 });
  const digest = await writeDocuments(join(folder, file), readCollection(database, name), signal);
  const indexes = await database.collection(name).listIndexes().toArray();
  return {
    database: databaseName,
    collection: name,
    file,
    ...digest,
    indexes: indexes.filter((index) => index['name'] !== '_id_').map(writeIndex as (index: object) => object),
  };
}

async function writeDocuments(
  path: string,
  documents: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Digest> {
  const digest = createDigest();
  // A pipeline, so that a full disk ends the export while the next document is awaited.
  await pipeline(
    documents,
    async function* (source: AsyncIterable<Uint8Array>) {
      for await (const document of source) {
        digest.add(document);
        yield document;
      }
    },
    createWriteStream(path, { mode: 0o600, flush: true }),
    { signal },
  );
  return digest.result();
}

/**
 * Reads the collection again: a difference shows that a service still runs. Documents with a time limit may have expired meanwhile, so
 * a collection that has them is exported again.
 */
async function requireUnchanged(
  folder: string,
  exported: ExportedCollection,
  options: ExportDatabases,
): Promise<ExportedCollection> {
  const database = options.client.db(exported.database);
  let current = exported;
  for (let attempt = 1; ; attempt++) {
    const { sha256 } = await digestOf(readCollection(database, exported.collection), () =>
      options.signal.throwIfAborted(),
    );
    if (sha256 === current.sha256) return current;
    if (attempt === MAX_ATTEMPTS || !current.indexes.some(expires)) throw stillWritten(namespaceOf(current));
    current = await exportCollection(folder, database, current.collection, options);
  }
}

function noData(): UsageError {
  return new UsageError(
    `The server has no data of Tollgate: ${Object.values(DATABASES).join(', ')} have no collections. Check that MONGODB_URL, or --data-dir, names the right one.`,
  );
}

function stillWritten(what: string): UsageError {
  return new UsageError(
    `${what} changed during the export, so the export would lack data. Stop all processes of Tollgate except its servers, then export again.`,
  );
}

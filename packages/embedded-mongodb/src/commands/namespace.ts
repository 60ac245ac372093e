import { documentOf } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import type { Collection } from '../storage/collection.ts';
import type { CommandRequest, ServerContext } from './command.ts';
import { readCollectionName } from './fields.ts';

const MAX_DATABASE_NAME_BYTES = 63;
const MAX_NAMESPACE_BYTES = 255;
const FORBIDDEN_IN_DATABASE_NAME = /[/\\. "$\0]/;

/** @throws InvalidNamespace for names that mongod refuses. */
export function assertDatabaseName(name: string): void {
  if (
    name !== '' &&
    !FORBIDDEN_IN_DATABASE_NAME.test(name) &&
    Buffer.byteLength(name) <= MAX_DATABASE_NAME_BYTES
  )
    return;
  throw mongoError('InvalidNamespace', `Invalid database name: '${name}'`);
}

/** @throws InvalidNamespace for a `$db` that no database can have; `$external` may be spoken to. */
export function assertAddressable(name: string): void {
  assertDatabaseName(name.replaceAll('$', '_'));
}

/** @throws InvalidNamespace unless the collection is there or may be made. */
export function assertWritable({ store }: ServerContext, databaseName: string, name: string): void {
  if (store.collection(databaseName, name) !== undefined) return;
  assertDatabaseName(databaseName);
  assertCollectionName(databaseName, name);
}

function assertCollectionName(databaseName: string, name: string): void {
  if (name.includes('$') || name.startsWith('.') || name.endsWith('.') || name.includes('..')) {
    throw mongoError('InvalidNamespace', `Invalid collection name: ${name}`);
  }
  if (name.startsWith('system.')) {
    throw mongoError('InvalidNamespace', `Invalid system namespace: ${databaseName}.${name}`);
  }
  if (Buffer.byteLength(`${databaseName}.${name}`) > MAX_NAMESPACE_BYTES) {
    throw mongoError('InvalidNamespace', `Fully qualified namespace is too long: ${databaseName}.${name}`);
  }
}

/** The collection the command names, or undefined where there is none. */
export function namedCollection(request: CommandRequest, { store }: ServerContext): Collection | undefined {
  return store.collection(request.databaseName, readCollectionName(request));
}

/** The collection of that name, made on the first write to it. */
export function collectionForWrite({ store }: ServerContext, databaseName: string, name: string): Collection {
  return store.collection(databaseName, name) ?? createNamed({ store }, databaseName, name);
}

/** Makes a collection after checking its name. */
export function createNamed(
  { store }: Pick<ServerContext, 'store'>,
  databaseName: string,
  name: string,
  options = documentOf({}),
): Collection {
  assertDatabaseName(databaseName);
  assertCollectionName(databaseName, name);
  const differentCase = store
    .databaseNames()
    .find((existing) => existing !== databaseName && existing.toLowerCase() === databaseName.toLowerCase());
  if (differentCase !== undefined) {
    throw new MongoError(
      13297,
      'DatabaseDifferCase',
      `db already exists with different case already have: [${differentCase}] trying to create [${databaseName}]`,
    );
  }
  return store.createCollection(databaseName, name, options);
}

/** @throws Unauthorized unless the command is run on the database `admin`. */
export function assertAdmin({ name, databaseName }: CommandRequest): void {
  if (databaseName === 'admin') return;
  throw mongoError('Unauthorized', `${name} may only be run against the admin database.`);
}

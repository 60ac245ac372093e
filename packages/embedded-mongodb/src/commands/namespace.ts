import { MongoError, mongoError } from '../bson/mongo-error.ts';
import type { Collection } from '../storage/collection.ts';
import type { Store } from '../storage/store.ts';
import type { CommandRequest, ServerContext } from './command.ts';
import { readCollectionName } from './fields.ts';

const MAX_DATABASE_NAME_BYTES = 63;
const MAX_NAMESPACE_BYTES = 255;
const FORBIDDEN_IN_DATABASE_NAME = /[/\\. "$\0]/;

/** @throws InvalidNamespace for names that mongod rejects. */
export function assertDatabaseName(name: string): void {
  if (
    name !== '' &&
    !FORBIDDEN_IN_DATABASE_NAME.test(name) &&
    Buffer.byteLength(name) <= MAX_DATABASE_NAME_BYTES
  )
    return;
  throw mongoError('InvalidNamespace', `Invalid database name: '${name}'`);
}

/** @throws InvalidNamespace for a `$db` that is not a valid database name. Clients may address `$external`. */
export function assertAddressable(name: string): void {
  assertDatabaseName(name.replaceAll('$', '_'));
}

/** @throws InvalidNamespace if the collection that the command names does not exist and cannot be created. */
export function assertWritable(request: CommandRequest, server: ServerContext): void {
  if (namedCollection(request, server) === undefined) assertNames(request);
}

function assertNames(request: CommandRequest): void {
  const { databaseName } = request;
  const name = readCollectionName(request);
  assertDatabaseName(databaseName);
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

/** Returns the collection that the command names; undefined if it does not exist. */
export function namedCollection(request: CommandRequest, { store }: ServerContext): Collection | undefined {
  return store.collection(request.databaseName, readCollectionName(request));
}

/** Returns the collection that the command names. Creates it if it does not exist. */
export function collectionForWrite(request: CommandRequest, server: ServerContext): Collection {
  return namedCollection(request, server) ?? createNamed(request, server.store);
}

function createNamed(request: CommandRequest, store: Store): Collection {
  assertNames(request);
  const { databaseName } = request;
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
  return store.createCollection(databaseName, readCollectionName(request));
}

/** @throws Unauthorized unless the command runs on the database `admin`. */
export function assertAdmin({ name, databaseName }: CommandRequest): void {
  if (databaseName === 'admin') return;
  throw mongoError('Unauthorized', `${name} may only be run against the admin database.`);
}

import { createLogger } from '@tollgate/runtime/logger';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import type { TestServer } from '@tollgate/test-kit/test-server';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectMongoDB } from '../mongodb.ts';
import { compareIndexes } from './compare-indexes.ts';
import type { DatabaseSchema, IndexDeclaration } from './database-schema.ts';
import { prepareDatabase } from './prepare-database.ts';
import { readVersion } from './schema-version.ts';

const LIMITS = { maxDocuments: 2, release: '1.0.0' };
const BY_NAME: IndexDeclaration = { key: { name: 1, _id: -1 }, purpose: 'Things by name' };
const DUE: IndexDeclaration = {
  key: { due_at: 1 },
  name: 'due',
  expireAfterSeconds: 60,
  partialFilterExpression: { due_at: { $gt: new Date(0) }, owner: null },
  purpose: 'Due things',
};
const UNIQUE: IndexDeclaration = {
  key: { email: 1 },
  unique: true,
  partialFilterExpression: { email: { $gt: '' } },
  purpose: 'One thing per email',
};

let server: TestServer;
let connection: Connection;

beforeAll(async () => {
  server = await startMongoDB();
  const logger = createLogger({ service: 'test', level: 'silent' });
  connection = await connectMongoDB({ url: server.url, database: 'schema_test', appName: 'test', logger });
});
afterAll(async () => {
  await connection.close();
  await server.dispose();
});
beforeEach(() => connection.dropDatabase());

const things = () => connection.collection<{ _id: string; email?: string }>('things');
const schemaOf = (...things: IndexDeclaration[]): DatabaseSchema => ({
  version: 2,
  readableFrom: 1,
  indexes: { things },
});

async function insertThings(count: number): Promise<void> {
  await things().insertMany(Array.from({ length: count }, (_, index) => ({ _id: `thing_${index}` })));
}

async function storeVersion(version: number, readable_from: number): Promise<void> {
  await connection.collection<{ _id: string }>('schema').insertOne({
    _id: 'schema',
    version,
    readable_from,
    release: '9.9.9',
    first_release: '1.0.0',
  } as {
    _id: string;
  });
}

it('prepareDatabase creates all indexes of a new database, and stores the version', async () => {
  const schema = schemaOf(BY_NAME, DUE, UNIQUE);
  expect(await prepareDatabase(connection, schema, LIMITS)).toEqual([]);
  const { indexes, undeclared } = await compareIndexes(connection, schema);
  expect(indexes.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
  expect(undeclared).toEqual([]);
  expect(await readVersion(connection, schema)).toMatchObject({
    version: 2,
    readable_from: 1,
    release: '1.0.0',
    first_release: '1.0.0',
  });
});

it('prepareDatabase gives an index without a name the name that MongoDB derives from its key', async () => {
  await things().createIndex({ name: 1, _id: -1 });
  const { indexes } = await compareIndexes(connection, schemaOf(BY_NAME));
  expect(indexes).toEqual([{ collection: 'things', index: BY_NAME, state: 'ready', documents: 0 }]);
});

it('prepareDatabase creates an index of a collection at the limit, and leaves one above it to `tollgate migrate`', async () => {
  await storeVersion(1, 1);
  await insertThings(2);
  expect(await prepareDatabase(connection, schemaOf(BY_NAME), LIMITS)).toEqual([]);
  await things().insertOne({ _id: 'another' });
  expect(await prepareDatabase(connection, schemaOf(BY_NAME, UNIQUE), LIMITS)).toEqual([
    'the index email_1 of schema_test.things is missing (about 3 documents): run `tollgate migrate`',
  ]);
});

it('prepareDatabase reports an index with the name and other options, and leaves it as it is', async () => {
  await things().createIndex({ due_at: 1 }, { name: 'due', expireAfterSeconds: 5 });
  const [reason] = await prepareDatabase(connection, schemaOf(DUE), LIMITS);
  expect(reason).toContain('the index due of schema_test.things has another key or other options');
  expect((await compareIndexes(connection, schemaOf(DUE))).indexes[0]?.state).toBe('different');
});

it('prepareDatabase names the documents that a unique index rejects, and no value of them', async () => {
  await storeVersion(1, 1);
  await things().insertMany([
    { _id: 'a', email: 'ada@example.com' },
    { _id: 'b', email: 'ada@example.com' },
  ]);
  const [reason] = await prepareDatabase(connection, schemaOf(UNIQUE), LIMITS);
  expect(reason).toBe(
    'The unique index email_1 of things cannot be created, because documents have the same email: a, b. Change or delete all of them but one, then run `tollgate migrate` again.',
  );
});

it('prepareDatabase reports an index with the same key and another name', async () => {
  await things().createIndex({ name: 1, _id: -1 }, { name: 'by_hand' });
  const [reason] = await prepareDatabase(connection, schemaOf(BY_NAME), LIMITS);
  expect(reason).toContain('by_hand');
  expect(reason).toContain('Drop the existing index');
});

it('prepareDatabase creates no index that only the previous release needs, and keeps one that exists', async () => {
  const schema = { ...schemaOf(BY_NAME), retired: { things: ['due'] } };
  expect(await prepareDatabase(connection, schema, LIMITS)).toEqual([]);
  const names = async () => (await things().indexes()).map(({ name }) => name);
  expect(await names()).toEqual(['_id_', 'name_1__id_-1']);
  await things().createIndex({ due_at: 1 }, { name: 'due' });
  await things().createIndex({ other: 1 });
  expect((await compareIndexes(connection, schema)).undeclared).toEqual([
    { collection: 'things', name: 'other_1' },
  ]);
});

it('prepareDatabase creates each index once for processes that start together', async () => {
  const schema = schemaOf(BY_NAME, DUE, UNIQUE);
  const prepared = Array.from({ length: 8 }, () => prepareDatabase(connection, schema, LIMITS));
  expect((await Promise.all(prepared)).flat()).toEqual([]);
  expect((await compareIndexes(connection, schema)).indexes.every(({ state }) => state === 'ready')).toBe(
    true,
  );
});

it('prepareDatabase rejects a later schema that this release cannot read, and creates nothing', async () => {
  await storeVersion(4, 3);
  await expect(prepareDatabase(connection, schemaOf(BY_NAME), LIMITS)).rejects.toThrow(
    'The database schema_test has schema 4 of release 9.9.9. Only releases from schema 3 can read it, and this release has schema 2.',
  );
  expect((await compareIndexes(connection, schemaOf(BY_NAME))).indexes[0]?.state).toBe('missing');
});

it.each([
  ['without a version', () => things().insertOne({ _id: 'a' })],
  [
    'with a version',
    () =>
      connection
        .collection('schema')
        .insertOne({ version: 2, readable_from: 1, release: '0.9.0', _id: 'schema' as never }),
  ],
])('prepareDatabase rejects data of a development version %s, and creates nothing', async (_what, write) => {
  await write();
  await expect(prepareDatabase(connection, schemaOf(BY_NAME), LIMITS)).rejects.toThrow(
    'The database schema_test has data of a development version before 1.0.0, which no release can read: drop the databases',
  );
  expect((await compareIndexes(connection, schemaOf(BY_NAME))).indexes[0]?.state).toBe('missing');
});

it('prepareDatabase accepts collections without documents, which an operator created', async () => {
  await connection.createCollection('things');
  expect(await prepareDatabase(connection, schemaOf(BY_NAME), LIMITS)).toEqual([]);
});

it('prepareDatabase accepts a newer schema that this release can read, and keeps its version', async () => {
  await storeVersion(3, 2);
  expect(await prepareDatabase(connection, schemaOf(BY_NAME), LIMITS)).toEqual([]);
  expect(await readVersion(connection, schemaOf(BY_NAME))).toMatchObject({ version: 3, release: '9.9.9' });
});

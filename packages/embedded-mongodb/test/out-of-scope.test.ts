import { Decimal128, type Document, Long, type MongoClient } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';

const NOT_IMPLEMENTED = 238;
const SCOPE = /is outside the scope of embedded-mongodb\. .*MONGODB_URL/;

const find = (filter: Document, options: Document = {}) => ({ find: 'things', filter, ...options });
const update = (u: Document | Document[], options: Document = {}) => ({
  update: 'things',
  updates: [{ q: {}, u, ...options }],
});
const aggregate = (...pipeline: Document[]) => ({ aggregate: 'things', pipeline, cursor: {} });
const createIndex = (key: Document, options: Document = {}) => ({
  createIndexes: 'things',
  indexes: [{ key, name: 'x', ...options }],
});

/** Commands that MongoDB 7 accepts and this server rejects with NotImplemented. */
const OUT_OF_SCOPE: Readonly<Record<string, readonly Document[]>> = {
  commands: [
    { renameCollection: 'test.things', to: 'test.others' },
    { collMod: 'things', validator: { a: 1 } },
    { setParameter: 1, logLevel: 1 },
    { killOp: 1, op: 1 },
    { killAllSessions: [] },
    { compact: 'things' },
    { reIndex: 'things' },
    { convertToCapped: 'things', size: 1000 },
    { mapReduce: 'things', map: 'x', reduce: 'x', out: 'others' },
    { createUser: 'x', pwd: 'x', roles: [] },
    { usersInfo: 1 },
    { profile: 0 },
    { fsync: 1 },
    { shutdown: 1 },
    { planCacheClear: 'things' },
    { collStats: 'things' },
    { listCommands: 1 },
    { logout: 1 },
    { startSession: 1 },
    { whatsmyuri: 1 },
  ],
  'options of reads': [
    find({}, { collation: { locale: 'en' } }),
    find({}, { let: { x: 1 } }),
    find({}, { returnKey: true }),
    find({}, { showRecordId: true }),
    find({}, { tailable: true }),
    find({}, { awaitData: true }),
    find({}, { oplogReplay: true }),
    find({}, { readOnce: true }),
    find({}, { allowPartialResults: true }),
    { count: 'things', collation: { locale: 'en' } },
    { distinct: 'things', key: 'a', collation: { locale: 'en' } },
    { ...aggregate(), collation: { locale: 'en' } },
    { ...aggregate(), let: { x: 1 } },
    { explain: find({}, { let: { x: 1 } }) },
    { explain: update({ $set: { a: 2 } }) },
    { ...aggregate(), explain: true },
    { validate: 'things', repair: true },
  ],
  'options of writes': [
    update({ $set: { a: 2 } }, { collation: { locale: 'en' } }),
    update({ $set: { a: 2 } }, { arrayFilters: [{ x: 1 }] }),
    update([{ $set: { a: 2 } }], { c: { x: 1 } }),
    { ...update({ $set: { a: 2 } }), let: { x: 1 } },
    { delete: 'things', deletes: [{ q: {}, limit: 0, collation: { locale: 'en' } }] },
    { delete: 'things', deletes: [{ q: {}, limit: 0 }], let: { x: 1 } },
    { findAndModify: 'things', remove: true, collation: { locale: 'en' } },
    { findAndModify: 'things', remove: true, let: { x: 1 } },
    { findAndModify: 'things', update: { $set: { a: 2 } }, arrayFilters: [{ x: 1 }] },
  ],
  collections: [
    { create: 'others', capped: true, size: 1000 },
    { create: 'others', validator: { a: 1 } },
    { create: 'others', validator: { $jsonSchema: {} } },
    { create: 'others', validationLevel: 'off' },
    { create: 'others', validationAction: 'warn' },
    { create: 'others', viewOn: 'things', pipeline: [] },
    { create: 'others', timeseries: { timeField: 'at' } },
    { create: 'others', clusteredIndex: { key: { _id: 1 }, unique: true } },
    { create: 'others', collation: { locale: 'en' } },
    { create: 'others', changeStreamPreAndPostImages: { enabled: true } },
    { create: 'others', storageEngine: {} },
  ],
  indexes: [
    createIndex({ b: 1 }, { sparse: true }),
    createIndex({ b: 1 }, { hidden: true }),
    createIndex({ b: 1 }, { collation: { locale: 'en' } }),
    createIndex({ b: 1 }, { prepareUnique: true }),
    createIndex({ b: 'hashed' }),
    createIndex({ b: 'text' }),
    createIndex({ b: '2d' }),
    createIndex({ b: '2dsphere' }),
    createIndex({ '$**': 1 }),
    createIndex({ 'b.$**': 1 }),
    createIndex({ '$**': 1 }, { wildcardProjection: { b: 1 } }),
  ],
  // src/semantics/scope.test.ts has the others.
  operators: [
    aggregate({ $lookup: { from: 'things', localField: 'a', foreignField: 'a', as: 'x' } }),
    aggregate({ $match: {} }, { $out: 'others' }),
    aggregate({ $group: { _id: null, x: { $avg: '$a' } } }),
    aggregate({ $project: { x: { $add: ['$a', 1] } } }),
    aggregate({ $project: { x: { $subtract: [new Date(), 1] } } }),
    find({ $expr: { $eq: ['$a', 1] } }),
    find({ list: { $all: [1] } }),
    find({ a: { $type: 'int' } }),
    find({ a: { $regex: 'x|y' } }),
    find({}, { projection: { list: { $slice: 1 } } }),
    find({}, { projection: { x: '$a' } }),
    update({ $rename: { a: 'b' } }),
    update({ $set: { 'list.$': 1 } }),
    update({ $inc: { a: Decimal128.fromString('1') } }),
  ],
};

/** Commands that a standalone MongoDB 7 also rejects, with the same code. */
const REJECTED_BY_STANDALONE: readonly [Document, number][] = [
  [{ replSetGetStatus: 1 }, 76],
  [{ replSetInitiate: {} }, 76],
  [{ commitTransaction: 1 }, 20],
  [{ abortTransaction: 1 }, 20],
  [{ insert: 'things', documents: [{}], lsid: {}, txnNumber: Long.ONE, autocommit: false }, 20],
  [{ insert: 'things', documents: [{}], writeConcern: { w: 2 } }, 2],
  [{ find: 'things', readConcern: { level: 'snapshot' } }, 123],
];

let under: ServerUnderTest;
let client: MongoClient;

beforeAll(async () => {
  under = await startForTest();
  ({ client } = under);
  const things = client.db('test').collection<{ _id: number; a: number; list: number[] }>('things');
  await things.insertMany([
    { _id: 1, a: 1, list: [1, 2] },
    { _id: 2, a: 2, list: [] },
  ]);
  await things.createIndex({ a: 1 });
});

/** All data in the database `test`. */
async function stored(): Promise<Document> {
  const collections = await client.db('test').listCollections().toArray();
  const things = client.db('test').collection('things');
  return { collections, indexes: await things.indexes(), documents: await things.find().toArray() };
}

/** Runs a command, asserts that it changes nothing, and returns its error. */
async function rejectedWithoutChange(command: Document): Promise<Document> {
  const before = await stored();
  const outcome = await under.command(command).catch((error: Document) => error);
  expect(await stored()).toEqual(before);
  // Errors of single operations of a batch.
  return outcome.writeErrors?.[0] ?? (await rejection(Promise.reject(outcome)));
}

describe.each(Object.entries(OUT_OF_SCOPE))('%s', (_, commands) => {
  test.each(commands)('%j is rejected with a message that names the scope', async (command) => {
    const { code, message, errmsg } = await rejectedWithoutChange(command);
    expect(code).toBe(NOT_IMPLEMENTED);
    expect(errmsg ?? message).toMatch(SCOPE);
  });
});

test.each(REJECTED_BY_STANDALONE)(
  '%j is rejected with %i, as by a standalone mongod',
  async (command, code) => {
    expect(await rejectedWithoutChange(command)).toMatchObject({ code });
  },
);

test.each<Document>([
  find({}, { collation: { locale: 'simple' }, let: {}, returnKey: false, showRecordId: false }),
  update({ $set: { a: 1 } }, { arrayFilters: [], collation: { locale: 'simple' } }),
  { create: 'things', capped: false, collation: { locale: 'simple' } },
  createIndex({ a: 1 }, { name: 'a_1', sparse: false, hidden: false, collation: { locale: 'simple' } }),
])('%j is accepted: these options have no effect', async (command) => {
  expect(await under.command(command)).toMatchObject({ ok: 1 });
});

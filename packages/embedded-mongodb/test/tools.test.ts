import type { Db, Document, MongoClient } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { rejection, type ServerUnderTest, startForTest } from './support/server-under-test.ts';

/*
 * The commands that MongoDB Compass and mongosh send, from their source code: packages/data-service/src of
 * mongodb-js/compass and packages/shell-api/src of mongodb-js/mongosh.
 */

let under: ServerUnderTest;
let client: MongoClient;
let admin: Db;
let shop: Db;

beforeAll(async () => {
  under = await startForTest();
  client = under.client;
  admin = client.db('admin');
  shop = client.db('shop');
  await shop.collection('orders').insertMany([{ n: 1 }, { n: 2 }, { n: 3, tags: ['a', 'b'] }]);
  await shop.collection('orders').createIndex({ n: 1 });
});

test('Compass connects: reads the connection, the host, and the build', async () => {
  const replies = await Promise.all([
    admin.command({ connectionStatus: 1, showPrivileges: true }),
    admin.command({ hostInfo: 1 }),
    admin.command({ buildInfo: 1 }),
  ]);
  expect(replies).toMatchObject([
    { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [], authenticatedUserPrivileges: [] } },
    { system: { cpuArch: process.arch }, os: {} },
    { version: expect.stringMatching(/^7\./) },
  ]);
  expect(await client.db('admin').collection('atlascli').countDocuments({ managedClusterType: 'x' })).toBe(0);
  expect(await rejection(admin.command({ atlasVersion: 1 }))).toMatchObject({ code: 59 });
});

test('Compass reports the privileges of the authenticated user', async () => {
  const secured = await startForTest({ user: 'user', password: 'password' });
  const reply = await secured.client.db('admin').command({ connectionStatus: 1, showPrivileges: true });
  expect(reply.authInfo).toEqual({
    authenticatedUsers: [{ user: 'user', db: 'admin' }],
    authenticatedUserRoles: [{ role: 'root', db: 'admin' }],
    authenticatedUserPrivileges: [{ resource: { anyResource: true }, actions: ['anyAction'] }],
  });
});

test('Compass lists databases and collections', async () => {
  expect(await admin.command({ listDatabases: 1, nameOnly: true, authorizedDatabases: true })).toMatchObject({
    databases: [{ name: 'shop' }],
  });
  expect(await shop.command({ dbStats: 1 })).toMatchObject({ collections: 1, objects: 3, indexes: 2 });
  const names = await shop.listCollections({}, { nameOnly: true, authorizedCollections: true }).toArray();
  expect(names).toEqual([{ name: 'orders', type: 'collection' }]);
  const [found] = await shop.listCollections({ name: 'orders' }, { nameOnly: false }).toArray();
  expect(found).toMatchObject({ name: 'orders', options: {}, info: { readOnly: false } });
});

test('Compass shows the statistics of a collection', async () => {
  const sumOf = (field: string) => ({ $sum: { $toDouble: `$storageStats.${field}` } });
  const pipeline = [
    { $collStats: { storageStats: {} } },
    {
      $group: {
        _id: null,
        capped: { $first: '$storageStats.capped' },
        count: { $sum: '$storageStats.count' },
        size: sumOf('size'),
        storageSize: sumOf('storageSize'),
        totalIndexSize: sumOf('totalIndexSize'),
        freeStorageSize: sumOf('freeStorageSize'),
        unscaledCollSize: {
          $sum: {
            $multiply: [{ $toDouble: '$storageStats.avgObjSize' }, { $toDouble: '$storageStats.count' }],
          },
        },
        nindexes: { $max: '$storageStats.nindexes' },
      },
    },
    {
      $addFields: {
        avgObjSize: {
          $cond: [{ $ne: ['$count', 0] }, { $divide: ['$unscaledCollSize', { $toDouble: '$count' }] }, 0],
        },
      },
    },
  ];
  const [statistics] = await shop.collection('orders').aggregate(pipeline).toArray();
  expect(statistics).toMatchObject({ count: 3, capped: false, nindexes: 2 });
  expect(statistics?.avgObjSize).toBeGreaterThan(0);
  const ofNone = shop.collection('none').aggregate(pipeline).toArray();
  expect((await rejection(ofNone)).message).toContain('Collection [shop.none] not found');
});

test('Compass shows documents, their count, and the query plan', async () => {
  const orders = shop.collection('orders');
  const session = client.startSession();
  const found = orders.find(
    { n: { $gt: 1 } },
    { sort: { n: -1 }, limit: 20, skip: 0, maxTimeMS: 60000, session },
  );
  expect((await found.toArray()).map(({ n }) => n)).toEqual([3, 2]);
  expect(await orders.countDocuments({}, { maxTimeMS: 5000, hint: '_id_', session })).toBe(3);
  expect(await orders.estimatedDocumentCount({ maxTimeMS: 500, session })).toBe(3);
  const explained = await orders.find({ n: 1 }).explain('executionStats');
  expect(explained).toMatchObject({ executionStats: { nReturned: 1, totalKeysExamined: 1 } });
  await admin.command({ killSessions: [session.id] });
  await session.endSession();
});

test('Compass samples documents for the schema and runs pipelines', async () => {
  const orders = shop.collection('orders');
  const sample = orders.aggregate([{ $match: { n: { $gt: 0 } } }, { $sample: { size: 1000 } }], {
    allowDiskUse: true,
    maxTimeMS: 60000,
  });
  expect(await sample.toArray()).toHaveLength(3);
  const preview = orders.aggregate([{ $limit: 100000 }, { $unwind: '$tags' }, { $limit: 10 }], {
    maxTimeMS: 5000,
  });
  expect((await preview.toArray()).map(({ tags }) => tags)).toEqual(['a', 'b']);
  const explained = await orders.aggregate([{ $match: { n: 1 } }]).explain('executionStats');
  expect(explained).toMatchObject({ executionStats: { nReturned: 1 } });
});

test('Compass shows indexes with their sizes and usage', async () => {
  const orders = shop.collection('orders');
  const indexes = await orders.indexes({ full: true });
  expect(indexes.map(({ name }) => name)).toEqual(['_id_', 'n_1']);
  const usage = async () =>
    orders
      .aggregate([
        { $indexStats: {} },
        {
          $project: {
            name: 1,
            usageHost: '$host',
            usageCount: '$accesses.ops',
            usageSince: '$accesses.since',
            building: 1,
          },
        },
      ])
      .toArray();
  const before = (await usage()).find(({ name }) => name === 'n_1');
  await orders.findOne({ n: 1 });
  const after = (await usage()).find(({ name }) => name === 'n_1');
  expect(after?.usageCount).toBe(before?.usageCount + 1);
  expect(after?.usageSince).toBeInstanceOf(Date);
  const sizes = orders.aggregate([
    { $collStats: { storageStats: {} } },
    { $project: { indexSizes: { $objectToArray: '$storageStats.indexSizes' } } },
    { $unwind: '$indexSizes' },
    { $group: { _id: '$indexSizes.k', size: { $sum: { $toDouble: '$indexSizes.v' } } } },
  ]);
  expect(await sizes.toArray()).toMatchObject([{ _id: '_id_' }, { _id: 'n_1' }]);
  const builds = admin.aggregate([
    { $currentOp: { allUsers: true, localOps: false } },
    { $match: { ns: 'shop.orders', active: true, 'command.createIndexes': { $exists: true } } },
    { $sort: { 'command.indexes.name': 1, secs_running: -1 } },
    { $unwind: '$command.indexes' },
    {
      $group: {
        _id: '$command.indexes.name',
        active: { $max: '$active' },
        secsRunning: { $max: '$secs_running' },
        msg: { $first: '$msg' },
        progress: {
          $first: {
            $cond: [
              { $and: [{ $eq: [{ $type: '$progress' }, 'object'] }, { $gt: ['$progress.total', 0] }] },
              { $divide: ['$progress.done', '$progress.total'] },
              '$$REMOVE',
            ],
          },
        },
      },
    },
  ]);
  expect(await builds.toArray()).toEqual([]);
});

test.each([
  ['search indexes', () => shop.collection('orders').listSearchIndexes().toArray()],
  ['the performance tab', () => admin.command({ top: 1 })],
  ['the options of the server', () => admin.command({ getCmdLineOpts: 1 })],
  ['its parameters', () => admin.command({ getParameter: 1, featureCompatibilityVersion: 1 })],
])('Compass gets NotImplemented (238) for %s', async (_, run) => {
  expect(await rejection(run())).toMatchObject({ code: 238, codeName: 'NotImplemented' });
});

describe('mongosh', () => {
  test('db.collection.stats() reads sizes with a scale', async () => {
    const storageStats = async (scale: number) => {
      const [reply] = await shop
        .collection('orders')
        .aggregate([{ $collStats: { storageStats: { scale } } }])
        .toArray();
      return reply?.storageStats;
    };
    const inBytes = await storageStats(1);
    expect(inBytes).toMatchObject({ count: 3, nindexes: 2, scaleFactor: 1, capped: false });
    expect(Object.keys(inBytes.indexSizes)).toEqual(['_id_', 'n_1']);
    expect(inBytes.avgObjSize).toBe(Math.floor(inBytes.size / 3));
    expect(await storageStats(16)).toMatchObject({ size: Math.floor(inBytes.size / 16), scaleFactor: 16 });
  });

  test('db.currentOp() reports the operation itself, with its client and without its parameters', async () => {
    const pipeline = [
      { $currentOp: { allUsers: true, idleConnections: false, truncateOps: false } },
      { $match: {} },
    ];
    const operations = await admin.aggregate(pipeline).toArray();
    const own = operations.find(({ command }) => command.aggregate === 1);
    expect(own).toMatchObject({
      type: 'op',
      active: true,
      op: 'command',
      ns: 'admin.$cmd',
      command: { aggregate: 1, $db: 'admin' },
      client: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    });
  });

  test('db.currentOp(true) also reports idle connections', async () => {
    const all = await admin.aggregate([{ $currentOp: { allUsers: true, idleConnections: true } }]).toArray();
    const { connections } = await admin.command({ serverStatus: 1 });
    expect(all).toHaveLength(connections.current);
    expect(all.some(({ active }) => !active)).toBe(true);
  });

  test.each<[what: string, database: string, command: Document, reply: Document]>([
    ['the startup warnings', 'admin', { getLog: 'startupWarnings' }, { log: [] }],
    [
      'show dbs',
      'admin',
      { listDatabases: 1, nameOnly: false },
      { databases: [{ name: 'shop', empty: false }] },
    ],
    [
      'show collections',
      'shop',
      { listCollections: 1, filter: {}, cursor: {}, nameOnly: true },
      { cursor: { firstBatch: [{ name: 'orders' }] } },
    ],
    [
      'getIndexes()',
      'shop',
      { listIndexes: 'orders', cursor: {} },
      { cursor: { firstBatch: [{ name: '_id_' }, { name: 'n_1' }] } },
    ],
    ['count()', 'shop', { count: 'orders' }, { n: 3 }],
    ['validate()', 'shop', { validate: 'orders', full: true }, { valid: true, nrecords: 3 }],
    [
      'explain()',
      'shop',
      { explain: { find: 'orders', filter: {} }, verbosity: 'executionStats' },
      { executionStats: { nReturned: 3 } },
    ],
  ])('mongosh gets %s', async (_, database, command, reply) => {
    expect(await client.db(database).command(command)).toMatchObject(reply);
  });
});

describe('source stages', () => {
  const on = (pipeline: object[]) => shop.collection('orders').aggregate(pipeline).toArray();

  test.each<[string, () => Promise<unknown>, number]>([
    ['$collStats after another stage', () => on([{ $match: {} }, { $collStats: { count: {} } }]), 40602],
    ['$indexStats after another stage', () => on([{ $limit: 1 }, { $indexStats: {} }]), 40602],
    ['$currentOp on a collection', () => on([{ $currentOp: {} }]), 73],
    ['$currentOp outside of admin', () => shop.aggregate([{ $currentOp: {} }]).toArray(), 73],
    ['$collStats without a collection', () => admin.aggregate([{ $collStats: {} }]).toArray(), 73],
    ['another stage without a collection', () => admin.aggregate([{ $match: {} }]).toArray(), 73],
    ['an empty pipeline without a collection', () => admin.aggregate([]).toArray(), 73],
    ['$collStats that is not an object', () => on([{ $collStats: 1 }]), 40166],
    ['$collStats with an unknown option', () => on([{ $collStats: { foo: {} } }]), 40415],
    ['$collStats with a count that is not empty', () => on([{ $collStats: { count: { a: 1 } } }]), 40415],
    ['$collStats with a scale of 0', () => on([{ $collStats: { storageStats: { scale: 0 } } }]), 51024],
    ['$collStats with latencyStats', () => on([{ $collStats: { latencyStats: {} } }]), 238],
    ['$indexStats with options', () => on([{ $indexStats: { a: 1 } }]), 28803],
    [
      '$currentOp with an unknown option',
      () => admin.aggregate([{ $currentOp: { foo: true } }]).toArray(),
      9,
    ],
    [
      '$currentOp with a number',
      () => admin.aggregate([{ $currentOp: { idleConnections: 1 } }]).toArray(),
      9,
    ],
  ])('source stages rejects %s with its code', async (_, run, code) => {
    expect(await rejection(run())).toMatchObject({ code });
  });

  test('$collStats of a large collection runs on another thread, with the same result', async () => {
    const many = shop.collection('many');
    await many.insertMany(Array.from({ length: 6000 }, (_, n) => ({ n })));
    const [reply] = await many.aggregate([{ $collStats: { storageStats: {}, count: {} } }]).toArray();
    expect(reply).toMatchObject({
      ns: 'shop.many',
      count: 6000,
      storageStats: { count: 6000, size: 6000 * 29 },
    });
  });
});

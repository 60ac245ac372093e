import type { Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, expectFields, expectSame } from './support/values.ts';

const ground = prepareGround('server');

describe('the server describes itself', () => {
  test.each(['hello', 'isMaster', 'ismaster'])('%s', async (name) => {
    const reply = await ground.admin({ [name]: 1 });
    expectFields(reply, {
      [name === 'hello' ? 'isWritablePrimary' : 'ismaster']: true,
      maxBsonObjectSize: 16 * 1024 * 1024,
      maxMessageSizeBytes: 48_000_000,
      logicalSessionTimeoutMinutes: 30,
      minWireVersion: 0,
      readOnly: false,
    });
    expect(Number(reply.maxWireVersion)).toBeGreaterThanOrEqual(21);
    expect(reply.localTime).toBeInstanceOf(Date);
    expect(reply).not.toHaveProperty('setName');
  });

  test('buildInfo', async () => {
    const reply = await ground.admin({ buildInfo: 1 });
    expect(reply.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(reply.versionArray.map(Number).slice(0, 3).join('.')).toBe(reply.version.split('-')[0]);
    expectFields(reply, { bits: 64, maxBsonObjectSize: 16 * 1024 * 1024 });
  });

  test.each<[Document, string[]]>([
    [{ ping: 1 }, []],
    [{ hostInfo: 1 }, ['system', 'os', 'extra']],
    [{ serverStatus: 1 }, ['host', 'version', 'process', 'pid', 'uptime', 'localTime']],
    [{ connectionStatus: 1 }, ['authInfo']],
    [{ getLog: '*' }, ['names']],
    [{ getLog: 'startupWarnings' }, ['totalLinesWritten', 'log']],
    [{ getLog: 'global' }, ['totalLinesWritten', 'log']],
    [{ listDatabases: 1 }, ['databases', 'totalSize']],
    [{ endSessions: [] }, []],
    [{ refreshSessions: [] }, []],
    [{ killSessions: [] }, []],
  ])('%j', async (command, fields) => {
    const reply = await ground.admin(command);
    expect(Number(reply.ok)).toBe(1);
    for (const field of fields) expect(reply).toHaveProperty(field);
  });

  test.each<[Document, number]>([
    [{ frobnicate: 1 }, 59],
    [{ getLog: 'nothing' }, 96],
    [{ dropDatabase: 1 }, 20],
  ])('%j is rejected with %i', async (command, code) => {
    expect(await codeOf(ground.admin(command))).toBe(code);
  });

  test.each(['listDatabases', 'getLog'])('%s is rejected on a database other than admin', async (name) => {
    expect(await codeOf(ground.command({ [name]: 1 }))).toBe(13);
  });
});

test('$currentOp names the application of each connection', async () => {
  const operations = await ground.database.client
    .db('admin')
    .aggregate([{ $currentOp: { allUsers: true, idleConnections: true } }])
    .toArray();
  expect(operations.map(({ appName }) => appName)).toContain('conformance');
});

describe('statistics', () => {
  test('dbStats returns sums over the collections', async () => {
    await ground.things.insertMany([{ a: 1 }, { a: 2 }]);
    await ground.database.collection('others').insertOne({});
    const reply = await ground.command({ dbStats: 1 });
    const counts = ['collections', 'objects', 'indexes', 'views'].map((field) => Number(reply[field]));
    expect(counts).toEqual([2, 3, 2, 0]);
    expectSame(reply.db, 'conformance_server');
  });

  test('validate reports an intact collection as valid', async () => {
    await ground.things.insertMany([{ a: [1, 2] }, { a: 2 }]);
    await ground.things.createIndex({ a: 1 });
    const reply = await ground.command({ validate: 'things' });
    expectFields(reply, {
      ns: 'conformance_server.things',
      valid: true,
      nIndexes: 2,
      nrecords: 2,
      errors: [],
      warnings: [],
    });
    expectSame(reply.keysPerIndex, { _id_: 2, a_1: 3 });
    expect(await codeOf(ground.command({ validate: 'nothing' }))).toBe(26);
  });
});

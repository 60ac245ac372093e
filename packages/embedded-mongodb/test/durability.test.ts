import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { start } from '../src/index.ts';
import { killUnderWriters } from './support/kill-rounds.ts';
import { runToEnd, startProcess } from './support/server-process.ts';
import { startForTest, temporaryFolder } from './support/server-under-test.ts';
import { countCommits } from './support/wal-commits.ts';

const WRITERS = 64;
/** bench/durability.ts kills the server more often. */
const ROUNDS = 2;

test('kill -9 under 64 writers loses no acknowledged write and leaves every index consistent with its documents', async () => {
  const outcome = await killUnderWriters(join(temporaryFolder(), 'data.db'), ROUNDS);
  expect(outcome.lost).toEqual([]);
  expect(outcome.acknowledgedWrites).toBeGreaterThan(ROUNDS * 300);
  expect(outcome.validation).toMatchObject({ valid: true, errors: [] });
}, 120_000);

test('64 concurrent writers share commits, while one writer commits each write', async () => {
  const path = join(temporaryFolder(), 'data.db');
  const { client } = await startForTest({ path, fsync: true });
  const things = client.db('test').collection('things');
  await things.createIndex({ n: 1 });
  const commitsFor = async (writers: number, writesEach: number) => {
    const before = countCommits(path);
    const write = async () => {
      for (let n = 0; n < writesEach; n++) await things.insertOne({ n });
    };
    await Promise.all(Array.from({ length: writers }, write));
    return countCommits(path) - before;
  };
  // Opens the connections.
  await commitsFor(WRITERS, 5);
  expect(await commitsFor(WRITERS, 20)).toBeLessThanOrEqual((WRITERS * 20) / 16);
  expect(await commitsFor(1, 10)).toBe(10);
});

test('the data file rejects a second process and names the reason', async () => {
  const path = join(temporaryFolder(), 'data.db');
  const server = await startProcess(path);
  const second = await runToEnd(['--port', '0', '--data', path]);
  expect(second.exitCode).toBe(1);
  expect(second.output).toContain('is in use by another embedded-mongodb');
  expect(await server.stop()).toBe(0);
});

test('the data file preserves databases, documents, indexes, and multikey marks across a restart', async () => {
  const path = join(temporaryFolder(), 'data.db');
  const first = await start({ path, fsync: false });
  const before = await new MongoClient(first.url).connect();
  const things = before.db('shop').collection('things');
  await things.createIndex({ tags: 1 }, { name: 'by tag' });
  await things.insertOne({ _id: 1 as never, tags: ['a', 'z'] });
  await before.close();
  await first.stop();

  const second = await start({ path, fsync: false });
  const after = await new MongoClient(second.url).connect();
  const found = await after
    .db('shop')
    .collection('things')
    .find({ tags: { $gt: 'y', $lt: 'b' } })
    .hint('by tag')
    .toArray();
  expect(found).toEqual([{ _id: 1, tags: ['a', 'z'] }]);
  await after.close();
  await second.stop();
});

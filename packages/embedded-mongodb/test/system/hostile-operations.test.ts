import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillForHostileOperations, HOSTILE_OPERATIONS } from '../support/hostile-operations.ts';
import { type MonitoredProcess, startMonitored } from '../support/server-process.ts';
import { temporaryFolder } from '../support/server-under-test.ts';

const HOSTILE_CLIENTS = 3;
/** Ends reads that would otherwise compute for half a minute. */
const MAX_TIME_MS = 250;
/** CPU time, which depends on the machine and its load, but less than elapsed time does. */
const MAX_STALL_MS = 100;
const MAX_STALLS = 5;
const COMPUTES_TOO_MUCH = 96;
const MAX_TIME_MS_EXPIRED = 50;
/** How an operation that is not rejected may end: with its result, or at one of the limits. */
const ACCEPTED_OUTCOMES = ['result', COMPUTES_TOO_MUCH, MAX_TIME_MS_EXPIRED];
const MAX_READERS = 3;
/** The approximate time that a read may compute without a time limit. */
const MAX_READ_MS = 30_000;
const SLOW_CLIENTS = 12;
const READS = 40;
/** The request in progress, the next one, and two whose replies arrive late. */
const MAX_SLOW_REPLIES_PER_READ = 4;

describe('while other clients run hostile operations', { timeout: 240_000 }, () => {
  let server: MonitoredProcess;
  let client: MongoClient;

  beforeAll(async () => {
    server = await startMonitored(join(temporaryFolder(), 'data.db'));
    client = await new MongoClient(server.url).connect();
    await fillForHostileOperations(client.db('hostile'));
  }, 60_000);

  afterAll(async () => {
    await client.close();
    await server.kill();
  });

  async function outcomeOf(
    operation: (typeof HOSTILE_OPERATIONS)[number],
  ): Promise<number | 'result' | Error> {
    try {
      await operation.run(client.db('hostile'), { maxTimeMS: MAX_TIME_MS });
      return 'result';
    } catch (error) {
      const { code } = error as { code?: unknown };
      return typeof code === 'number' ? code : (error as Error);
    }
  }

  test('no operation blocks the thread that serves every client, and each ends with a result or its error code', async () => {
    await server.stalls();
    const outcomes: Record<string, unknown> = {};
    const left = [...HOSTILE_OPERATIONS];
    const attack = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        outcomes[next.title] = await outcomeOf(next);
    };
    await Promise.all(Array.from({ length: HOSTILE_CLIENTS }, attack));
    const stalls = await server.stalls();

    for (const { title, code } of HOSTILE_OPERATIONS)
      expect(code === undefined ? ACCEPTED_OUTCOMES : [code, MAX_TIME_MS_EXPIRED], title).toContain(
        outcomes[title],
      );
    expect(stalls.filter((ms) => ms > MAX_STALL_MS).length).toBeLessThan(MAX_STALLS);
    expect(Math.max(0, ...stalls)).toBeLessThan(MAX_STALLS * MAX_STALL_MS);
  });

  test('a client is served between two of many slow writes', async () => {
    const arrays = client.db('hostile').collection<{ many: number[] }>('arrays');
    const reader = await new MongoClient(server.url).connect();
    let slowReplies = 0;
    let isRunning = true;
    const write = async () => {
      while (isRunning) {
        // Compares 100,000 elements and changes nothing.
        await arrays.updateOne({}, { $pull: { many: -1 } });
        slowReplies += 1;
      }
    };
    const writing = Array.from({ length: SLOW_CLIENTS }, write);
    while (slowReplies < SLOW_CLIENTS) await reader.db('hostile').command({ ping: 1 });

    const lists = reader.db('hostile').collection('lists');
    const slowRepliesPerRead: number[] = [];
    for (let read = 0; read < READS; read++) {
      const before = slowReplies;
      await lists.findOne({}, { projection: { _id: 1 } });
      slowRepliesPerRead.push(slowReplies - before);
    }
    isRunning = false;
    await Promise.all(writing);
    await reader.close();

    // Not the median: on a busy machine, many reads arrive late. In turn with the others, every read would wait for 12.
    const lowerQuartile = slowRepliesPerRead.toSorted((a, b) => a - b)[READS / 4];
    expect(lowerQuartile).toBeLessThanOrEqual(MAX_SLOW_REPLIES_PER_READ);
  });

  test('their reads end when they disconnect, and long reads of other clients run', async () => {
    const endless = HOSTILE_OPERATIONS.find(({ title }) => title.startsWith('$unwind: 3'));
    const attackers = await Promise.all(
      Array.from({ length: MAX_READERS }, () => new MongoClient(server.url).connect()),
    );
    const attacks = attackers.map((attacker) => endless?.run(attacker.db('hostile'), {}).catch(() => {}));
    await currentReads(MAX_READERS);
    await Promise.all(attackers.map((attacker) => attacker.close(true)));
    await Promise.all(attacks);

    const startedAt = performance.now();
    expect(await client.db('hostile').collection('things').countDocuments({ text: /7$/ })).toBe(500);
    expect(performance.now() - startedAt).toBeLessThan(MAX_READ_MS / 2);
  });

  /** Resolves when `count` reads are in progress. */
  async function currentReads(count: number): Promise<void> {
    const admin = client.db('admin');
    for (;;) {
      const reads = admin.aggregate([{ $currentOp: {} }, { $match: { 'command.aggregate': 'lists' } }]);
      if ((await reads.toArray()).length >= count) return;
    }
  }
});

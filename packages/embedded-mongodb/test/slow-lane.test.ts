import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillForHostileOperations, HOSTILE_OPERATIONS } from './support/hostile-operations.ts';
import { type MonitoredProcess, startMonitored } from './support/server-process.ts';
import { temporaryFolder } from './support/server-under-test.ts';

const SLOW_CLIENTS = 12;
const READS = 40;
/** The request in progress, the next one, and two whose replies arrive late. In turn with the others, it would be 12. */
const MAX_SLOW_REPLIES_PER_READ = 4;

describe('while many clients repeat slow writes', { timeout: 60_000 }, () => {
  const slowWrite = HOSTILE_OPERATIONS.find(({ title }) => title === '$expr: of a findAndModify');
  let server: MonitoredProcess;
  let reader: MongoClient;
  let writers: MongoClient;

  beforeAll(async () => {
    server = await startMonitored(join(temporaryFolder(), 'data.db'));
    reader = await new MongoClient(server.url).connect();
    writers = await new MongoClient(server.url, { maxPoolSize: SLOW_CLIENTS }).connect();
    await fillForHostileOperations(writers.db('hostile'));
  }, 60_000);

  afterAll(async () => {
    await writers.close();
    await reader.close();
    await server.kill();
  });

  it('serves another client between two of them', async () => {
    let slowReplies = 0;
    let isRunning = true;
    const write = async () => {
      while (isRunning) {
        await slowWrite?.run(writers.db('hostile'), {}).catch(() => {});
        slowReplies += 1;
      }
    };
    const writing = Array.from({ length: SLOW_CLIENTS }, write);
    while (slowReplies < SLOW_CLIENTS) await reader.db('hostile').command({ ping: 1 });

    const before = slowReplies;
    const lists = reader.db('hostile').collection('lists');
    for (let read = 0; read < READS; read++) await lists.findOne({}, { projection: { _id: 1 } });
    const slowRepliesWhileReading = slowReplies - before;
    isRunning = false;
    await Promise.all(writing);

    expect(slowRepliesWhileReading).toBeLessThan(READS * MAX_SLOW_REPLIES_PER_READ);
  });
});

import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { MongoClient } from 'mongodb';

/** The durations of single operations in milliseconds. */
export interface Latencies {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

/** Operations are due at fixed times: a slow operation delays, and thereby lengthens, the next ones. */
const MS_BETWEEN_OPERATIONS = 25;

/** A client on a separate thread that alternately reads and updates one document. */
export interface Victim {
  stop(): Promise<Latencies>;
}

export async function startVictim(port: number): Promise<Victim> {
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData: { port } });
  await once(thread, 'message');
  return {
    async stop() {
      thread.postMessage('stop');
      const [latencies] = (await once(thread, 'message')) as [Latencies];
      await thread.terminate();
      return latencies;
    },
  };
}

async function run(port: number): Promise<void> {
  const client = await new MongoClient(`mongodb://127.0.0.1:${port}`, { maxPoolSize: 1 }).connect();
  const documents = client.db('victim').collection<{ _id: number; n: number }>('documents');
  await documents.updateOne({ _id: 1 }, { $set: { n: 0 } }, { upsert: true });
  const times: number[] = [];
  let dueAt = performance.now();
  const countAsDone = () => {
    times.push(performance.now() - dueAt);
    dueAt += MS_BETWEEN_OPERATIONS;
  };
  parentPort?.once('message', () => {
    // Operations that are due but have no reply count with their waiting time so far.
    while (dueAt < performance.now()) countAsDone();
    times.sort((a, b) => a - b);
    const at = (share: number) =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] as number;
    parentPort?.postMessage({ count: times.length, p50: at(0.5), p99: at(0.99), max: at(1) });
  });
  parentPort?.postMessage('started');
  for (;;) {
    await documents.findOne({ _id: 1 });
    countAsDone();
    await untilDue(dueAt);
    await documents.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    countAsDone();
    await untilDue(dueAt);
  }
}

async function untilDue(dueAt: number): Promise<void> {
  const ms = dueAt - performance.now();
  if (ms > 0) await setTimeout(ms);
}

if (!isMainThread) await run((workerData as { port: number }).port);

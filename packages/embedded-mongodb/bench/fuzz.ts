/*
 * Sends malformed messages to a server and verifies that the server and another connection keep working.
 * Usage: node bench/fuzz.ts [messages] [seed]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { fuzz } from '../test/support/fuzz.ts';
import { startProcess } from '../test/support/server-process.ts';

const DEFAULT_MESSAGES = 50_000;
const messages = Number(process.argv[2] ?? DEFAULT_MESSAGES);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
const server = await startProcess(join(folder, 'data.db'));
const client = await new MongoClient(server.url, { retryReads: false, retryWrites: false }).connect();
const witness = client.db('witness').collection<{ _id: number; n: number }>('counters');

let isOver = false;
/** Writes and reads back until the fuzzing ends. Any error or wrong reply ends the script. */
async function work(): Promise<number> {
  await witness.insertOne({ _id: 1, n: 0 });
  let n = 0;
  while (!isOver) {
    n += 1;
    await witness.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    const found = await witness.findOne({ _id: 1 });
    if (found?.n !== n) throw new Error(`the witness wrote ${n} and read ${found?.n}`);
  }
  return n;
}

const working = work();
const outcome = await fuzz(server.port, messages, seed);
isOver = true;
const witnessed = await working;
const fuzzed = client.db('fuzzed');
for (const { name } of await fuzzed.listCollections().toArray()) {
  const { valid, errors } = await fuzzed.command({ validate: name });
  if (!valid) throw new Error(`an index of ${name} disagrees with its documents: ${errors.join('; ')}`);
}
console.table({
  seed,
  'spoilt messages': outcome.sent,
  'completed (mostly with an error)': outcome.answered,
  'ended their connection': outcome.closed,
  'writes of another connection meanwhile, all read back': witnessed,
});
await client.close();
if ((await server.stop()) !== 0) throw new Error('the server did not stop in order');
rmSync(folder, { recursive: true });

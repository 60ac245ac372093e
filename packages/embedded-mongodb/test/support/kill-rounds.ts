import { type Collection, type Document, MongoClient } from 'mongodb';
import { startProcess } from './server-process.ts';

const WRITERS = 64;
const ACKNOWLEDGED_BEFORE_KILL = 300;
const COLLECTION = 'counters';

interface Counter {
  _id: string;
  writer: number;
  version: number;
}

export interface KillOutcome {
  acknowledgedWrites: number;
  /** The ids of documents that are missing or older than the acknowledged version. */
  lost: string[];
  /** The result of `validate` at the end. */
  validation: Document;
}

/**
 * Kills the server (kill -9) under 64 writers once per round and starts it again on the same file. Then reads all
 * acknowledged documents.
 */
export async function killUnderWriters(
  path: string,
  rounds: number,
  onRound: (round: number) => void = () => {},
): Promise<KillOutcome> {
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const server = await startProcess(path);
    const client = await connect(server.url);
    const counters = client.db('test').collection<Counter>(COLLECTION);
    await counters.createIndex({ writer: 1, version: 1 });
    await counters.createIndex({ version: 1, _id: 1 }, { unique: true });
    const writing = writeUntilGone(counters, round, acknowledged);
    await untilAcknowledged(acknowledged, (round + 1) * ACKNOWLEDGED_BEFORE_KILL);
    await server.kill();
    // Ends the writers, which would wait for the server.
    await client.close();
    await writing;
    onRound(round);
  }

  const server = await startProcess(path);
  const client = await connect(server.url);
  const counters = client.db('test').collection<Counter>(COLLECTION);
  const stored = new Map((await counters.find().toArray()).map(({ _id, version }) => [_id, version]));
  const outcome = {
    acknowledgedWrites: [...acknowledged.values()].reduce((sum, version) => sum + version, 0),
    lost: [...acknowledged].filter(([id, version]) => (stored.get(id) ?? 0) < version).map(([id]) => id),
    validation: await client.db('test').command({ validate: COLLECTION }),
  };
  await client.close();
  await server.stop();
  return outcome;
}

function connect(url: string): Promise<MongoClient> {
  return new MongoClient(url, { maxPoolSize: WRITERS }).connect();
}

/** Repeatedly inserts and updates a document and records acknowledged writes, until the server is down. */
async function writeUntilGone(
  counters: Collection<Counter>,
  round: number,
  acknowledged: Map<string, number>,
): Promise<void> {
  const write = async (writer: number) => {
    for (let n = 0; ; n++) {
      const _id = `${round}-${writer}-${n}`;
      await counters.insertOne({ _id, writer, version: 1 });
      acknowledged.set(_id, 1);
      const updated = await counters.findOneAndUpdate(
        { _id, version: 1 },
        { $inc: { version: 1 } },
        { returnDocument: 'after' },
      );
      acknowledged.set(_id, updated?.version ?? Number.NaN);
    }
  };
  await Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
}

async function untilAcknowledged(acknowledged: ReadonlyMap<string, number>, least: number): Promise<void> {
  while (acknowledged.size < least) await new Promise((resolve) => setTimeout(resolve, 5));
}

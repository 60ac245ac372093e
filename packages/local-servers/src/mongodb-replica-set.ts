import { setTimeout as delay } from 'node:timers/promises';
import { type Document, MongoClient, MongoServerError } from 'mongodb';

/** MongoDB's code for a server that belongs to no replica set yet. */
const NOT_YET_INITIALIZED = 94;
const POLL_MS = 500;

interface Member {
  _id: number;
  host: string;
}

interface ReplicaSetConfig extends Document {
  version: number;
  members: Member[];
}

/** Runs a command on the database `admin`. */
export type RunCommand = (command: Document) => Promise<Document>;

/** Initiates the replica set, or adds the members that it lacks, through its first member. It can be repeated. */
export async function ensureReplicaSet(
  url: string,
  wanted: { name: string; members: readonly string[] },
): Promise<void> {
  // A set that is not initiated has no primary to discover.
  const first = new MongoClient(url, { directConnection: true });
  try {
    await initiate((command) => first.db('admin').command(command), wanted);
  } finally {
    await first.close();
  }
  const primary = new MongoClient(url, { replicaSet: wanted.name });
  try {
    await addMembers((command) => primary.db('admin').command(command), wanted.members);
  } finally {
    await primary.close();
  }
}

/** Initiates the set with its first member: the others may still start. Does nothing if the server belongs to a set. */
export async function initiate(
  run: RunCommand,
  { name, members }: { name: string; members: readonly string[] },
): Promise<void> {
  try {
    await run({ replSetGetStatus: 1 });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NOT_YET_INITIALIZED) throw error;
    await run({ replSetInitiate: { _id: name, members: [{ _id: 0, host: members[0] }] } });
  }
}

/** Adds members one by one, as MongoDB requires, and waits until each has the data. Removes none. */
export async function addMembers(
  run: RunCommand,
  wanted: readonly string[],
  pollMs = POLL_MS,
): Promise<void> {
  for (const host of wanted) {
    const config = (await run({ replSetGetConfig: 1 }))['config'] as ReplicaSetConfig;
    if (config.members.some((member) => member.host === host)) continue;
    const _id = Math.max(...config.members.map((member) => member._id)) + 1;
    await run({
      replSetReconfig: {
        ...config,
        version: config.version + 1,
        members: [...config.members, { _id, host }],
      },
    });
    while (!(await isSecondary(run, host))) await delay(pollMs);
  }
}

async function isSecondary(run: RunCommand, host: string): Promise<boolean> {
  const { members } = await run({ replSetGetStatus: 1 });
  return (members as { name: string; stateStr: string }[]).some(
    ({ name, stateStr }) => name === host && stateStr === 'SECONDARY',
  );
}

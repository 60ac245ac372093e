import { DATABASES, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import type { Clock } from '@tollgate/runtime/clock';
import { type Connection, connectDatabase } from '../migrate/connect-database.ts';
import { checkClock } from './check-clock.ts';
import { checkSchema } from './check-schema.ts';
import { type Finding, ok, problem } from './finding.ts';

/** MongoDB's code for a command that the user may not run. */
const UNAUTHORIZED = 13;
/** What the embedded server states in place of a commit. */
const EMBEDDED = 'embedded-mongodb';

/** Connects with the options of the service, and inspects its database. Changes nothing. */
export async function checkMongoDB(url: string, owner: DatabaseOwner, clock: Clock): Promise<Finding[]> {
  let connection: Connection;
  try {
    connection = await connectDatabase(url, owner);
  } catch (error) {
    const remedy =
      'Check MONGODB_URL: hosts, user, password, and authSource. Then check that MongoDB runs and is reachable.';
    return [problem('mongodb', owner, (error as Error).message, remedy)];
  }
  try {
    return [...(await checkServer(connection, owner, clock)), ...(await checkDatabase(connection, owner))];
  } finally {
    await connection.close();
  }
}

async function checkServer(connection: Connection, owner: DatabaseOwner, clock: Clock): Promise<Finding[]> {
  const run = (command: string) => connection.db?.admin().command({ [command]: 1 });
  const { version, gitVersion } = (await run('buildInfo')) as { version: string; gitVersion?: string };
  const beforeMs = clock.now();
  const hello = (await run('hello')) as { setName?: string; msg?: string; localTime: Date };
  const afterMs = clock.now();
  const isEmbedded = gitVersion === EMBEDDED;
  return [
    ok(
      'mongodb',
      owner,
      `Connected to ${isEmbedded ? 'the embedded server' : `MongoDB ${version}`}, ${describeTopology(hello)}.`,
    ),
    checkClock('MongoDB', { beforeMs, serverMs: hello.localTime.getTime(), afterMs }),
  ];
}

function describeTopology({ setName, msg }: { setName?: string; msg?: string }): string {
  if (setName !== undefined) return `the replica set ${setName}`;
  return msg === 'isdbgrid' ? 'a sharded cluster' : 'a single server, whose loss is an outage';
}

/** The schema can be read with the permissions of the service only. */
async function checkDatabase(connection: Connection, owner: DatabaseOwner): Promise<Finding[]> {
  const permissions = await checkPermissions(connection, owner);
  return permissions.status === 'problem'
    ? [permissions]
    : [permissions, ...(await checkSchema(connection, owner))];
}

/** An update that matches no document needs the same permission as one that does. */
async function checkPermissions(connection: Connection, owner: DatabaseOwner): Promise<Finding> {
  const database = DATABASES[owner];
  try {
    await connection.db?.listCollections().toArray();
    await connection.collection('doctor').updateOne({ _id: 'none' as never }, { $set: { checked: true } });
    return ok('mongodb', owner, `The user may read and write ${database}.`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNAUTHORIZED) throw error;
    const remedy = `Give it the role readWrite on ${database}: run packages/launcher/src/containers/create-mongodb-users.ts.`;
    return problem('mongodb', owner, `The user may not read and write ${database}.`, remedy);
  }
}

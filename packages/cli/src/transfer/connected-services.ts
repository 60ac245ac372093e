import { DATABASE_OWNERS } from '@tollgate/contracts/platform/databases';
import { type MongoClient, MongoServerError } from 'mongodb';
import { type Terminal, UsageError } from '../command.ts';

/** MongoDB's code for a command that the user may not run. */
const UNAUTHORIZED = 13;

/**
 * Rejects a server that services are connected to. A user without the permission to see connections gets a warning.
 * @throws UsageError
 */
export async function requireNoServices(client: MongoClient, { printError }: Terminal): Promise<void> {
  const services = await connectedServices(client);
  if (services === null) {
    printError(
      'The user of MONGODB_URL lacks the role clusterMonitor, so connected services cannot be detected. ' +
        'Check that all processes of Tollgate except its servers are stopped.',
    );
  } else if (services.length > 0) {
    throw new UsageError(
      `Services are connected to the server: ${services.join(', ')}. Stop all processes of Tollgate except its servers, then repeat the command.`,
    );
  }
}

/** Null if the user may not see them. */
async function connectedServices(client: MongoClient): Promise<string[] | null> {
  const stage = { $currentOp: { allUsers: true, idleConnections: true } };
  try {
    const connections = await client.db('admin').aggregate([stage]).toArray();
    const names = new Set(connections.map(({ appName }) => appName));
    return DATABASE_OWNERS.filter((owner) => names.has(owner));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === UNAUTHORIZED) return null;
    throw error;
  }
}

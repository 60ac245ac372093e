import { MongoClient } from 'mongodb';
import { type Terminal, UsageError } from '../command.ts';
import { readSecret } from '../read-secret.ts';

const SERVER_SELECTION_TIMEOUT_MS = 10_000;

/**
 * Connects to the server in `MONGODB_URL`, with the guarantees of the services: a majority acknowledges every write after it is in their
 * journals. @throws UsageError
 */
export async function connect({ env }: Terminal): Promise<MongoClient> {
  const url = readSecret(env, 'MONGODB_URL');
  if (url === '') {
    throw new UsageError(
      'Set MONGODB_URL, or MONGODB_URL_FILE, to the address of the server, with a user that may read and write all databases. ' +
        'An address has a password: do not pass it as an argument, which every user of the machine can see.',
    );
  }
  try {
    const client = new MongoClient(url, {
      appName: 'tollgate-cli',
      w: 'majority',
      journal: true,
      readConcernLevel: 'majority',
      readPreference: 'primary',
      serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
    });
    return await client.connect();
  } catch (error) {
    throw new UsageError(
      `The server in MONGODB_URL cannot be used: ${(error as Error).message}. Check hosts, user, password, and authSource, and that it runs.`,
    );
  }
}

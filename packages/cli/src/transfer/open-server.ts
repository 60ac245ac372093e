import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type DataPaths, dataPaths } from '@tollgate/launcher/data-dir';
import { MongoClient } from 'mongodb';
import { DATA_FILE } from '../backup/manifest.ts';
import { type Terminal, UsageError } from '../command.ts';
import { loadEmbeddedServer } from '../load-platform.ts';
import { readSecret } from '../read-secret.ts';

const SERVER_SELECTION_TIMEOUT_MS = 10_000;
const PASSWORD_BYTES = 18;

/** A server to read from or to write to. */
export interface OpenServer {
  client: MongoClient;
  close(): Promise<void>;
}

/**
 * Connects to the server in `MONGODB_URL`, or serves the data folder of an installation. Its lock proves that the installation is
 * stopped.
 * @param prepare called before a data folder is served, which creates its data file if there is none @throws UsageError
 */
export async function openServer(
  dataDir: string | undefined,
  { env }: Terminal,
  prepare: (paths: DataPaths) => Promise<void> = async () => undefined,
): Promise<OpenServer> {
  const url = readSecret(env, 'MONGODB_URL');
  if (dataDir === undefined) {
    if (url === '') throw noServer();
    const client = await connect(url);
    return { client, close: () => client.close() };
  }
  if (url !== '') throw new UsageError('MONGODB_URL and --data-dir are both set. Remove one of them.');
  const paths = dataPaths(dataDir);
  await prepare(paths);
  const server = await serve(paths);
  const client = await connect(server.url);
  return {
    client,
    async close() {
      await client.close();
      await server.stop();
    },
  };
}

async function serve({ mongodbDir }: DataPaths) {
  const { start } = await loadEmbeddedServer();
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  try {
    return await start({
      path: join(mongodbDir, DATA_FILE),
      user: 'tollgate-cli',
      password,
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message} If npm start uses this folder, stop it first.`);
  }
}

/** Writes have the guarantees of the services: a majority acknowledges every write after it is in their journals. */
async function connect(url: string): Promise<MongoClient> {
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

function noServer(): UsageError {
  return new UsageError(
    'Set MONGODB_URL, or MONGODB_URL_FILE, to the address of the server, with a user that may read and write all databases, or pass ' +
      '--data-dir for an installation of npm start. An address has a password: do not pass it as an argument, which every user of the ' +
      'machine can see.',
  );
}

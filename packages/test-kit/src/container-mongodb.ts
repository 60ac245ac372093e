import { randomBytes } from 'node:crypto';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { createMongoDBUsers } from '@tollgate/local-servers/mongodb-users';
import { MongoClient } from 'mongodb';
import { MONGO_IMAGE } from './back-end.ts';
import { startContainerServer } from './container-server.ts';
import { type ServerUsers, TEST_USER } from './server-users.ts';
import type { TestServer } from './test-server.ts';

const PING_TIMEOUT_MS = 1_000;

/** Starts MongoDB from the image in `TEST_MONGO_IMAGE`: standalone, reachable only from this machine. */
export async function startContainerMongoDB(users: ServerUsers['mongodb'] = []): Promise<TestServer> {
  const hostPort = await findFreePort();
  const password = randomBytes(16).toString('hex');
  const url = `mongodb://${TEST_USER}:${password}@127.0.0.1:${hostPort}/?authSource=admin&directConnection=true`;
  const server = await startContainerServer({
    image: MONGO_IMAGE,
    command: [],
    // With these, the image requires authentication.
    env: { MONGO_INITDB_ROOT_USERNAME: TEST_USER, MONGO_INITDB_ROOT_PASSWORD: password },
    containerPort: 27017,
    hostPort,
    url,
    isReady: () => respondsToPing(url),
  });
  await createMongoDBUsers(url, users);
  return server;
}

async function respondsToPing(url: string): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: PING_TIMEOUT_MS });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

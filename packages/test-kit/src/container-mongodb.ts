import { findFreePort } from '@tollgate/local-servers/free-ports';
import { MongoClient } from 'mongodb';
import { MONGO_IMAGE } from './back-end.ts';
import { startContainerServer } from './container-server.ts';
import type { TestServer } from './test-server.ts';

const PING_TIMEOUT_MS = 1_000;

/**
 * Starts MongoDB from the image in `TEST_MONGO_IMAGE`: standalone, without a password, reachable only from this
 * machine.
 */
export async function startContainerMongoDB(): Promise<TestServer> {
  const hostPort = await findFreePort();
  const url = `mongodb://127.0.0.1:${hostPort}/?directConnection=true`;
  return startContainerServer({
    image: MONGO_IMAGE,
    command: [],
    containerPort: 27017,
    hostPort,
    url,
    isReady: () => respondsToPing(url),
  });
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

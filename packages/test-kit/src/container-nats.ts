import { randomBytes } from 'node:crypto';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { natsIsReady } from '@tollgate/local-servers/nats-server/nats-process';
import { NATS_IMAGE } from './back-end.ts';
import { startContainerServer } from './container-server.ts';
import type { TestServer } from './test-server.ts';

const USER = 'tollgate';

/** Starts NATS with JetStream from the image in `TEST_NATS_IMAGE`. */
export async function startContainerNats(): Promise<TestServer> {
  const hostPort = await findFreePort();
  const password = randomBytes(16).toString('hex');
  return startContainerServer({
    image: NATS_IMAGE,
    command: ['--jetstream', '--store_dir', '/data', '--user', USER, '--pass', password],
    containerPort: 4222,
    hostPort,
    url: `nats://${USER}:${password}@127.0.0.1:${hostPort}`,
    isReady: () => natsIsReady(hostPort),
  });
}

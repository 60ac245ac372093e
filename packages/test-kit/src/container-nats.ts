import { randomBytes } from 'node:crypto';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { natsIsReady } from '@tollgate/local-servers/nats-server/nats-process';
import { NATS_IMAGE } from './back-end.ts';
import { startContainerServer } from './container-server.ts';
import { type AuthorizationOf, TEST_USER } from './server-users.ts';
import type { TestServer } from './test-server.ts';

const CONFIGURATION = '/etc/nats/tests.conf';

/** Starts NATS with JetStream from the image in `TEST_NATS_IMAGE`. */
export async function startContainerNats(authorization: AuthorizationOf): Promise<TestServer> {
  const hostPort = await findFreePort();
  const password = randomBytes(16).toString('hex');
  return startContainerServer({
    image: NATS_IMAGE,
    command: ['--config', CONFIGURATION],
    files: [
      {
        target: CONFIGURATION,
        content: `jetstream { store_dir: "/data" }\n${authorization({ name: TEST_USER, password })}`,
      },
    ],
    containerPort: 4222,
    hostPort,
    url: `nats://${TEST_USER}:${password}@127.0.0.1:${hostPort}`,
    isReady: () => natsIsReady(hostPort),
  });
}

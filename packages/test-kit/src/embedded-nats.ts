import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '@tollgate/local-servers/checkout';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { findNatsServer } from '@tollgate/local-servers/nats-server/find-nats-server';
import {
  natsIsReady,
  natsStoreDir,
  prepareNatsServer,
} from '@tollgate/local-servers/nats-server/nats-process';
import { type ChildServer, startChildServer } from './child-server.ts';
import { type AuthorizationOf, TEST_USER } from './server-users.ts';
import type { TestServer } from './test-server.ts';

/** Starts a real nats-server with JetStream in a temporary folder, with the configuration of `npm start`. */
export async function startEmbeddedNats(authorization: AuthorizationOf): Promise<TestServer> {
  const { env } = process;
  const server = await findNatsServer({ env, cacheDir: cacheDir(env), say: () => undefined });
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-nats-'));
  const port = await findFreePort();
  const password = randomBytes(16).toString('hex');
  const { command, args } = await prepareNatsServer(server, {
    folder,
    port,
    authorization: authorization({ name: TEST_USER, password }),
  });

  let running: ChildServer | null = null;
  let earlierOutput = '';
  const start = async () => {
    running ??= await startChildServer({
      name: 'nats-server',
      command,
      args,
      folder,
      isReady: () => natsIsReady(port),
    });
  };
  const end = async (how: 'stop' | 'kill') => {
    await running?.[how]();
    earlierOutput += running?.output() ?? '';
    running = null;
  };
  await start();
  return {
    url: `nats://${TEST_USER}:${password}@127.0.0.1:${port}`,
    get pid() {
      return running?.pid ?? null;
    },
    storeDir: natsStoreDir(folder),
    start,
    output: async () => earlierOutput + (running?.output() ?? ''),
    stop: () => end('stop'),
    kill: () => end('kill'),
    async deleteStore() {
      await end('kill');
      await rm(natsStoreDir(folder), { recursive: true, force: true });
    },
    async dispose() {
      await end('kill');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

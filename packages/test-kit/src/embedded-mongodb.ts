import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedMongoDBCommand, embeddedMongoDBUrl } from '@tollgate/local-servers/embedded-mongodb';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { isPortOpen } from '@tollgate/local-servers/is-port-open';
import { type ChildServer, startChildServer } from './child-server.ts';
import { type ServerUsers, TEST_USER } from './server-users.ts';
import type { TestServer } from './test-server.ts';

/** Starts the embedded MongoDB as a separate process that a test can kill, with its file in a temporary folder. */
export async function startEmbeddedMongoDB(users: ServerUsers['mongodb'] = []): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-mongodb-'));
  const storeDir = join(folder, 'store');
  const credentials = { user: TEST_USER, password: randomBytes(16).toString('hex') };
  const port = await findFreePort();
  const { command, args, env } = embeddedMongoDBCommand({
    port,
    path: join(storeDir, 'data.db'),
    ...credentials,
    users,
  });

  let running: ChildServer | null = null;
  let earlierOutput = '';
  const start = async () => {
    running ??= await startChildServer({
      name: 'embedded-mongodb',
      command,
      args,
      env: { ...process.env, ...env },
      folder,
      isReady: () => isPortOpen(port),
    });
  };
  const end = async (how: 'stop' | 'kill') => {
    await running?.[how]();
    earlierOutput += running?.output() ?? '';
    running = null;
  };
  await start();
  return {
    url: embeddedMongoDBUrl({ port, ...credentials }),
    get pid() {
      return running?.pid ?? null;
    },
    storeDir,
    start,
    output: async () => earlierOutput + (running?.output() ?? ''),
    stop: () => end('stop'),
    kill: () => end('kill'),
    async deleteStore() {
      await end('kill');
      await rm(storeDir, { recursive: true, force: true });
    },
    async dispose() {
      await end('kill');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedMongoDBCommand } from '@tollgate/launcher/embedded-mongodb/command';
import { findFreePort } from '@tollgate/launcher/free-ports';
import { portAnswers } from '@tollgate/launcher/port-answers';
import { type ChildServer, startChildServer } from './child-server.ts';
import type { TestServer } from './test-server.ts';

/** The embedded MongoDB as a process of its own, so that a test can kill it, with its file in a temporary folder. */
export async function startEmbeddedMongoDB(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-mongodb-'));
  const port = await findFreePort();
  const { command, args, env, url } = embeddedMongoDBCommand({
    port,
    path: join(folder, 'data.db'),
    user: 'tollgate',
    password: randomBytes(16).toString('hex'),
  });

  let running: ChildServer | null = null;
  const start = async () => {
    running ??= await startChildServer({
      name: 'embedded-mongodb',
      command,
      args,
      env: { ...process.env, ...env },
      isReady: () => portAnswers(port),
    });
  };
  const end = async (how: 'stop' | 'kill') => {
    await running?.[how]();
    running = null;
  };
  await start();
  return {
    url,
    start,
    stop: () => end('stop'),
    kill: () => end('kill'),
    async deleteStore() {
      await end('kill');
      for (const suffix of ['', '-wal', '-shm']) await rm(join(folder, `data.db${suffix}`), { force: true });
    },
    async dispose() {
      await end('kill');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect as openSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT_MS = 10_000;

export interface TestNatsServer {
  url: string;
  start(): Promise<void>;
  /** SIGKILL: nothing is flushed, as in a crash. */
  kill(): Promise<void>;
  deleteStore(): Promise<void>;
  /** Kills the server and removes its files. */
  stop(): Promise<void>;
}

/** A real nats-server with JetStream on a free port, which it keeps when it is started again. */
export async function startNatsServer(
  options: { user?: string; password?: string } = {},
): Promise<TestNatsServer> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'bus-nats-'));
  const store = join(directory, 'store');
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const credentials =
      options.user === undefined ? [] : ['--user', options.user, '--pass', options.password ?? ''];
    child = spawn(
      'nats-server',
      ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store, ...credentials],
      {
        stdio: 'ignore',
      },
    );
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await accepts(port))) {
      if (Date.now() > deadline) throw new Error('nats-server did not start in time.');
      await sleep(10);
    }
  }

  async function kill(): Promise<void> {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  }

  await start();
  const credentials =
    options.user === undefined ? '' : `${options.user}:${encodeURIComponent(options.password ?? '')}@`;
  return {
    url: `nats://${credentials}127.0.0.1:${port}`,
    start,
    kill,
    deleteStore: () => rm(store, { recursive: true, force: true }),
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was assigned.');
  server.close();
  await once(server, 'close');
  return address.port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

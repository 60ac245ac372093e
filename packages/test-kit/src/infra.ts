import { startMongoDB } from './mongodb.ts';
import { startNats } from './nats.ts';
import type { ServerUsers } from './server-users.ts';
import type { TestServer } from './test-server.ts';

export interface Infra {
  readonly natsUrl: string;
  readonly mongodbUrl: string;
  readonly nats: TestServer;
  readonly mongodb: TestServer;
  /** Stops all servers and removes their data. */
  stop(): Promise<void>;
}

/**
 * Starts the servers of a test file: NATS, MongoDB, or by default both. `TEST_INFRA` chooses containers or embedded
 * servers; a test cannot tell which.
 */
export async function startInfra(
  wanted?: { nats?: boolean; mongodb?: boolean },
  users: ServerUsers = {},
): Promise<Infra> {
  const { nats: wantsNats = false, mongodb: wantsMongoDB = false } = wanted ?? { nats: true, mongodb: true };
  const started = await Promise.allSettled([
    wantsNats ? startNats(users.nats) : null,
    wantsMongoDB ? startMongoDB(users.mongodb) : null,
  ]);
  const [nats, mongodb] = started.map((server) => (server.status === 'fulfilled' ? server.value : null)) as [
    TestServer | null,
    TestServer | null,
  ];
  for (const server of started) {
    if (server.status === 'fulfilled') continue;
    // Otherwise a server that did start would outlive the failed test file.
    await Promise.all([nats?.dispose(), mongodb?.dispose()]);
    throw server.reason;
  }
  return {
    get nats() {
      return present(nats, 'nats');
    },
    get mongodb() {
      return present(mongodb, 'mongodb');
    },
    get natsUrl() {
      return present(nats, 'nats').url;
    },
    get mongodbUrl() {
      return present(mongodb, 'mongodb').url;
    },
    async stop() {
      await Promise.all([nats?.dispose(), mongodb?.dispose()]);
    },
  };
}

function present(server: TestServer | null, name: 'nats' | 'mongodb'): TestServer {
  if (server === null) throw new Error(`Not started. Request it with startInfra({ ${name}: true }).`);
  return server;
}

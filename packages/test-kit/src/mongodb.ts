import { MongoClient } from 'mongodb';
import { chooseBackEndOnce } from './back-end.ts';
import { startContainerMongoDB } from './container-mongodb.ts';
import { startEmbeddedMongoDB } from './embedded-mongodb.ts';
import type { ServerUsers } from './server-users.ts';
import type { TestServer } from './test-server.ts';

const SYSTEM_DATABASES = ['admin', 'config', 'local'];

/** A server that an earlier test file of this process used by its URL only. */
let spare: TestServer | null = null;

/**
 * Starts an empty server that speaks MongoDB's wire protocol, for one test file. Test files that share a process share the server, one after
 * the other, unless they stop it, look into its files, or want users of their own.
 */
export async function startMongoDB(users: ServerUsers['mongodb'] = []): Promise<TestServer> {
  if (users.length > 0) return startServer(users);
  const reused = spare;
  spare = null;
  if (reused !== null) await dropDatabases(reused.url);
  return sparedAfterUse(reused ?? (await startServer(users)));
}

async function startServer(users: ServerUsers['mongodb']): Promise<TestServer> {
  return (await chooseBackEndOnce()) === 'testcontainers'
    ? startContainerMongoDB(users)
    : startEmbeddedMongoDB(users);
}

/** A test that reads more than the URL can change the server, or see what an earlier file left. */
function sparedAfterUse(server: TestServer): TestServer {
  let isOnlyUrlUsed = true;
  return new Proxy(server, {
    get(target, property: keyof TestServer) {
      if (property === 'dispose') {
        return async () => {
          if (!isOnlyUrlUsed || spare !== null) return target.dispose();
          spare = target;
        };
      }
      if (property !== 'url') isOnlyUrlUsed = false;
      return target[property];
    },
  });
}

async function dropDatabases(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const ofTests = databases.filter(({ name }) => !SYSTEM_DATABASES.includes(name));
    for (const { name } of ofTests) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

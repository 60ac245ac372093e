import { chooseBackEndOnce } from './back-end.ts';
import { startContainerMongoDB } from './container-mongodb.ts';
import { startEmbeddedMongoDB } from './embedded-mongodb.ts';
import type { ServerUsers } from './server-users.ts';
import type { TestServer } from './test-server.ts';

/** Starts an empty server that speaks MongoDB's wire protocol, for one test file. */
export async function startMongoDB(users?: ServerUsers['mongodb']): Promise<TestServer> {
  return (await chooseBackEndOnce()) === 'testcontainers'
    ? startContainerMongoDB(users)
    : startEmbeddedMongoDB(users);
}

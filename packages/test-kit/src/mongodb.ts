import { chooseBackEndOnce } from './back-end.ts';
import { startContainerMongoDB } from './container-mongodb.ts';
import { startEmbeddedMongoDB } from './embedded-mongodb.ts';
import type { TestServer } from './test-server.ts';

/** Starts an empty server that speaks MongoDB's wire protocol, for one test file. */
export async function startMongoDB(): Promise<TestServer> {
  return (await chooseBackEndOnce()) === 'testcontainers' ? startContainerMongoDB() : startEmbeddedMongoDB();
}

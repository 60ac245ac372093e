import { chooseBackEndOnce } from './back-end.ts';
import { startContainerNats } from './container-nats.ts';
import { startEmbeddedNats } from './embedded-nats.ts';
import type { TestServer } from './test-server.ts';

/** Starts an empty, real NATS server with JetStream, for one test file. */
export async function startNats(): Promise<TestServer> {
  return (await chooseBackEndOnce()) === 'testcontainers' ? startContainerNats() : startEmbeddedNats();
}

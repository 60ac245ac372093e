import { chooseBackEndOnce } from './back-end.ts';
import { startContainerNats } from './container-nats.ts';
import { startEmbeddedNats } from './embedded-nats.ts';
import type { AuthorizationOf } from './server-users.ts';
import type { TestServer } from './test-server.ts';

/** Starts an empty, real NATS server with JetStream, for one test file. */
export async function startNats(authorization: AuthorizationOf = onlyTestUser): Promise<TestServer> {
  return (await chooseBackEndOnce()) === 'testcontainers'
    ? startContainerNats(authorization)
    : startEmbeddedNats(authorization);
}

function onlyTestUser({ name, password }: { name: string; password: string }): string {
  return `authorization { user: ${name}, password: ${JSON.stringify(password)} }\n`;
}

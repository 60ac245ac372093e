import type { ServerUrls } from '@tollgate/launcher/processes/servers';
import type { Secrets } from '@tollgate/launcher/secrets';
import { mongodbUsers, natsAuthorization } from '@tollgate/launcher/server-users';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';

/** Starts NATS and MongoDB with the users of `npm start`, and a user of the tests that may do everything. */
export function startPlatformInfra(secrets: Secrets): Promise<Infra> {
  return startInfra(undefined, {
    nats: (testUser) => natsAuthorization(secrets, testUser),
    mongodb: mongodbUsers(secrets),
  });
}

/** The addresses of the servers, with the users of the processes. */
export function serverUrls(infra: Infra, secrets: Secrets): ServerUrls {
  return {
    natsUrlOf: (process) => withUser(infra.natsUrl, process, secrets.natsPasswords[process]),
    mongodbUrlOf: (service) => withUser(infra.mongodbUrl, service, secrets.mongodbPasswords[service]),
  };
}

/** Throws if NATS has denied something to a process: the table of permissions lacks it. */
export async function requireNoDenial({ nats }: Infra): Promise<void> {
  const denials = (await nats.output()).split('\n').filter((line) => line.includes(' Violation - '));
  if (denials.length > 0) throw new Error(`NATS has denied:\n${denials.join('\n')}`);
}

function withUser(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  return url.href;
}

/**
 * `npm test` runs this once before all tests: prints what the tests run on, and passes the decision to the bootstrap,
 * so that test processes do not search for servers again.
 */
import { cacheDir } from '@tollgate/local-servers/checkout';
import { findNatsServer } from '@tollgate/local-servers/nats-server/find-nats-server';
import { formatVersion } from '@tollgate/local-servers/nats-server/server-version';
import { chooseBackEnd } from './back-end.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const variables = await choose();
  process.send?.(variables);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
// A connection to Docker may be kept alive, and the channel to the bootstrap always is.
if (process.connected) process.disconnect?.();

async function choose(): Promise<Record<string, string>> {
  const { env } = process;
  const { backEnd, because } = await chooseBackEnd(env, say);
  if (backEnd === 'testcontainers') {
    say(`Tests run on testcontainers (${because}).`);
    const reaperDisabled = env['TESTCONTAINERS_RYUK_DISABLED'];
    return { TEST_INFRA: backEnd, ...(reaperDisabled && { TESTCONTAINERS_RYUK_DISABLED: reaperDisabled }) };
  }
  const server = await findNatsServer({ env, cacheDir: cacheDir(env), say });
  say(
    `Tests run on embedded servers (${because}): embedded-mongodb, and nats-server ${formatVersion(server.version)} from ${server.path}.`,
  );
  return { TEST_INFRA: backEnd, NATS_SERVER: server.path };
}

/**
 * `npm test` runs this once before all tests: prints what the tests run on, and passes the decision to the bootstrap,
 * so that test processes do not search for servers again.
 */
import { cacheDir } from '@tollgate/local-servers/checkout';
import { findNatsServer, RELEASE_FIRST } from '@tollgate/local-servers/nats-server/find-nats-server';
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
    const reaperDisabled = env['TESTCONTAINERS_RYUK_DISABLED'];
    return {
      ...announce(`testcontainers (${because})`),
      TEST_INFRA: backEnd,
      ...(reaperDisabled && { TESTCONTAINERS_RYUK_DISABLED: reaperDisabled }),
    };
  }
  const { path, version } = await findNatsServer({ env, cacheDir: cacheDir(env), say }, RELEASE_FIRST);
  const nats = `nats-server ${formatVersion(version)} from ${path}`;
  return {
    ...announce(`embedded servers (${because}): embedded-mongodb, and ${nats}`),
    TEST_INFRA: backEnd,
    NATS_SERVER: path,
  };
}

/** Prints what the tests run on, and passes it on for the summary of `.ci/run`. */
function announce(servers: string): { TEST_SERVERS: string } {
  say(`Tests run on ${servers}.`);
  return { TEST_SERVERS: servers };
}

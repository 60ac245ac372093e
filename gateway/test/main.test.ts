import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createIssuerKeys } from '@tollgate/security/test/issuer-keys';
import { eventually } from '@tollgate/test-kit/eventually';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHED_URLS } from './support/gateway-under-test.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let infra: Infra;
let usageSpoolDir: string;
beforeAll(async () => {
  usageSpoolDir = await mkdtemp(join(tmpdir(), 'tollgate-gateway-usage-'));
  infra = await startInfra({ nats: true });
});
afterAll(async () => {
  await infra.stop();
  await rm(usageSpoolDir, { recursive: true, force: true });
});

/** Starts the gateway as it is deployed: a process with its configuration in the environment. */
function startProcess(env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { child, exited: once(child, 'exit'), output: () => output };
}

test('the process listens, logs its addresses, and exits with code 0 on SIGTERM after writing its whole log', async () => {
  const key = `1:${randomBytes(32).toString('base64')}`;
  const issuerKeys = createIssuerKeys();
  const { child, exited, output } = startProcess({
    NATS_URL: infra.natsUrl,
    API_KEY_PEPPERS: key,
    INTERNAL_SIGNING_KEYS: key,
    SIGNING_KEYS: issuerKeys.privateKeys.gateway,
    SIGNER_PUBLIC_KEYS: issuerKeys.publicKeys,
    LIVE_PORT: '0',
    SANDBOX_PORT: '0',
    ADMIN_PORT: '0',
    ...PUBLISHED_URLS,
    USAGE_SPOOL_DIR: usageSpoolDir,
  });
  const hasLoggedAddresses = () => output().match(/"url":"http/g)?.length === 4;
  await eventually('the gateway logs its four addresses', hasLoggedAddresses, { timeoutMs: 60_000 });
  for (const [, url] of output().matchAll(/"url":"([^"]+)","environment"/g)) {
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
  }
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(output()).toContain('"msg":"stopped"');
  expect(output()).not.toContain(key);
});

test('the process does not start with an invalid configuration, and names each variable', async () => {
  const { exited, output } = startProcess({ LIVE_PORT: 'eighty' });
  expect((await exited)[0]).toBe(1);
  expect(JSON.parse(output())).toMatchObject({ level: 'fatal', service: 'gateway' });
  for (const name of ['NATS_URL', 'API_KEY_PEPPERS', 'INTERNAL_SIGNING_KEYS', 'SIGNING_KEYS', 'LIVE_PORT']) {
    expect(output()).toContain(name);
  }
});

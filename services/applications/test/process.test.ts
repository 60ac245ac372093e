import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tollgate/test-kit/eventually';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const { publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

let infra: Infra;

beforeAll(async () => {
  infra = await startInfra();
});
afterAll(() => infra.stop());

function start(env: Record<string, string>): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [MAIN], { env: { ...process.env, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { child, output: () => text };
}

describe('the process', () => {
  it('becomes ready, and on SIGTERM ends within seconds with status 0', async () => {
    const { child, output } = start({
      NATS_URL: infra.natsUrl,
      MONGODB_URL: infra.mongodbUrl,
      API_KEY_PEPPERS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      ACTOR_PUBLIC_KEYS: publicKey,
    });
    const exited = once(child, 'exit');
    const opsUrl = () => /"url":"(http:[^"]+)"/.exec(output())?.[1];
    await eventually('it logs its address', () => opsUrl() !== undefined);
    await eventually('it is ready', async () => (await fetch(`${opsUrl()}/readyz`)).status === 200);
    expect((await fetch(`${opsUrl()}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${opsUrl()}/metrics`)).text()).toContain('service="applications"');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('does not start on a wrong configuration, and names every variable', async () => {
    const { child, output } = start({
      NATS_URL: 'http://x',
      MONGODB_URL: '',
      API_KEY_PEPPERS: '',
      ACTOR_PUBLIC_KEYS: '',
    });
    expect(await once(child, 'exit')).not.toEqual([0, null]);
    for (const name of ['NATS_URL', 'MONGODB_URL', 'API_KEY_PEPPERS', 'ACTOR_PUBLIC_KEYS']) {
      expect(output()).toContain(name);
    }
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { containerVariables } from '@tollgate/launcher/containers/container-variables';
import { readVariable } from '@tollgate/launcher/key-rings/env-text';
import { KEY_RINGS } from '@tollgate/launcher/key-rings/key-rings';
import { ROTATION_STEPS, readersOf } from '@tollgate/launcher/key-rings/rotate-ring';
import { generateSecrets } from '@tollgate/launcher/secrets';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';

const RING = 'INTERNAL_SIGNING_KEYS';
const run = promisify(execFile);

it('the guide to the rotation of keys has commands that rotate a ring, and keep the file private', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-rotation-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'tollgate.env');
  const variables = Object.entries(containerVariables(generateSecrets()));
  await writeFile(file, variables.map(([name, value]) => `${name}=${value}\n`).join(''));
  const versions: string[][] = [];
  for (const { code } of codeBlocksOf('operating/rotate-keys')) {
    const [rotate = '', restart = ''] = code.split('\n');
    // The image runs Node in the root folder of a checkout.
    const command = rotate.replace(
      'docker run --rm -i tollgate packages',
      `"${process.execPath}" ${CHECKOUT_DIR}/packages`,
    );
    const { stderr } = await run('sh', ['-euc', command], { cwd: folder });
    const [, restarted = ''] = stderr.trim().split(': ');
    expect(restart).toBe(
      `docker compose --env-file tollgate.env up -d --no-deps --wait ${restarted.replaceAll(',', '')}`,
    );
    const keys = readVariable(await readFile(file, 'utf8'), RING).split(',');
    versions.push(keys.map((key) => key.split(':')[0] as string));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }
  expect(versions).toEqual([['1', '2'], ['2', '1'], ['2']]);
});

it('a rotation restarts every service of docker-compose.yml that reads the keys of the ring', async () => {
  const file = await readFile(join(CHECKOUT_DIR, 'docker-compose.yml'), 'utf8');
  const { services } = parse(file, { merge: true }) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  const readersIn = (variable: string) =>
    Object.keys(services).filter((name) =>
      Object.values(services[name]?.environment ?? {}).includes(`\${${variable}:?}`),
    );
  for (const [variable, { readBy, published }] of Object.entries(KEY_RINGS)) {
    expect(readersIn(variable).sort(), variable).toEqual([...readBy].sort());
    if (published)
      expect(readersIn(published.variable).sort(), variable).toEqual([...published.readBy].sort());
  }
});

it('the guide to the rotation of keys lists every ring, with the processes to restart', async () => {
  const page = await readFile(join(CHECKOUT_DIR, 'docs/operating/rotate-keys.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|/gm)].map(([, ...cells]) => cells);
  expect(rows).toEqual(
    Object.keys(KEY_RINGS).map((name) => [
      name,
      ...ROTATION_STEPS.slice(0, 2).map((step) => readersOf(name, step).join(', ')),
    ]),
  );
});

it('the guide to the rotation of keys describes the ring of every variable with keys that print-env prints', () => {
  const names = Object.keys(containerVariables(generateSecrets()));
  const published = Object.values(KEY_RINGS).map((ring) => ring.published?.variable);
  const rings = names.filter((name) => /_(KEYS?|PEPPERS)$/.test(name) && !published.includes(name));
  expect(Object.keys(KEY_RINGS).sort()).toEqual(rings.sort());
});

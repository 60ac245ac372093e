import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CONTAINER_PROCESSES } from '@tollgate/launcher/containers/container-processes';
import { readSettings } from '@tollgate/launcher/settings';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';

const run = promisify(execFile);
const ENTRYPOINT = join(CHECKOUT_DIR, 'docker/entrypoint.sh');

interface SbomComponent {
  name: string;
  version: string;
  purl: string;
}

/** Stands in for Node: prints its arguments and the variables that the entry point sets. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-image-'));
  const node = join(folder, 'node');
  writeFileSync(node, '#!/bin/sh\necho "$@"\nenv | grep -E "^(TOLLGATE|ADVERTISED|ADMIN)_" | sort\n');
  chmodSync(node, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function enter(...args: string[]): Promise<string[]> {
  const { stdout } = await run('sh', [ENTRYPOINT, ...args], {
    env: { PATH: `${folder}:${process.env['PATH']}` },
  });
  return stdout.trim().split('\n');
}

it.each([...CONTAINER_PROCESSES.filter((name) => name !== 'operator'), 'dashboard'])(
  'the image runs %s by its name',
  async (name) => {
    const [command = ''] = await enter(name, 'more');
    expect(command).toMatch(new RegExp(`^(services/)?${name}/src/(server/)?main.ts more$`));
    expect(existsSync(join(CHECKOUT_DIR, command.replace(' more', '')))).toBe(true);
  },
);

it('the image announces payments by the name of its container, unless the environment has another address', async () => {
  const { stdout } = await run('hostname');
  for (const role of ['payments', 'services/payments/src/main.ts', 'tollgate'])
    expect(await enter(role)).toContain(`ADVERTISED_URL=http://${stdout.trim()}:8090`);
  expect(await enter('webhooks')).toHaveLength(1);
});

it('the image runs the command line, and anything else as arguments of Node', async () => {
  const [command = ''] = await enter('tollgate', 'doctor');
  expect(command).toBe('packages/cli/bin/tollgate.mjs doctor');
  expect(existsSync(join(CHECKOUT_DIR, 'packages/cli/bin/tollgate.mjs'))).toBe(true);
  expect(await enter('-e', '1')).toEqual(['-e 1']);
});

it('the image has the data of all-in-one in the volume, and its ports on the interfaces of the container, as the page says', async () => {
  const [block] = codeBlocksOf('operating/install');
  const command = block?.code.split('\n').find((line) => line.startsWith('docker run ')) ?? '';
  expect(command).toMatch(/ tollgate all-in-one$/);
  const [main, ...variables] = await enter('all-in-one');
  expect(main).toBe('packages/launcher/src/main.ts');
  const env = Object.fromEntries(variables.map((line) => line.split('=')));
  const settings = readSettings(env);
  expect(settings).toMatchObject({ host: '0.0.0.0', isPrebuilt: true, topology: 'all-in-one' });
  const [, volume = ''] = / -v tollgate:(\S+)/.exec(command) ?? [];
  expect(settings.dataDir.startsWith(`${volume}/`)).toBe(true);
  // The dashboard, which is the only caller on loopback in the container.
  expect(env['ADMIN_TRUSTED_PROXIES']).toBe('127.0.0.1/32,::1/128');
  expect(readFileSync(join(CHECKOUT_DIR, 'Dockerfile'), 'utf8')).toContain(volume);
  const published = [...command.matchAll(/ -p 127\.0\.0\.1:(\S+)/g)].map(([, ports]) => ports);
  const { livePort, adminPort, dashboardPort } = settings;
  expect(published).toEqual([
    `${dashboardPort}:${dashboardPort}`,
    `${livePort}-${adminPort}:${livePort}-${adminPort}`,
  ]);
});

it('the image has a bill of materials of the packages that are installed in it', async () => {
  const { stdout } = await run(process.execPath, ['docker/print-sbom.mjs'], {
    cwd: CHECKOUT_DIR,
    maxBuffer: 16 * 1024 ** 2,
  });
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: SbomComponent[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'mongodb', '@nats-io/transport-node']));
  for (const { name, version, purl } of components)
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
  expect(components.find(({ name }) => name === 'fastify')).toMatchObject({
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    licenses: [{ expression: 'MIT' }],
  });
});

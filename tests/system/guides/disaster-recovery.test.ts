import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { embeddedMongoDBCommand, embeddedMongoDBUrl } from '@tollgate/local-servers/embedded-mongodb';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { isPortOpen } from '@tollgate/local-servers/is-port-open';
import { startChildServer } from '@tollgate/test-kit/child-server';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';

const USER = { user: 'root', password: 'root-password' };
const COMPOSE = readFileSync(join(CHECKOUT_DIR, 'docker-compose.yml'), 'utf8');
const PROGRAM = `"${process.execPath}" ${CHECKOUT_DIR}/packages/cli/bin/tollgate.mjs`;
/** Each command starts a Node, which takes seconds on a busy machine. */
const TIMEOUT_MS = 120_000;
const execute = promisify(execFile);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-recovery-'));
  mkdirSync(join(folder, '.tollgate'));
  writeFileSync(join(folder, '.tollgate/secrets.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string): Promise<string> {
  const { stdout } = await execute('sh', ['-euc', command], { cwd: folder });
  return stdout;
}

/** Serves the data folder with an audit log in it. Resolves to its address and how to stop it. */
async function serve() {
  const port = await findFreePort();
  const path = join(folder, '.tollgate/mongodb/data.db');
  const { command, args, env } = embeddedMongoDBCommand({ port, path, ...USER });
  const server = await startChildServer({
    name: 'embedded-mongodb',
    command,
    args,
    env: { ...process.env, ...env },
    isReady: () => isPortOpen(port),
  });
  onTestFinished(server.stop);
  const url = embeddedMongoDBUrl({ port, ...USER });
  const client = new MongoClient(url);
  const logs = client.db(DATABASES.audit).collection<{ _id: string }>('logs');
  await logs.insertOne({ _id: 'team_1' });
  await client.close();
  return { url, stop: server.stop };
}

describe('the page about recovery', { timeout: TIMEOUT_MS }, () => {
  const [onMachine, inContainer, withCompose, verify] = codeBlocksOf('operating/disaster-recovery').map(
    ({ code }) => code.trimEnd().split('\n'),
  ) as [string[], string[], string[], string[]];

  it('the page about recovery has commands that restore a backup on one machine and in a container', async () => {
    await (await serve()).stop();
    await run(`${PROGRAM} backup --data-dir .tollgate --to backups/tollgate-2026-11-24`);
    const [restore = '', start] = onMachine;
    const restored = await run(
      restore.replace('npm run tollgate --', PROGRAM).replace('/backups', `${folder}/backups`),
    );
    expect(restored).toContain('Restored');
    expect(start).toBe('npm start');

    const [, inside = ''] = inContainer;
    const command = inside
      .replace(/^docker run .* packages\/cli\/bin\/tollgate\.mjs/, PROGRAM)
      .replace('/var/lib/tollgate/data', '.tollgate')
      .replace('/var/lib/tollgate/backups/', 'backups/tollgate-');
    expect(await run(command)).toContain('Restored');
    const entrypoint = readFileSync(join(CHECKOUT_DIR, 'docker/entrypoint.sh'), 'utf8');
    expect(entrypoint).toContain(`TOLLGATE_DATA_DIR=${/--data-dir (\S+)/.exec(inside)?.[1]}`);
  });

  it('the page about recovery has commands for compose that stop every service, and declare the restore', async () => {
    const [stop = '', , declare = '', start] = withCompose;
    const [, services = ''] = /^services:\n(.*?)^\S/ms.exec(COMPOSE) ?? [];
    const names = [...services.matchAll(/^ {2}([a-z-]+):$/gm)].map(([, name]) => name ?? '');
    // Without a connection to MongoDB, or only at the start.
    const others = ['balancer', 'migrate', 'mongodb-replica-set', 'mongodb-users'];
    const kept = ['mongo', 'nats', ...others];
    expect(stop.split(' stop ')[1]?.split(' ').sort()).toEqual(
      names.filter((name) => !kept.includes(name)).sort(),
    );
    expect(start).toBe('docker compose --env-file tollgate.env up -d --wait');

    const { url } = await serve();
    writeFileSync(join(folder, 'mongodb-url'), url);
    const [, args = ''] = declare.split('packages/cli/bin/tollgate.mjs');
    expect(declare).toContain('-e MONGODB_URL= -e MONGODB_URL_FILE=/mongodb-url');
    expect(await run(`MONGODB_URL= MONGODB_URL_FILE=mongodb-url ${PROGRAM}${args}`)).toContain(
      'Declared a restore',
    );
  });

  it('the page about recovery verifies with options that the command has', async () => {
    const usage = await run(`${PROGRAM} verify-audit --help`);
    const options = verify.join(' ').match(/--[a-z-]+\b/g) ?? [];
    expect(options).toEqual(['--public-key', '--witness']);
    for (const option of options) expect(usage).toContain(option);
  });
});

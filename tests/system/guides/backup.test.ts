import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { dataPaths } from '@tollgate/launcher/data-dir';
import { generateSecrets } from '@tollgate/launcher/secrets';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { embeddedMongoDBCommand, embeddedMongoDBUrl } from '@tollgate/local-servers/embedded-mongodb';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { isPortOpen } from '@tollgate/local-servers/is-port-open';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';

const USER = { user: 'root', password: 'root-password' };
const COMPOSE = readFileSync(join(CHECKOUT_DIR, 'docker-compose.yml'), 'utf8');
const execute = promisify(execFile);
/** Each command starts a Node, which takes seconds on a busy machine. */
const TIMEOUT_MS = 120_000;

let folder: string;
/** Serves the data folder until the data is moved. */
let server: ChildServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-guide-'));
  const paths = dataPaths(join(folder, '.tollgate'));
  server = (await serve(join(paths.mongodbDir, 'data.db'), 5)).server;
  mkdirSync(paths.usageSpoolDir, { recursive: true });
  writeFileSync(paths.secrets, JSON.stringify(generateSecrets()));
  writeFileSync(paths.firstRun, '{}');
  const { publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(folder, 'audit.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts an embedded server, with payments if a number is given. */
async function serve(path: string, payments = 0): Promise<{ server: ChildServer; url: string }> {
  const port = await findFreePort();
  const { command, args, env } = embeddedMongoDBCommand({ port, path, ...USER });
  const started = await startChildServer({
    name: 'embedded-mongodb',
    command,
    args,
    env: { ...process.env, ...env },
    isReady: () => isPortOpen(port),
  });
  const url = embeddedMongoDBUrl({ port, ...USER });
  const client = new MongoClient(url);
  const documents = Array.from({ length: payments }, (_, amount) => ({ amount }));
  if (payments > 0) await client.db(DATABASES.payments).collection('payments').insertMany(documents);
  await client.close();
  return { server: started, url };
}

/** Runs lines of a page with its paths in the folder of the test, and the programs of this checkout. */
async function run(lines: string): Promise<string> {
  const program = `"${process.execPath}" ${CHECKOUT_DIR}/packages/cli/bin/tollgate.mjs`;
  const command = lines
    .replaceAll('/var/lib/tollgate/data', '.tollgate')
    .replaceAll(/(?<=[ =])\/(backups|tmp|var\/lib\/tollgate)/g, `${folder}/$1`)
    .replaceAll(
      /^.*docker compose.*run .*--entrypoint node accounts packages\/cli\/bin\/tollgate\.mjs/gm,
      program,
    )
    .replaceAll(/docker exec tollgate node packages\/cli\/bin\/tollgate\.mjs/g, program)
    .replaceAll('npm run tollgate --', program)
    .replaceAll('node packages/', `"${process.execPath}" ${CHECKOUT_DIR}/packages/`);
  const { stdout } = await execute('sh', ['-euc', command], { cwd: folder });
  return stdout.trimEnd();
}

const withoutNumbers = (text: string) => text.replaceAll(folder, '').replaceAll(/\d[\d.:TZ-]*/g, '0');

describe('the page about backups', { timeout: TIMEOUT_MS }, () => {
  const [onMachine, inContainer, withMongoDB, test] = codeBlocksOf('operating/backup').map(
    ({ code }) => code,
  ) as [string, string, string, string];

  it('the page about backups has commands that back up and check the backup, and shows what they print', async () => {
    const [prompt = '', ...shown] = onMachine.trimEnd().split('\n');
    const printed = await run(prompt.replace('$ ', ''));
    expect(withoutNumbers(printed)).toBe(
      withoutNumbers(shown.join('\n').replace('6 databases', '1 databases')),
    );

    expect(await run(test)).toContain('Audit logs of 0 teams');
  });

  it('the page about backups has a command for the container, with its folders', async () => {
    const [command = '', copy = ''] = inContainer.trimEnd().split('\n');
    await run(command);
    const created = /--to (\S+)/.exec(command)?.[1] ?? '';
    expect(existsSync(join(folder, created, 'manifest.json'))).toBe(true);
    expect(copy).toBe(`docker cp tollgate:${created} /backups/`);
    const entrypoint = readFileSync(join(CHECKOUT_DIR, 'docker/entrypoint.sh'), 'utf8');
    expect(entrypoint).toContain(`TOLLGATE_DATA_DIR=${/--data-dir (\S+)/.exec(command)?.[1]}`);
  });

  it('the page about backups names the service, the user, and the password of compose for the tools of MongoDB', () => {
    expect(withMongoDB).toContain('exec -T mongo sh');
    expect(COMPOSE).toMatch(/^ {2}mongo:$/m);
    expect(COMPOSE).toContain('MONGO_INITDB_ROOT_USERNAME: tollgate');
    expect(COMPOSE).toMatch(/MONGO_INITDB_ROOT_PASSWORD: /);
  });
});

describe('the page about the move to MongoDB', { timeout: TIMEOUT_MS }, () => {
  const [prepare, createUser, exportData, importData, inCompose] = codeBlocksOf(
    'operating/move-to-mongodb',
  ).map(({ code }) => code) as [string, string, string, string, string];

  it('the page about the move to MongoDB has commands that keep the secrets, and move the data', async () => {
    const [printEnv = '', start = ''] = prepare.trimEnd().split('\n');
    await run(printEnv);
    const { API_KEY_PEPPERS } = JSON.parse(readFileSync(join(folder, '.tollgate/secrets.json'), 'utf8'));
    expect(readFileSync(join(folder, 'tollgate.env'), 'utf8')).toContain(
      `API_KEY_PEPPERS=${API_KEY_PEPPERS}\n`,
    );
    expect(start).toMatch(/^docker compose .* run --rm mongodb-users$/);
    expect(COMPOSE).toMatch(/^ {2}mongodb-users:$/m);

    await server.stop();
    expect(await run(exportData)).toContain('Exported 5 documents');
    const target = await serve(join(folder, 'target.db'));
    onTestFinished(target.server.stop);
    writeFileSync(join(folder, 'mongodb-url'), target.url, { mode: 0o600 });
    expect(await run(importData)).toContain('Imported 5 documents');
    expect(inCompose).toContain('-e MONGODB_URL= -e MONGODB_URL_FILE=/mongodb-url');
    expect(
      await run(
        `export MONGODB_URL_FILE=mongodb-url\n${inCompose}`.replace('--from /export', '--from export'),
      ),
    ).toContain('Imported 5 documents');
  });

  it('the page about the move to MongoDB gives the user rights on all databases', () => {
    const databases = [...createUser.matchAll(/role: 'readWrite', db: '(\w+)'/g)].map(([, name]) => name);
    expect(databases).toEqual(Object.values(DATABASES));
  });
});

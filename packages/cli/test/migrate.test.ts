import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DATABASES, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { eventually } from '@tollgate/test-kit/eventually';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import { startNats } from '@tollgate/test-kit/nats';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Connection, connectDatabase } from '../src/migrate/connect-database.ts';
import { runCommand } from '../src/run-command.ts';
import { testTerminal } from './support/test-terminal.ts';

const PASSWORD = 'hunter2';
const MAIN = new URL('../src/main.ts', import.meta.url);
const USAGE_SERVICE = new URL('../../../services/usage/src/main.ts', import.meta.url);

let mongodb: TestServer;
let usage: Connection;
let payments: Connection;

beforeAll(async () => {
  const users = (['payments', 'usage'] as const).map((user) => ({
    user,
    password: PASSWORD,
    database: DATABASES[user],
  }));
  mongodb = await startMongoDB(users);
});
afterAll(() => mongodb.dispose());
beforeEach(async () => {
  [usage, payments] = await Promise.all([
    connectDatabase(mongodb.url, 'usage'),
    connectDatabase(mongodb.url, 'payments'),
  ]);
  for (const connection of [usage, payments]) await connection.dropDatabase();
});
afterEach(() => Promise.all([usage.close(), payments.close()]));

function urlOf(user: DatabaseOwner): string {
  const url = new URL(mongodb.url);
  url.username = user;
  url.password = PASSWORD;
  return url.href;
}

/** Runs the command as the user of the usage service unless the test names others. */
async function migrate(args: string[] = [], env: Record<string, string> = { MONGODB_URL: urlOf('usage') }) {
  const terminal = testTerminal({ env });
  const exitCode = await runCommand(['migrate', ...args], terminal);
  const output = [...terminal.printed, ...terminal.errors].join('\n');
  expect(output).not.toContain(PASSWORD);
  return { exitCode, output };
}

async function indexNames(connection: Connection, collection: string): Promise<string[]> {
  const indexes = await connection.collection(collection).indexes();
  return indexes.map(({ name }) => name ?? '').sort();
}

/** Migrates all databases, and drops the indexes of one collection again. */
async function dropIndexes(connection: Connection, collection: string): Promise<void> {
  await migrate([], { MONGODB_URL: mongodb.url });
  await connection.collection(collection).dropIndexes();
}

const WINDOW_INDEXES = ['_id_', 'expiry', 'minute', 'to_roll_up'];

it('tollgate migrate creates what is missing with the user of a service, and nothing when it is repeated', async () => {
  const first = await migrate();
  expect(first.exitCode).toBe(0);
  expect(first.output).toContain('usage: created windows.minute in ');
  expect(await indexNames(usage, 'windows')).toEqual(WINDOW_INDEXES);
  expect(await usage.collection('schema').findOne({})).toMatchObject({ version: 1, readable_from: 1 });
  expect(await migrate()).toEqual({ exitCode: 0, output: 'usage: all indexes exist.' });
});

it('tollgate migrate prints what docs/operating/upgrade.md shows', async () => {
  await migrate();
  await usage.collection('requests').dropIndex('search');
  const { output } = await migrate();
  const page = readFileSync(new URL('../../../docs/operating/upgrade.md', import.meta.url), 'utf8');
  const shown = /\$ tollgate migrate\n([^`]+)\n```/.exec(page)?.[1] ?? '';
  const withoutNumbers = (text: string) => text.replaceAll(/[\d.]+(?= (documents|s\b))/g, 'N');
  expect(withoutNumbers(output)).toBe(withoutNumbers(shown));
});

it('tollgate migrate migrates each database with the user of its service', async () => {
  const env = { MONGODB_URL_USAGE: urlOf('usage'), MONGODB_URL_PAYMENTS: urlOf('payments') };
  expect((await migrate([], env)).exitCode).toBe(0);
  expect(await indexNames(usage, 'windows')).toEqual(WINDOW_INDEXES);
  expect(await indexNames(payments, 'payments')).toContain('unpublished');
});

it('tollgate migrate migrates every database with a user that may write to all of them, or only the selected ones', async () => {
  const env = { MONGODB_URL: mongodb.url };
  const one = await migrate(['--service', 'payments', '--json'], env);
  expect(Object.keys((JSON.parse(one.output) as { databases: object }).databases)).toEqual(['payments']);
  const all = await migrate(['--json'], env);
  expect(all.exitCode).toBe(0);
  expect((JSON.parse(all.output) as { databases: object }).databases).toMatchObject({
    payments: [],
    accounts: expect.arrayContaining([expect.objectContaining({ collection: 'members', result: 'created' })]),
  });
});

it('tollgate migrate lists what it would do with --dry-run, and changes nothing', async () => {
  await usage.createCollection('windows');
  const { exitCode, output } = await migrate(['--dry-run']);
  expect(exitCode).toBe(1);
  expect(output).toContain('usage: would create windows.minute (about 0 documents)');
  expect(await indexNames(usage, 'windows')).toEqual(['_id_']);
  expect(await usage.collection('schema').countDocuments()).toBe(0);
});

it('tollgate migrate continues after it was killed', async () => {
  const running = startProcessUnderTest(MAIN, { MONGODB_URL: urlOf('usage') }, ['migrate']);
  await eventually('it has created an index', () => running.output().includes('created'), {
    timeoutMs: 20_000,
  });
  await running.end('SIGKILL');
  expect((await migrate()).exitCode).toBe(0);
  expect((await migrate(['--dry-run'])).exitCode).toBe(0);
});

it('tollgate migrate can run several times at once', async () => {
  await dropIndexes(usage, 'windows');
  await usage
    .collection<object>('windows')
    .insertMany(Array.from({ length: 1_000 }, (_, n) => ({ minute: n })));
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate()));
  expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  expect(await indexNames(usage, 'windows')).toEqual(WINDOW_INDEXES);
});

it('tollgate migrate reports an index that nothing declares, and drops it only with --drop-obsolete', async () => {
  await migrate();
  await usage.collection('windows').createIndex({ old: 1 });
  expect(await migrate()).toEqual({
    exitCode: 0,
    output: 'usage: nothing declares windows.old_1. --drop-obsolete drops it.\nusage: all indexes exist.',
  });
  expect((await migrate(['--drop-obsolete', '--dry-run'])).output).toContain(
    'nothing declares windows.old_1',
  );
  expect((await migrate(['--drop-obsolete'])).output).toContain('usage: dropped windows.old_1');
  expect(await indexNames(usage, 'windows')).toEqual(WINDOW_INDEXES);
});

it('tollgate migrate drops no index while a later release runs with the database, because that release may need it', async () => {
  await migrate();
  await usage.collection('windows').createIndex({ later: 1 });
  await usage.collection('schema').updateOne({}, { $set: { version: 2, release: '9.9.9' } });
  const { exitCode, output } = await migrate(['--drop-obsolete']);
  expect(exitCode).toBe(0);
  expect(output).toContain('Not dropped: release 9.9.9 has a newer schema');
  expect(await indexNames(usage, 'windows')).toContain('later_1');
});

it('tollgate migrate names the documents that a unique index rejects, and creates the other indexes', async () => {
  const bound = { application_id: 'app', environment: 'live', create_key: { key: 'secret-key' } };
  const documents = [
    { _id: 'pay_1', ...bound },
    { _id: 'pay_2', ...bound },
  ];
  await dropIndexes(payments, 'payments');
  await payments.collection<{ _id: string }>('payments').insertMany(documents);
  const { exitCode, output } = await migrate([], { MONGODB_URL: urlOf('payments') });
  expect(exitCode).toBe(1);
  expect(output).toContain('pay_1, pay_2. Change or delete all of them but one');
  expect(output).not.toContain('secret-key');
  expect(await indexNames(payments, 'payments')).toContain('unpublished');
});

it('tollgate migrate names the conflicting index, and says what to do', async () => {
  await usage.collection('windows').createIndex({ minute: -1 }, { name: 'minute' });
  const { exitCode, output } = await migrate();
  expect(exitCode).toBe(1);
  expect(output).toContain('windows.minute was rejected.');
  expect(output).toContain('Drop the existing index');
});

it('tollgate migrate rejects the database of a release whose data this one cannot read, and changes nothing', async () => {
  await usage.collection('schema').insertOne({
    _id: 'schema' as never,
    version: 9,
    readable_from: 8,
    release: '9.9.9',
    first_release: '1.0.0',
  });
  const { exitCode, output } = await migrate();
  expect(exitCode).toBe(2);
  expect(output).toContain('usage: The database tollgate_usage has schema 9 of release 9.9.9.');
  expect(
    await usage
      .collection('windows')
      .indexExists('minute')
      .catch(() => false),
  ).toBe(false);
});

it('tollgate migrate rejects data of a development version, and changes nothing', async () => {
  await usage.collection('windows').insertOne({});
  const { exitCode, output } = await migrate();
  expect(exitCode).toBe(2);
  expect(output).toContain(
    'usage: The database tollgate_usage has data of a development version before 1.0.0',
  );
  expect(await indexNames(usage, 'windows')).toEqual(['_id_']);
});

it.each([
  [{}, [], 'MONGODB_URL is not set.'],
  [
    { MONGODB_URL_USAGE: 'mongodb://h' },
    ['--service', 'payments'],
    'MONGODB_URL_PAYMENTS is not set. Set it, or set MONGODB_URL.',
  ],
  [{ MONGODB_URL: 'mongodb://h' }, ['--service', 'gateway'], 'is not a service with a database'],
  [{ MONGODB_URL: 'http://h' }, [], 'MONGODB_URL'],
])('tollgate migrate says what is missing (%j, %j)', async (env, args, message) => {
  const { exitCode, output } = await migrate(args, env);
  expect(exitCode).toBe(2);
  expect(output).toContain(message);
});

it('a service that waits for an index becomes ready when tollgate migrate has created it', async () => {
  const nats = await startNats();
  await dropIndexes(usage, 'windows');
  await usage.collection<object>('windows').insertMany([{}, {}]);
  const { publicKey } = generateKeyPairSync('ed25519');
  const running = startProcessUnderTest(USAGE_SERVICE, {
    NATS_URL: nats.url,
    MONGODB_URL: urlOf('usage'),
    ACTOR_PUBLIC_KEYS: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    SIGNER_PUBLIC_KEYS: `gateway.1:${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
    INDEX_AT_START_MAX_DOCUMENTS: '1',
  });
  await eventually('it waits', () => running.output().includes('run `tollgate migrate`'), {
    timeoutMs: 20_000,
  });
  expect((await fetch(`${running.opsUrl()}/readyz`)).status).toBe(503);
  expect((await migrate()).exitCode).toBe(0);
  await running.ready();
  expect(await running.end('SIGTERM')).toEqual([0, null]);
  await nats.dispose();
});

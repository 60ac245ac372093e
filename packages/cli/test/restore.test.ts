import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ERASURE_PROGRESS_COLLECTION, RESTORES_COLLECTION } from '@tollgate/contracts/audit/restore';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { start } from '@tollgate/embedded-mongodb';
import { dataPaths } from '@tollgate/launcher/data-dir';
import { recordProcesses } from '@tollgate/launcher/processes/process-record';
import { systemClock } from '@tollgate/runtime/clock';
import { tryLockFile } from '@tollgate/runtime/file-lock';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type BackupManifest, readManifest } from '../src/backup/manifest.ts';
import { takeBackup } from '../src/backup/take-backup.ts';
import { runCommand } from '../src/run-command.ts';
import { runTollgate } from './support/run-tollgate.ts';
import { testTerminal } from './support/test-terminal.ts';

/** An installation and its backups, which each test gets a copy of. */
let original: string;
let folder: string;
const path = (name: string) => join(folder, name);
const spool = (name: string) => path(`data/gateway-usage/instance-1/${name}`);

async function run(args: string[], env: NodeJS.ProcessEnv = { TOLLGATE_DATA_DIR: path('data') }) {
  const terminal = testTerminal({ env });
  const exitCode = await runCommand(args, terminal);
  return { exitCode, stdout: terminal.printed.join('\n'), stderr: terminal.errors.join('\n') };
}

const restore = (backup: 'backup' | 'backup-with-secrets' = 'backup') =>
  run(['restore', '--from', path(backup)]);
const declareRestored = (url: string) => run(['restore', '--restored'], { MONGODB_URL: url });

beforeAll(async () => {
  original = mkdtempSync(join(tmpdir(), 'tollgate-restore-'));
  folder = original;
  mkdirSync(path('data/gateway-usage/instance-1'), { recursive: true });
  writeFileSync(path('data/secrets.json'), '{"secret":1}\n');
  writeFileSync(spool('gateway-id'), 'gwi_1\n');
  writeFileSync(spool('000000000007.window'), 'one\n');
  await withData((client) => insertPayment(client, 'before'));
  for (const withSecrets of [false, true])
    await takeBackup({
      paths: dataPaths(path('data')),
      to: path(withSecrets ? 'backup-with-secrets' : 'backup'),
      withSecrets,
      maxBytesPerSecond: 1e9,
      clock: systemClock,
      signal: new AbortController().signal,
    });
});
afterAll(() => rmSync(original, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-restore-'));
  cpSync(original, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Serves the data of the installation, or another data file, while it runs. */
async function withData<T>(use: (client: MongoClient) => Promise<T>): Promise<T> {
  const server = await start({ path: path('data/mongodb/data.db'), fsync: false });
  const client = new MongoClient(server.url);
  try {
    return await use(client);
  } finally {
    await client.close();
    await server.stop();
  }
}

async function insertPayment(client: MongoClient, id: string): Promise<void> {
  const documents = (database: string, name: string) => client.db(database).collection<{ _id: string }>(name);
  await documents(DATABASES.payments, 'payments').insertOne({ _id: id });
  await documents(DATABASES.accounts, 'sessions').insertOne({ _id: `session ${id}` });
  await documents(DATABASES.audit, 'logs').insertOne({ _id: `team ${id}` });
}

function erasureProgress(client: MongoClient) {
  const name = ERASURE_PROGRESS_COLLECTION;
  return client.db(DATABASES.payments).collection<{ _id: string; revision: number }>(name);
}

async function readBack() {
  return withData(async (client) => ({
    payments: await client
      .db(DATABASES.payments)
      .collection('payments')
      .distinct('_id')
      .then((ids) => ids.sort()),
    sessions: await client.db(DATABASES.accounts).collection('sessions').countDocuments(),
    restores: await client.db(DATABASES.audit).collection(RESTORES_COLLECTION).find().toArray(),
  }));
}

it('tollgate restore --from restores the data, declares the restore, ends all sessions, and keeps the data from before', async () => {
  await withData((client) => insertPayment(client, 'after'));
  unlinkSync(spool('000000000007.window'));
  writeFileSync(spool('000000000008.window'), 'two\n');

  // As a process of its own, which must end by itself.
  const args = ['restore', '--from', path('backup')];
  const { exitCode, stdout, stderr } = await runTollgate(args, { TOLLGATE_DATA_DIR: path('data') });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('Ended 1 sessions');
  expect(await readBack()).toEqual({
    payments: ['before'],
    sessions: 0,
    restores: [
      { _id: expect.any(String), declared_at: expect.any(Date), recorded_at: null, leased_until: null },
    ],
  });
  const aside = readdirSync(path('data')).filter((name) => name.startsWith('mongodb.before-'));
  expect(aside).toHaveLength(1);
  expect(existsSync(path(`data/${aside[0]}/data.db`))).toBe(true);
  // The window that the backup has and the spool lacks, and the newer one.
  expect(readFileSync(spool('000000000007.window'), 'utf8')).toBe('one\n');
  expect(readFileSync(spool('000000000008.window'), 'utf8')).toBe('two\n');
});

it('tollgate restore --from restores to a new machine from a backup with secrets', async () => {
  chmodSync(path('backup-with-secrets/secrets.json'), 0o644);
  rmSync(path('data'), { recursive: true });
  expect(await restore('backup-with-secrets')).toMatchObject({ exitCode: 0 });
  expect(statSync(path('data/secrets.json')).mode & 0o777).toBe(0o600);
  expect((await readBack()).payments).toEqual(['before']);
  expect(readFileSync(path('data/secrets.json'), 'utf8')).toBe('{"secret":1}\n');
  expect(readFileSync(spool('gateway-id'), 'utf8')).toBe('gwi_1\n');
});

it('tollgate restore --from names the missing files on a new machine when the backup has no secrets', async () => {
  rmSync(path('data'), { recursive: true });
  const { exitCode, stderr } = await restore();
  expect(stderr).toContain('lacks secrets.json, and the backup has no secrets');
  expect(exitCode).toBe(2);
});

it('tollgate restore --from changes nothing while the installation runs', async () => {
  await withData((client) => insertPayment(client, 'after'));
  const lock = tryLockFile(path('data/launcher.lock'));
  const { exitCode, stderr } = await restore();
  lock?.release();
  expect(stderr).toContain('Tollgate is already running');
  expect(exitCode).toBe(2);
  expect((await readBack()).payments).toEqual(['after', 'before']);
});

it('tollgate restore --from changes nothing while a server holds the data, whose launcher was killed', async () => {
  const { exitCode, stderr } = await withData(async (client) => {
    await insertPayment(client, 'after');
    return restore();
  });
  expect(stderr).toContain('data.db is in use by another embedded-mongodb');
  expect(stderr).toContain('Nothing was changed.');
  expect(exitCode).toBe(2);
  expect((await readBack()).payments).toEqual(['after', 'before']);
});

it('tollgate restore --from names the processes that a killed launcher left running, and how to stop them', async () => {
  const idle = ['-e', 'setInterval(() => undefined, 1000)'];
  const gateway = spawn(process.execPath, idle, { stdio: 'ignore' });
  onTestFinished(() => void gateway.kill());
  const pid = gateway.pid as number;
  await recordProcesses(path('data/processes.json'), path('data'), [
    { name: 'gateway', pid, commandLine: [process.execPath, ...idle].join(' ') },
  ]);
  const { exitCode, stderr } = await restore();
  expect(stderr).toContain(
    `although their launcher was killed: gateway (pid ${pid}). Stop them: run npm start`,
  );
  expect(exitCode).toBe(2);
  expect((await readBack()).restores).toEqual([]);

  gateway.kill();
  await once(gateway, 'exit');
  expect(await restore()).toMatchObject({ exitCode: 0 });
});

it.each<[string, (manifest: BackupManifest) => void, string]>([
  [
    'a secret outside of the data folder',
    ({ secrets }) => secrets.files.push({ path: '../outside', sha256: 'a'.repeat(64) }),
    '../outside is not a file with secrets',
  ],
  [
    'a secret that is not part of it',
    ({ secrets }) => secrets.files.push({ path: 'first-run.json', sha256: 'a'.repeat(64) }),
    'first-run.json is not one of its files, or has another hash there',
  ],
  [
    'two hashes of a secret',
    ({ secrets }) => secrets.files.splice(0, 1, { path: 'secrets.json', sha256: 'a'.repeat(64) }),
    'secrets.json is not one of its files, or has another hash there',
  ],
  [
    'no data',
    ({ files }) => files.splice(0, files.length, ...files.filter(({ path }) => path !== 'data.db')),
    'it does not list data.db',
  ],
])('tollgate restore --from changes nothing when the manifest lists %s', async (_title, change, problem) => {
  const manifest = await readManifest(path('backup-with-secrets'));
  change(manifest);
  writeFileSync(path('backup-with-secrets/manifest.json'), JSON.stringify(manifest));
  rmSync(path('data'), { recursive: true });
  const { exitCode, stderr } = await restore('backup-with-secrets');
  expect(stderr).toContain(problem);
  expect(exitCode).toBe(2);
  expect(readdirSync(folder)).toEqual(['backup', 'backup-with-secrets']);
});

it('tollgate restore --from changes nothing when the backup was changed', async () => {
  writeFileSync(path('backup/data.db'), 'corrupted');
  const { exitCode, stderr } = await restore();
  expect(stderr).toContain('data.db was changed, or is incomplete.');
  expect(exitCode).toBe(2);
  expect((await readBack()).restores).toEqual([]);
});

describe('tollgate restore --restored', () => {
  async function serve(): Promise<string> {
    const server = await start({ path: path('data/mongodb/data.db'), fsync: false });
    onTestFinished(server.stop);
    return server.url;
  }

  it('tollgate restore --restored declares the restore of a server, ends all sessions, and has payments erase again', async () => {
    await withData((client) => erasureProgress(client).insertOne({ _id: 'erasures', revision: 7 }));
    const server = await start({ path: path('data/mongodb/data.db'), fsync: false });
    const result = await declareRestored(server.url);
    await server.stop();
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readBack()).toMatchObject({ sessions: 0, restores: [{ recorded_at: null }] });
    const progress = await withData((client) => erasureProgress(client).findOne({ _id: 'erasures' }));
    expect(progress).toMatchObject({ revision: 0 });
  });

  it('tollgate restore --restored keeps audit entries of sessions that audit has not confirmed', async () => {
    const revokedAt = new Date(0);
    const withEntry = { expires_at: new Date(1e15), outbox: [{ id: 'aud_1' }] };
    const sessionsOf = (client: MongoClient) =>
      client.db(DATABASES.accounts).collection<{ _id: string; revoked_at?: Date | null }>('sessions');
    const before = Date.now();
    await withData(async (client) => {
      await sessionsOf(client).insertMany([
        { _id: 'live', revoked_at: null, ...withEntry },
        { _id: 'revoked', revoked_at: revokedAt, ...withEntry },
      ]);
    });

    const server = await start({ path: path('data/mongodb/data.db'), fsync: false });
    const { stdout } = await declareRestored(server.url);
    await server.stop();

    // The one without entries, and the live one.
    expect(stdout).toContain('Ended 2 sessions');
    const [live, revoked, ...others] = await withData((client) =>
      sessionsOf(client).find().sort({ _id: 1 }).toArray(),
    );
    expect(live).toEqual({
      _id: 'live',
      revoked_at: expect.any(Date),
      expires_at: live?.revoked_at,
      outbox: withEntry.outbox,
    });
    expect(live?.revoked_at?.getTime()).toBeGreaterThanOrEqual(before);
    expect(revoked).toEqual({ _id: 'revoked', revoked_at: revokedAt, ...withEntry });
    expect(others).toEqual([]);
  });

  it('tollgate restore --restored changes nothing while a service is connected', async () => {
    const url = await serve();
    const service = new MongoClient(url, { appName: 'payments' });
    await service.db(DATABASES.payments).command({ ping: 1 });
    const { exitCode, stderr } = await declareRestored(url);
    expect(stderr).toContain('Services are connected to the server: payments.');
    expect(exitCode).toBe(2);
    expect(await service.db(DATABASES.audit).collection(RESTORES_COLLECTION).countDocuments()).toBe(0);
    await service.close();
  });

  it('tollgate restore --restored rejects a server that was not restored', async () => {
    const url = await serve();
    const client = new MongoClient(url);
    await client.db(DATABASES.audit).collection('logs').deleteMany({});
    const { exitCode, stderr } = await declareRestored(url);
    await client.close();
    expect(stderr).toContain('has no audit log in tollgate_audit');
    expect(exitCode).toBe(2);
  });

  it('tollgate restore --restored requires either --from or --restored', async () => {
    expect(await run(['restore'])).toMatchObject({ exitCode: 2 });
    expect(await run(['restore', '--from', path('backup'), '--restored'])).toMatchObject({ exitCode: 2 });
  });
});

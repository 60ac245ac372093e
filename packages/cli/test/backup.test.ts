import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { type EmbeddedMongodb, start } from '@tollgate/embedded-mongodb';
import { dataPaths } from '@tollgate/launcher/data-dir';
import { systemClock } from '@tollgate/runtime/clock';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hasEveryWindow } from '../src/backup/copy-usage.ts';
import { type BackupManifest, readManifest } from '../src/backup/manifest.ts';
import { type TakeBackup, takeBackup } from '../src/backup/take-backup.ts';
import { verifyFiles } from '../src/backup/verify-files.ts';
import { runCommand } from '../src/run-command.ts';
import { runTollgate } from './support/run-tollgate.ts';
import { testTerminal } from './support/test-terminal.ts';

const WINDOW = 'w 2026-11-24T11:00:00.000Z\nr one request\n';
const SECRETS = '{"API_KEY_PEPPERS":"secret-pepper"}\n';

let folder: string;
let dataDir: string;
let server: EmbeddedMongodb;
let client: MongoClient;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'));
  dataDir = join(folder, 'data');
  server = await start({ path: join(dataDir, 'mongodb', 'data.db'), fsync: false });
  client = new MongoClient(server.url);
  writeFileSync(join(dataDir, 'secrets.json'), SECRETS);
  const instance = join(dataDir, 'gateway-usage', 'instance-1');
  mkdirSync(instance, { recursive: true });
  writeFileSync(join(instance, 'gateway-id'), 'gwi_1\n');
  writeFileSync(join(instance, 'lock'), '');
  writeFileSync(join(instance, '000000000007.window'), `${WINDOW}r half a li`);
});
afterEach(async () => {
  await client.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const path = (name: string) => join(folder, name);
/** As a process of its own: the command lowers the priority of its process. */
const runBackup = (...options: string[]) =>
  runTollgate(['backup', '--to', path('backup'), ...options], { TOLLGATE_DATA_DIR: dataDir });
const backUp = (options: Partial<TakeBackup> = {}) =>
  takeBackup({
    paths: dataPaths(dataDir),
    to: path('backup'),
    withSecrets: false,
    maxBytesPerSecond: 1e9,
    clock: systemClock,
    signal: new AbortController().signal,
    ...options,
  });

async function fill(documents: number, bytesEach: number): Promise<void> {
  const text = 'x'.repeat(bytesEach);
  const batch = Array.from({ length: documents }, () => ({ text }));
  await client.db(DATABASES.payments).collection('payments').insertMany(batch);
}

/** Opens a copy of the backup on a second server, as a restore does. */
async function openBackup(): Promise<MongoClient> {
  const restored = await start({ path: path('backup/data.db'), fsync: false });
  const reader = new MongoClient(restored.url);
  onTestFinished(async () => {
    await reader.close();
    await restored.stop();
  });
  return reader;
}

/** Writes to three databases in turn, each write after the acknowledgement of the one before, until it is stopped. */
function writeInTurn() {
  let isOn = true;
  let rounds = 0;
  const done = (async () => {
    while (isOn) {
      for (const name of ['payments', 'audit', 'usage'] as const)
        await client.db(DATABASES[name]).collection('rounds').insertOne({ round: rounds });
      rounds += 1;
    }
  })();
  return {
    rounds: () => rounds,
    async stop() {
      isOn = false;
      await done;
    },
  };
}

it('tollgate backup copies all databases at one point in time while they change', async () => {
  await fill(2_000, 2_000);
  const writer = writeInTurn();
  await expect.poll(writer.rounds).toBeGreaterThan(10);
  const acknowledged = writer.rounds();

  // Slow enough that hundreds of writes happen during the copy.
  const { exitCode, stderr, stdout } = await runBackup('--max-rate', '4', '--json');

  const during = writer.rounds();
  await writer.stop();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { databases }: BackupManifest = JSON.parse(stdout);
  const [payments, audit, usage] = (['payments', 'audit', 'usage'] as const).map(
    (name) => databases[DATABASES[name]]?.['rounds'] ?? 0,
  ) as [number, number, number];
  expect(payments).toBeGreaterThanOrEqual(acknowledged);
  expect(during).toBeGreaterThan(payments);
  expect([payments - audit, audit - usage].every((difference) => difference >= 0)).toBe(true);
  expect(payments - usage).toBeLessThanOrEqual(1);

  const reader = await openBackup();
  const rounds = await reader.db(DATABASES.payments).collection('rounds').find().sort({ round: 1 }).toArray();
  expect(rounds.map(({ round }) => round)).toEqual(Array.from({ length: payments }, (_, index) => index));
});

it('tollgate backup is private, lists every file with its hash, and has no secrets unless requested', async () => {
  await fill(3, 10);
  const { stdout } = await runBackup();
  expect(stdout).toContain('Backed up 3 documents of 1 databases');
  expect(stdout).toContain('It has no secrets. It can be restored only with secrets.json of the data folder');

  const manifest = await readManifest(path('backup'));
  expect(manifest.databases).toEqual({ [DATABASES.payments]: { payments: 3 } });
  expect(manifest.files.map((file) => file.path)).toEqual([
    'data.db',
    'gateway-usage/instance-1/000000000007.window',
    'gateway-usage/instance-1/gateway-id',
  ]);
  expect(manifest.secrets).toEqual({
    included: false,
    files: [{ path: 'secrets.json', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
  expect(await verifyFiles(path('backup'), manifest)).toEqual([]);
  const modes = readdirSync(path('backup'), { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(path('backup'), name)))
    .map((stats) => (stats.mode & 0o777) | (stats.isDirectory() ? 0o1000 : 0));
  expect(new Set(modes)).toEqual(new Set([0o600, 0o1700]));

  await backUp({ to: path('with-secrets'), withSecrets: true });
  const complete = await readManifest(path('with-secrets'));
  expect(complete.secrets.included).toBe(true);
  expect(readFileSync(path('with-secrets/secrets.json'), 'utf8')).toBe(SECRETS);
  expect(await verifyFiles(path('with-secrets'), complete)).toEqual([]);
});

it('tollgate backup has the complete lines of usage that is not in the database yet', async () => {
  await fill(1, 1);
  await backUp();
  const copied = path('backup/gateway-usage/instance-1');
  expect(readFileSync(join(copied, '000000000007.window'), 'utf8')).toBe(WINDOW);
  expect(readFileSync(join(copied, 'gateway-id'), 'utf8')).toBe('gwi_1\n');
});

it('tollgate backup backs up a stopped installation', async () => {
  await fill(3, 10);
  await server.stop();
  await backUp();
  expect((await readManifest(path('backup'))).databases).toEqual({ [DATABASES.payments]: { payments: 3 } });
  server = await start({ path: join(dataDir, 'mongodb', 'data.db'), fsync: false });
});

it('tollgate backup leaves nothing behind when it fails', async () => {
  await fill(1, 1);
  writeFileSync(join(dataDir, 'gateway-usage', 'instance-1', '000000000009.window'), '', { mode: 0o000 });
  rmSync(join(dataDir, 'gateway-usage', 'instance-1', '000000000007.window'));
  mkdirSync(join(dataDir, 'gateway-usage', 'instance-1', '000000000007.window'));
  const { exitCode, stderr } = await runBackup();
  expect(exitCode).toBe(2);
  expect(stderr).toContain('No backup was created.');
  expect(readdirSync(folder)).toEqual(['data']);
});

it('tollgate backup rejects a folder that exists, and a data folder without data', async () => {
  await fill(1, 1);
  mkdirSync(path('backup'));
  await expect(backUp()).rejects.toThrow('backup exists. Pass the path of a new folder.');
  rmSync(path('backup'), { recursive: true });
  const withoutData = backUp({ paths: dataPaths(path('none')) });
  await expect(withoutData).rejects.toThrow('has no data. Pass the data folder of npm start');
});

it.each([
  [['--to', 'x', '--max-rate', 'fast'], '--max-rate must be a whole number'],
  [[], 'Pass the folder to create with --to.'],
  [['somewhere'], "Unexpected argument 'somewhere'."],
])('tollgate backup rejects %j and says what to pass', async (args, message) => {
  const terminal = testTerminal();
  expect(await runCommand(['backup', ...args], terminal)).toBe(2);
  expect(terminal.errors.join()).toContain(message);
});

describe('hasEveryWindow', () => {
  const windows = (first: number, last: number) =>
    new Map([['instance-1', new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index))]]);

  it('hasEveryWindow compares the windows of an outage of two days', () => {
    expect(hasEveryWindow(windows(1, 180_001), windows(1, 180_000))).toBe(true);
    expect(hasEveryWindow(windows(2, 180_001), windows(1, 180_000))).toBe(false);
  });

  it('hasEveryWindow finds a window that was opened after the list and is missing in the copy', () => {
    const copied = windows(1, 5);
    copied.get('instance-1')?.delete(4);
    expect(hasEveryWindow(copied, windows(1, 3))).toBe(false);
    expect(hasEveryWindow(new Map(), windows(1, 1))).toBe(false);
    expect(hasEveryWindow(windows(1, 1), new Map())).toBe(true);
  });
});

describe('a backup', () => {
  beforeEach(async () => {
    await fill(1, 1);
    await backUp();
  });

  it('a backup that was changed, is incomplete, or has an additional file is detected', async () => {
    const manifest = await readManifest(path('backup'));
    appendFileSync(path('backup/data.db'), 'x');
    rmSync(path('backup/gateway-usage/instance-1/gateway-id'));
    writeFileSync(path('backup/other'), '');
    expect(await verifyFiles(path('backup'), manifest)).toEqual([
      'gateway-usage/instance-1/gateway-id is missing.',
      'data.db was changed, or is incomplete.',
      'other is not part of the backup.',
    ]);
  });

  it('a backup of a later format is rejected with the release to use', async () => {
    const manifest = await readManifest(path('backup'));
    const later = { ...manifest, format_version: 2, tollgate_version: '7.0.0' };
    writeFileSync(path('backup/manifest.json'), JSON.stringify(later));
    await expect(readManifest(path('backup'))).rejects.toThrow('Use Tollgate 7.0.0, which created it');
  });

  it('a backup without a manifest is rejected', async () => {
    await expect(readManifest(dataDir)).rejects.toThrow('is not a backup');
    writeFileSync(path('backup/manifest.json'), '{"format":"other"}');
    await expect(readManifest(path('backup'))).rejects.toThrow('is not a manifest of a backup');
  });
});

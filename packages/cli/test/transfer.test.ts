import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { start } from '@tollgate/embedded-mongodb';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../src/run-command.ts';
import { digestOf, readCollection } from '../src/transfer/raw-documents.ts';
import { sampleLog } from './sample-log.ts';
import { testTerminal } from './support/test-terminal.ts';

/** Three replies of a server with the largest documents, and more than one batch of an import. */
const PAYMENTS = 2_100;

let folder: string;
let servers: { source: TestServer; target: TestServer };
let source: MongoClient;
let target: MongoClient;

beforeAll(async () => {
  const [first, second] = await Promise.all([startMongoDB(), startMongoDB()]);
  servers = { source: first, target: second };
  source = new MongoClient(first.url);
  target = new MongoClient(second.url);
});
afterAll(async () => {
  await Promise.all([source.close(), target.close()]);
  await Promise.all([servers.source.dispose(), servers.target.dispose()]);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-transfer-'));
});
afterEach(async () => {
  for (const client of [source, target])
    for (const name of Object.values(DATABASES)) await client.db(name).dropDatabase();
  rmSync(folder, { recursive: true });
});

async function run(url: string, ...args: string[]) {
  const terminal = testTerminal({ env: { MONGODB_URL: url } });
  const exitCode = await runCommand(args, terminal);
  return { exitCode, printed: terminal.printed.join('\n'), errors: terminal.errors.join('\n') };
}

const path = () => join(folder, 'export');
const exportSource = (...more: string[]) => run(servers.source.url, 'export', '--to', path(), ...more);
const importTarget = (...more: string[]) => run(servers.target.url, 'import', '--from', path(), ...more);

function payments(count: number): Document[] {
  return Array.from({ length: count }, (_, index) => ({
    _id: `pay_${String(index).padStart(8, '0')}` as never,
    amount: Long.fromNumber(1999 + index),
    ratio: new Double(1),
    currency: 'EUR',
    metadata: new Map([
      ['b', 'x'],
      ['2', 'y'],
      ['1', 'z'],
    ]),
    history: [{ status: 'pending', at: new Date(index) }],
    expires_at: new Date('2100-01-01'),
  }));
}

const ofSource = () => source.db(DATABASES.payments).collection('payments');
const ofTarget = () => target.db(DATABASES.payments).collection('payments');

async function fillSource(count = PAYMENTS): Promise<void> {
  await ofSource().insertMany(payments(count));
  await ofSource().createIndexes([
    { key: { currency: 1, amount: -1 }, name: 'by_amount' },
    { key: { amount: 1 }, unique: true, partialFilterExpression: { amount: { $gt: Long.fromNumber(5) } } },
    { key: { expires_at: 1 }, expireAfterSeconds: 60 },
  ]);
}

async function sameDigests(database: string, collection: string): Promise<void> {
  const [one, other] = await Promise.all(
    [source, target].map((client) => digestOf(readCollection(client.db(database), collection))),
  );
  expect(other).toEqual(one);
}

describe('tollgate export and import', () => {
  it('tollgate export and import copy thousands of payments and their indexes to another server and back, byte for byte', async () => {
    await fillSource();
    await source.db(DATABASES.usage).createCollection('open_questions');
    await source.db('another_program').collection('things').insertOne({ kept: false });
    onTestFinished(async () => void (await source.db('another_program').dropDatabase()));

    const exported = await exportSource();
    expect(exported.printed).toContain(`Exported ${PAYMENTS} documents of 2 collections`);
    const imported = await importTarget();
    expect(imported.printed).toContain(`Imported ${PAYMENTS} documents of 2 collections`);
    expect(imported.printed).toContain('The audit logs were not verified: pass --public-key.');

    await sameDigests(DATABASES.payments, 'payments');
    expect(await ofTarget().listIndexes().toArray()).toEqual(await ofSource().listIndexes().toArray());
    expect(await target.db(DATABASES.usage).listCollections().toArray()).toHaveLength(1);
    expect(await target.db('another_program').collection('things').countDocuments()).toBe(0);

    const first = readFileSync(join(path(), 'manifest.json'), 'utf8');
    rmSync(path(), { recursive: true });
    await run(servers.target.url, 'export', '--to', path());
    const digests = (text: string) => JSON.parse(text).collections;
    expect(digests(readFileSync(join(path(), 'manifest.json'), 'utf8'))).toEqual(digests(first));
    expect(statSync(join(path(), DATABASES.payments, 'payments.bson')).mode & 0o777).toBe(0o600);
  });

  it('tollgate export and import keep every type, and the order of names that are numbers', async () => {
    await ofSource().insertMany([
      {
        _id: 1 as never,
        int: new Int32(1),
        long: Long.MAX_VALUE,
        double: new Double(-0),
        whole: new Double(5),
      },
      { _id: 2 as never, nan: Number.NaN, infinity: Number.NEGATIVE_INFINITY },
      { _id: 3 as never, decimal: Decimal128.fromString('1.10'), date: new Date(-1), no: null, yes: true },
      {
        _id: 4 as never,
        id: new ObjectId(),
        binary: new Binary(Buffer.from('x'), 5),
        bytes: new Binary(Buffer.alloc(0)),
      },
      {
        _id: 5 as never,
        regex: /a.c/im,
        time: new Timestamp({ t: 7, i: 8 }),
        min: new MinKey(),
        max: new MaxKey(),
      },
      {
        _id: 6 as never,
        ref: new Map<string, unknown>([
          ['$id', 1],
          ['$ref', 'x'],
        ]),
        empty: {},
        list: [[], [new Double(1)]],
      },
      {
        _id: 7 as never,
        nested: new Map<string, unknown>([
          [
            'z',
            [
              new Map<string, unknown>([
                ['2', 1],
                ['1', new Double(2)],
              ]),
            ],
          ],
          ['1', ''],
        ]),
      },
      { _id: 8 as never, __proto__: { polluted: true }, text: 'ä\u0000\u{1F600}' },
      { _id: new ObjectId(), mixed: 'ids' },
      { _id: 'text' as never, large: 'x'.repeat(9 * 1024 * 1024) },
      { _id: 'then' as never, small: true },
    ]);
    expect((await exportSource()).exitCode).toBe(0);
    expect(await importTarget()).toMatchObject({ exitCode: 0 });
    await sameDigests(DATABASES.payments, 'payments');
  });

  it('tollgate export and import reject a source and a target that services are connected to', async () => {
    await fillSource(1);
    const service = await new MongoClient(servers.source.url, { appName: 'payments' }).connect();
    const rejected = await exportSource();
    await service.close();
    expect(rejected).toMatchObject({ exitCode: 2, printed: '' });
    expect(rejected.errors).toContain('Services are connected to the server: payments. Stop all processes');
    await expect.poll(async () => (await exportSource()).exitCode).toBe(0);

    const other = await new MongoClient(servers.target.url, { appName: 'audit' }).connect();
    expect((await importTarget()).errors).toContain('Services are connected to the server: audit.');
    await other.close();
  });

  it('tollgate export and import continue an import that was interrupted', async () => {
    await fillSource();
    await exportSource();
    await ofTarget().insertMany(payments(1_234));
    expect(await importTarget()).toMatchObject({ exitCode: 0 });
    await sameDigests(DATABASES.payments, 'payments');
    expect((await importTarget()).printed).toContain(
      'Counts, digests, and indexes equal those of the export.',
    );
  });

  it('tollgate export and import continue an import that was interrupted among its indexes, while documents expire', async () => {
    await fillSource(3);
    await ofSource().updateOne({}, { $set: { expires_at: new Date(0) } });
    await source.db(DATABASES.usage).collection('windows').createIndex({ at: 1 });
    await exportSource();
    const terminal = testTerminal({ env: { MONGODB_URL: servers.target.url } });
    const printError = terminal.printError;
    terminal.printError = (line) => {
      printError(line);
      if (line === 'indexing tollgate_usage.windows') terminal.interrupt();
    };

    expect(await runCommand(['import', '--from', path()], terminal)).toBe(2);

    const indexes = await ofTarget().listIndexes().toArray();
    expect(indexes.map(({ name }) => name)).toEqual(['_id_', 'by_amount', 'amount_1']);
    expect(await importTarget()).toMatchObject({ exitCode: 0 });
    expect(await ofTarget().indexExists('expires_at_1')).toBe(true);
  });

  it.each([
    ['another document', () => ofTarget().insertOne({ _id: 'pay_0' as never })],
    ['a document after all others', () => ofTarget().insertMany([...payments(3), { _id: 'pay_x' as never }])],
    [
      'a collection that the export does not have',
      () => target.db(DATABASES.audit).collection('x').insertOne({}),
    ],
  ])('tollgate export and import leave a target with %s as it is', async (_title, fillTarget) => {
    await fillSource(3);
    await exportSource();
    await fillTarget();
    const before = await ofTarget().countDocuments();
    const { exitCode, errors } = await importTarget();
    expect(exitCode).toBe(2);
    expect(errors).toContain('The server in MONGODB_URL is not empty');
    expect(await ofTarget().countDocuments()).toBe(before);
  });

  it('tollgate export and import detect a changed export before anything is imported', async () => {
    await fillSource(3);
    await exportSource();
    const file = join(path(), DATABASES.payments, 'payments.bson');
    cpSync(file, `${file}.copy`);
    appendFileSync(file, readFileSync(`${file}.copy`));
    expect((await importTarget()).errors).toContain('is not as it was exported');
    writeFileSync(file, readFileSync(`${file}.copy`).subarray(0, -1));
    expect((await importTarget()).errors).toContain('payments.bson is incomplete');
    expect(await ofTarget().countDocuments()).toBe(0);
  });

  it('move a stopped installation of npm start, and reject one that runs', async () => {
    const data = (name: string) => join(folder, name, 'mongodb', 'data.db');
    const running = await start({ path: data('old'), fsync: false });
    const client = new MongoClient(running.url);
    await client.db(DATABASES.payments).collection('payments').insertMany(payments(5));
    await client.close();
    const exportOld = () => run('', 'export', '--to', path(), '--data-dir', join(folder, 'old'));
    const rejected = await exportOld();
    expect(rejected.exitCode).toBe(2);
    expect(rejected.errors).toContain('is in use by another embedded-mongodb');
    await running.stop();

    expect((await exportOld()).printed).toContain('Exported 5 documents');
    const args = ['import', '--from', path(), '--data-dir', join(folder, 'new')];
    expect((await run('', ...args)).printed).toContain('Imported 5 documents');
    expect((await run(servers.target.url, ...args)).errors).toContain(
      'MONGODB_URL and --data-dir are both set',
    );
  });

  it('tollgate export and import create a data folder that only its owner can read', async () => {
    await fillSource(3);
    await exportSource();
    const data = join(folder, 'new');
    const umask = process.umask(0o022);
    onTestFinished(() => void process.umask(umask));
    expect(await run('', 'import', '--from', path(), '--data-dir', data)).toMatchObject({ exitCode: 0 });
    const modes = ['', 'mongodb', 'mongodb/data.db'].map((name) => statSync(join(data, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o600]);
  });

  it('tollgate export and import reject a data folder and a server without data', async () => {
    const nowhere = await run('', 'export', '--to', path(), '--data-dir', join(folder, 'none'));
    expect(nowhere).toMatchObject({ exitCode: 2, printed: '' });
    expect(nowhere.errors).toContain('has no data. Pass the data folder of npm start');
    expect(nowhere.errors).toContain('set MONGODB_URL in place of --data-dir');
    const empty = await exportSource();
    expect(empty).toMatchObject({ exitCode: 2, printed: '' });
    expect(empty.errors).toContain('The server has no data of Tollgate: tollgate_accounts');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [['export'], 'Pass the folder to create with --to.'],
    [['import'], 'Pass the folder of the export with --from.'],
    [['export', '--to', 'x'], 'Set MONGODB_URL, or MONGODB_URL_FILE'],
    [['import', '--from', '/nowhere'], '/nowhere is not an export'],
  ])('tollgate export and import reject %j and say what to do', async (args, message) => {
    const { exitCode, errors } = await run('', ...args);
    expect(exitCode).toBe(2);
    expect(errors).toContain(message);
  });

  it('tollgate export and import say that the server rejects the password, without repeating it', async () => {
    const url = new URL(servers.source.url);
    url.password = 'hidden';
    const { exitCode, errors } = await run(url.href, 'export', '--to', path());
    expect(exitCode).toBe(2);
    expect(errors).toContain('The server in MONGODB_URL cannot be used: Authentication failed');
    expect(errors).not.toContain('hidden');
  });
});

it('an export while a program writes fails, because the export would lack data', async () => {
  await fillSource(3);
  const { exportDatabases } = await import('../src/transfer/export-databases.ts');
  await ofSource().dropIndex('expires_at_1');
  let writes: Promise<unknown> = Promise.resolve();
  await source.db(DATABASES.usage).createCollection('windows');
  const failed = exportDatabases({
    client: source,
    to: path(),
    clock: { now: () => 0 },
    signal: new AbortController().signal,
    // The collection of payments was read before that of windows.
    onCollection(namespace) {
      if (namespace.endsWith('windows')) writes = ofSource().insertMany([{ _id: 'late' as never }]);
    },
  });
  await expect(failed).rejects.toThrow('tollgate_payments.payments changed during the export');
  await writes;
});

it('an export to a full disk fails with the reason, and leaves nothing behind', async () => {
  await fillSource(3);
  const { exportDatabases } = await import('../src/transfer/export-databases.ts');
  const failed = exportDatabases({
    client: source,
    to: path(),
    clock: { now: () => 0 },
    signal: new AbortController().signal,
    onCollection() {
      const [unfinished = ''] = readdirSync(folder);
      mkdirSync(join(folder, unfinished, DATABASES.payments));
      symlinkSync('/dev/full', join(folder, unfinished, DATABASES.payments, 'payments.bson'));
    },
  });
  await expect(failed).rejects.toThrow('ENOSPC');
  expect(readdirSync(folder)).toEqual([]);
});

describe('the audit logs of a target', () => {
  const log = sampleLog();

  async function importLog(
    change: (records: Document[]) => Document[],
  ): Promise<ReturnType<typeof importTarget>> {
    const audit = source.db(DATABASES.audit);
    await audit.collection('logs').insertOne({ _id: log.teamId as never, last_head: null });
    await audit.collection('records').insertMany(change(structuredClone(log.records)));
    await audit.collection('heads').insertMany(structuredClone(log.heads));
    await exportSource();
    return importTarget('--public-key', log.publicKey);
  }

  it('the audit logs of a target are verified with the public key', async () => {
    const { exitCode, printed } = await importLog((records) => records);
    expect(printed).toContain('Audit logs of 1 teams with 5 records and 1 tree heads: intact.');
    expect(exitCode).toBe(0);
  });

  it.each<[string, (records: Document[]) => Document[], string]>([
    [
      'a changed record',
      ([first, ...rest]) => [{ ...first, action: 'key.created' }, ...rest],
      'record-changed: record 1',
    ],
    ['a record that is missing', (records) => records.toSpliced(1, 1), 'record-missing: record 2'],
    [
      'a changed record after the last tree head',
      (records) => [...records.slice(0, 4), { ...records[4], action: 'key.created' }],
      'record-changed: record 5',
    ],
    [
      'a missing record after the last tree head',
      (records) => records.toSpliced(3, 1),
      'record-missing: record 4',
    ],
  ])('the audit logs of a target are reported with %s', async (_title, change, finding) => {
    const { exitCode, printed } = await importLog(change);
    expect(printed).toContain(finding);
    expect(printed).toContain('TAMPERED');
    expect(exitCode).toBe(1);
  });
});

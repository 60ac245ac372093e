import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBus } from '@tollgate/bus/connection';
import { natsUsers } from '@tollgate/bus/permissions/nats-users';
import { ensureStreams } from '@tollgate/bus/streams';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { startOpsServer } from '@tollgate/runtime/ops-server';
import { createUnreadableAddressCounter } from '@tollgate/runtime/unreadable-addresses';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { checkClock } from '../src/doctor/check-clock.ts';
import { checkNatsVersion } from '../src/doctor/check-nats.ts';
import { createDoctor } from '../src/doctor/doctor.ts';
import type { Finding } from '../src/doctor/finding.ts';
import { connectDatabase } from '../src/migrate/connect-database.ts';
import { runCommand } from '../src/run-command.ts';
import { testTerminal } from './support/test-terminal.ts';

const PASSWORD = 'hunter2';
/** A subject without which payments cannot see whether its stream exists. */
const EVENTS_INFO = '"$JS.API.STREAM.INFO.EVENTS"';

let nats: TestServer;
let mongodb: TestServer;
/** The environment of a payments process. */
let env: Record<string, string>;

beforeAll(async () => {
  [nats, mongodb] = await Promise.all([
    startNats(authorization),
    startMongoDB(
      (['payments', 'usage'] as const).map((user) => ({
        user,
        password: PASSWORD,
        database: DATABASES[user],
      })),
    ),
  ]);
  await createStreams(nats);
  env = {
    NATS_URL: asUser(nats, 'payments'),
    MONGODB_URL: asUser(mongodb, 'payments'),
    ACTOR_PUBLIC_KEYS: keyPair().publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    SIGNING_KEYS: `1:${keyPair().privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')}`,
    INTERNAL_SIGNING_KEYS: `1:${randomBytes(32).toString('base64')}`,
  };
});
afterAll(() => Promise.all([nats.dispose(), mongodb.dispose()]));

const keyPair = () => generateKeyPairSync('ed25519');

/** A user for each process, and that of the tests. */
function authorization(testUser: { name: string; password: string }): string {
  // In quotes: nats-server reads a word that begins with a digit as a number.
  const sharedUser = { ...testUser, password: JSON.stringify(testUser.password) };
  return natsUsers({ password: () => PASSWORD, sharedUser });
}

async function createStreams({ url }: TestServer, options: { streamMaxBytes?: number } = {}): Promise<void> {
  const bus = await connectBus({ url, name: 'test', ...options });
  await ensureStreams(bus);
  await bus.close();
}

function asUser(server: TestServer, user: string, password = PASSWORD): string {
  const url = new URL(server.url);
  url.username = user;
  url.password = password;
  return url.href;
}

async function diagnose(
  changed: Record<string, string> = {},
  { args = [] as string[], clock = systemClock } = {},
): Promise<{ exitCode: number; findings: Finding[] }> {
  const terminal = testTerminal({ env: { ...env, ...changed } });
  const exitCode = await createDoctor(clock).run(['--json', ...args], terminal);
  const { findings } = JSON.parse(terminal.printed.join('')) as { findings: Finding[] };
  return { exitCode, findings };
}

async function problemsOf(...args: Parameters<typeof diagnose>): Promise<Finding[]> {
  const { findings } = await diagnose(...args);
  expect(JSON.stringify(findings)).not.toContain(PASSWORD);
  return findings.filter(({ status }) => status === 'problem');
}

it('tollgate doctor finds no problem in the environment of a process, whose role is the user of NATS_URL', async () => {
  expect(await problemsOf()).toEqual([]);
  const { findings } = await diagnose();
  expect(findings.filter(({ check }) => check !== 'clocks')).toEqual([
    {
      check: 'configuration',
      subject: 'payments',
      status: 'ok',
      message: 'All variables are valid.',
    },
    { check: 'nats', subject: 'connection', status: 'ok', message: expect.stringContaining('nats-server') },
    { check: 'nats', subject: 'version', status: 'ok', message: expect.stringContaining('is tested with') },
    { check: 'nats', subject: 'AUDIT', status: 'ok', message: expect.stringContaining('kept for 7 days') },
    {
      check: 'nats',
      subject: 'DEAD_LETTERS',
      status: 'ok',
      message: expect.stringContaining('kept for 30 days'),
    },
    { check: 'nats', subject: 'EVENTS', status: 'ok', message: expect.stringContaining('Replicas: 1') },
    {
      check: 'nats',
      subject: 'KV_erasures',
      status: 'not checked',
      message: expect.stringContaining('Not created yet'),
    },
    { check: 'mongodb', subject: 'payments', status: 'ok', message: expect.stringContaining('Connected') },
    {
      check: 'mongodb',
      subject: 'payments',
      status: 'ok',
      message: expect.stringContaining('read and write'),
    },
    {
      check: 'schema',
      subject: 'payments',
      status: 'not checked',
      message: expect.stringContaining('no index yet'),
    },
  ]);
});

it('tollgate doctor compares the indexes and the schema version with what the release needs, as the user of the service', async () => {
  const connection = await connectDatabase(mongodb.url, 'payments');
  onTestFinished(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  const schemaFindings = async () => (await diagnose()).findings.filter(({ check }) => check === 'schema');
  await runCommand(['migrate'], testTerminal({ env }));
  expect(await schemaFindings()).toEqual([
    {
      check: 'schema',
      subject: 'payments',
      status: 'ok',
      message: expect.stringContaining('indexes exist'),
    },
  ]);

  const payments = connection.collection('payments');
  await payments.dropIndex('unpublished');
  await payments.dropIndex('history_status');
  await payments.createIndex({ status: 1 }, { name: 'history_status' });
  expect(await schemaFindings()).toMatchObject([
    { status: 'problem', message: 'Missing indexes: payments.unpublished.' },
    { status: 'problem', message: expect.stringContaining('payments.history_status') },
  ]);

  await connection.collection('schema').updateOne({}, { $set: { version: 9, readable_from: 9 } });
  expect(await schemaFindings()).toMatchObject([
    { status: 'problem', message: expect.stringContaining('has schema 9') },
  ]);
});

it('tollgate doctor reports every wrong variable, a file that cannot be read, and a misspelt variable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'absent');
  const wrong = { SIGNING_KEYS: '', SIGNING_KEYS_FILE: path, STUCK_AFTER: '1', NATS_REPLICA: '3' };
  const problems = await problemsOf(wrong);
  expect(problems.map(({ message }) => message)).toEqual([
    `SIGNING_KEYS_FILE is ${path}, which cannot be read (ENOENT: no such file or directory).`,
    expect.stringContaining('STUCK_AFTER must be a duration'),
    expect.stringContaining('The most similar variable is NATS_REPLICAS.'),
  ]);
});

it('tollgate doctor reports a wrong password of NATS, and of MongoDB', async () => {
  const wrong = {
    NATS_URL: asUser(nats, 'payments', 'wrong'),
    MONGODB_URL: asUser(mongodb, 'payments', 'wrong'),
  };
  expect(await problemsOf(wrong)).toEqual([
    expect.objectContaining({
      check: 'nats',
      message: expect.stringContaining('rejected the user or password'),
      remedy: expect.stringContaining('Check NATS_URL'),
    }),
    expect.objectContaining({
      check: 'mongodb',
      message: expect.stringContaining('MongoDB rejected the user or password'),
      remedy: expect.stringContaining('Check MONGODB_URL'),
    }),
  ]);
});

it('tollgate doctor reports a server that is unreachable, instead of waiting for it', async () => {
  const stopped = await startNats();
  await stopped.dispose();
  const problems = await problemsOf({ NATS_URL: stopped.url }, { args: ['--role', 'payments'] });
  expect(problems).toEqual([expect.objectContaining({ check: 'nats', subject: 'connection' })]);
});

it('tollgate doctor reports a missing permission of NATS', async () => {
  const strict = await startNats((user) => authorization(user).replaceAll(EVENTS_INFO, ''));
  onTestFinished(() => strict.dispose());
  await createStreams(strict);
  expect(await problemsOf({ NATS_URL: asUser(strict, 'payments') })).toEqual([
    expect.objectContaining({
      subject: 'EVENTS',
      message: 'The user may not read the stream, which its process needs.',
      remedy: expect.stringContaining('print-nats-users.ts'),
    }),
  ]);
});

it('tollgate doctor reports a stream with fewer replicas than NATS_REPLICAS, and how to add them', async () => {
  const problems = await problemsOf({ NATS_REPLICAS: '3' });
  expect(problems.map(({ subject, remedy }) => [subject, remedy])).toEqual([
    ['AUDIT', 'With a NATS user that may change it, such as operator: nats stream edit AUDIT --replicas 3'],
    [
      'DEAD_LETTERS',
      'With a NATS user that may change it, such as operator: nats stream edit DEAD_LETTERS --replicas 3',
    ],
    ['EVENTS', 'With a NATS user that may change it, such as operator: nats stream edit EVENTS --replicas 3'],
  ]);
});

it('tollgate doctor reports a stream without a limit of size', async () => {
  const unlimited = await startNats(authorization);
  onTestFinished(() => unlimited.dispose());
  await createStreams(unlimited, { streamMaxBytes: -1 });
  const problems = await problemsOf({
    NATS_URL: asUser(unlimited, 'payments'),
    NATS_STREAM_MAX_BYTES: '1048576',
  });
  expect(problems.map(({ subject, remedy }) => [subject, remedy])).toEqual([
    ['AUDIT', 'With the NATS user operator: nats stream edit AUDIT --max-bytes 1048576'],
    ['DEAD_LETTERS', 'With the NATS user operator: nats stream edit DEAD_LETTERS --max-bytes 1048576'],
    ['EVENTS', 'With the NATS user operator: nats stream edit EVENTS --max-bytes 1048576'],
  ]);
});

it('tollgate doctor does not report a stream that no process has created yet', async () => {
  const empty = await startNats(authorization);
  onTestFinished(() => empty.dispose());
  const changed = { NATS_URL: asUser(empty, 'payments') };
  expect(await problemsOf(changed)).toEqual([]);
  expect((await diagnose(changed)).findings).toContainEqual({
    check: 'nats',
    subject: 'EVENTS',
    status: 'not checked',
    message: 'Not created yet. The first process that needs it creates it.',
  });
});

it('tollgate doctor reports a user of MongoDB without rights on the database of the role', async () => {
  expect(await problemsOf({ MONGODB_URL: asUser(mongodb, 'usage') })).toEqual([
    expect.objectContaining({
      message: 'The user may not read and write tollgate_payments.',
      remedy: expect.stringContaining('create-mongodb-users.ts'),
    }),
  ]);
});

it('tollgate doctor reports a clock that differs from that of a server', async () => {
  const clock = { now: () => Date.now() + 600_000 };
  expect(await problemsOf({}, { clock })).toContainEqual({
    check: 'clocks',
    subject: 'MongoDB',
    status: 'problem',
    message: 'Its clock differs by 600 s.',
    remedy: expect.stringContaining('Synchronize the clocks'),
  });
});

it('tollgate doctor checks the roles that --role names, and no server for the dashboard', async () => {
  const { findings } = await diagnose(
    { SESSION_COOKIE_KEYS: `1:${randomBytes(32).toString('base64')}` },
    { args: ['--role', 'dashboard'] },
  );
  expect(findings.map(({ check, subject, status }) => [check, subject, status])).toEqual([
    ['configuration', 'dashboard', 'ok'],
    ['addresses', 'dashboard', 'not checked'],
  ]);
});

it('tollgate doctor reports that a proxy sends addresses of clients that the running process cannot read', async () => {
  const registry = createMetrics('dashboard');
  const logger = createLogger({ service: 'test', level: 'silent' });
  const ops = await startOpsServer({
    host: '127.0.0.1',
    port: 0,
    reasonsNotReady: () => [],
    registry,
    logger,
  });
  onTestFinished(() => ops.stop());
  const diagnoseRunning = async () => {
    const running = {
      OPS_PORT: new URL(ops.url).port,
      SESSION_COOKIE_KEYS: `1:${randomBytes(32).toString('base64')}`,
    };
    const { findings } = await diagnose(running, { args: ['--role', 'dashboard'] });
    return findings.find(({ check }) => check === 'addresses');
  };
  const countUnreadable = createUnreadableAddressCounter(registry);
  expect(await diagnoseRunning()).toMatchObject({ subject: 'dashboard', status: 'ok' });
  countUnreadable('dashboard', logger)('unknown');
  countUnreadable('admin', logger)('unknown');
  expect(await diagnoseRunning()).toMatchObject({
    status: 'problem',
    message: expect.stringContaining('2 requests'),
    remedy: expect.stringContaining('Configure the proxy'),
  });
});

it('tollgate doctor prints what its page shows', async () => {
  const page = readFileSync(new URL('../../../docs/operating/doctor.md', import.meta.url), 'utf8');
  const [, transcript = ''] = /```\n(.+?)```/s.exec(page) ?? [];
  const [command = '', ...lines] = transcript.trimEnd().split('\n');
  const [, script = '', ...args] = command.slice(command.indexOf(' payments ')).trim().split(' ');
  const connection = await connectDatabase(mongodb.url, 'payments');
  await runCommand(['migrate'], testTerminal({ env }));
  const terminal = testTerminal({ env: { ...env, NATS_REPLICAS: '3' } });
  await runCommand(args, terminal);
  await connection.dropDatabase();
  await connection.close();
  expect(script).toBe('tollgate');
  expect(terminal.printed).toEqual(expect.arrayContaining(lines));
});

it('tollgate doctor exits with 1 for a problem, and prints what to do', async () => {
  const terminal = testTerminal({ env: { ...env, NATS_REPLICAS: '3' } });
  expect(await runCommand(['doctor'], terminal)).toBe(1);
  const lines = terminal.printed;
  expect(lines.find((line) => line.includes('nats, EVENTS'))).toMatch(
    /^problem {6}nats, EVENTS: It has 1 of 3/,
  );
  expect(lines.join('\n')).toContain(
    '→ With a NATS user that may change it, such as operator: nats stream edit EVENTS --replicas 3',
  );
  expect(lines.at(-1)).toMatch(/^Problems: \d+\. Checks: \d+\.$/);
});

it.each([
  [[], 'No variable of a process is set.'],
  [['--role', 'payment'], '"payment" is not a role. Pass one of gateway, payments,'],
  [['--all'], "Unknown option '--all'"],
])('tollgate doctor exits with 2 for %j without variables', async (args, message) => {
  const terminal = testTerminal({ env: {} });
  expect(await runCommand(['doctor', ...args], terminal)).toBe(2);
  expect(terminal.errors.join()).toContain(message);
});

it.each([
  ['2.9.9', 'problem'],
  ['2.9.10', 'ok'],
  ['2.14.0-RC.1', 'ok'],
  ['2.15.9', 'ok'],
  ['2.16.0', 'not checked'],
  ['', 'not checked'],
])(
  'tollgate doctor says which versions of NATS are known, and reports version %j as %s',
  (version, status) => {
    const finding = checkNatsVersion(version);
    expect(finding).toMatchObject({ check: 'nats', subject: 'version', status });
    expect(finding.message).toMatch(/Tollgate is tested with 2\.9\.10, 2\.12\.8, and 2\.\d+\.\d+\.$/);
  },
);

it('a clock is compared with the time of the reply, whose delay does not count', () => {
  expect(checkClock('NATS', { beforeMs: 0, serverMs: 9_000, afterMs: 10_000 }).status).toBe('ok');
  expect(checkClock('NATS', { beforeMs: 0, serverMs: 12_001, afterMs: 10_000 }).status).toBe('problem');
  expect(checkClock('NATS', { beforeMs: 3_000, serverMs: 999, afterMs: 4_000 }).status).toBe('problem');
});

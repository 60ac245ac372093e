import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAdminClient, requestOf, type SentRequest } from '@tollgate/admin-client/admin-client';
import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 10_000;
const NEW_PASSWORD = 'chosen by the owner';
const PORT_VARIABLES = ['LIVE_PORT', 'SANDBOX_PORT', 'ADMIN_PORT', 'DASHBOARD_PORT'];

interface Quickstart {
  application_id: string;
  live: { base_url: string; api_key: string };
  sandbox: { base_url: string; api_key: string };
  admin: { base_url: string; email: string; password?: string };
  dashboard: { url: string };
  inbox: { url: string };
  mongodb_url: string;
  nats_url: string;
  processes: { name: string; pid: number }[];
}

let dataDir: string;
let env: NodeJS.ProcessEnv;
let running: Started | null = null;

beforeAll(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'tollgate-start-')), 'data');
  const ports = await findFreePorts(PORT_VARIABLES.length);
  env = {
    ...process.env,
    TOLLGATE_DATA_DIR: dataDir,
    ...Object.fromEntries(PORT_VARIABLES.map((name, index) => [name, String(ports[index])])),
  };
});
afterAll(() => running?.stop());

interface Started {
  bootstrap: ChildProcess;
  output(): string;
  stop(): Promise<number | null>;
}

/** Starts the platform as npm does, without npm itself, whose own startup would be measured too. */
function launch(more: NodeJS.ProcessEnv = {}): Started {
  const script = join(CHECKOUT_DIR, 'packages/launcher/bootstrap/run.mjs');
  const bootstrap = spawn(process.execPath, [script, 'start'], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [bootstrap.stdout, bootstrap.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return {
    bootstrap,
    output: () => output,
    async stop() {
      bootstrap.kill('SIGTERM');
      return exitCode(bootstrap);
    },
  };
}

async function start(more: NodeJS.ProcessEnv = {}): Promise<Started> {
  running = launch(more);
  const { bootstrap, output } = running;
  await until('the platform runs', () => {
    if (bootstrap.exitCode !== null) throw new Error(output());
    return output().includes('Press Ctrl+C to stop');
  });
  return running;
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Still not true: ${what}.\n${running?.output()}`);
    await delay(50);
  }
}

const file = (name: string) => join(dataDir, name);
const quickstart = (): Quickstart => JSON.parse(readFileSync(file('quickstart.json'), 'utf8'));
const namesOf = ({ processes }: Quickstart) => processes.map(({ name }) => name).toSorted();
const launcherPid = () => Number(readFileSync(file('launcher.lock.pid'), 'utf8'));
const pidOf = (name: string) => quickstart().processes.find((process) => process.name === name)?.pid ?? 0;
/** A dead process keeps its pid, without a command line, until its parent reaps it. */
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

async function createPayment(environment: 'live' | 'sandbox', idempotencyKey: string): Promise<Response> {
  const { base_url, api_key } = quickstart()[environment];
  return fetch(`${base_url}/v1/payments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api_key}`,
      'idempotency-key': idempotencyKey,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ amount: 1999, currency: 'EUR' }),
  });
}

/** Sends a request to the admin API with a session token. */
async function admin<Route extends AdminRoute>(
  token: string | null,
  route: Route,
  request: SentRequest<Route>,
): Promise<Response> {
  const { base_url: baseUrl } = quickstart().admin;
  // A program on this machine can claim any address.
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  return createAdminClient({ baseUrl, token, headers }).fetch(...requestOf(route, request));
}

const signIn = (password = '') =>
  admin(null, ADMIN_ROUTES.signIn, { email: quickstart().admin.email, password });

/** Runs the command that the terminal shows in a shell, as if pasted. */
async function pasteCurlLine(output: string): Promise<string> {
  const line = /^ {2}curl [\s\S]*?}'$/m.exec(output)?.[0] ?? '';
  const shell = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] });
  let response = '';
  shell.stdout.on('data', (text) => {
    response += text;
  });
  await once(shell, 'close');
  return response;
}

const repeatFirstPayment = () => createPayment('live', 'first');

describe('npm start', { timeout: START_TIMEOUT_MS }, () => {
  let first: Quickstart;
  let completed: Quickstart;

  test('npm start starts a platform on which the printed curl command creates a payment', async () => {
    const { output } = await start();
    first = quickstart();

    expect(await pasteCurlLine(output())).toMatch(/^HTTP\/1\.1 201/);
    expect((await createPayment('live', 'first')).status).toBe(201);
    expect(namesOf(first)).toEqual(['mongodb', 'nats', 'tollgate']);
  });

  test('npm start lets the owner in quickstart.json sign in with a single session from its real address: the launcher’s own has ended', async () => {
    const answer = await signIn(first.admin.password);
    expect(answer.status).toBe(201);
    const { token, member } = (await answer.json()) as { token: string; member: { role: string } };
    expect(member.role).toBe('owner');

    const sessions = await admin(token, ADMIN_ROUTES.listSessions, {});
    const { data } = (await sessions.json()) as { data: { address: string }[] };
    expect(data.map(({ address }) => address)).toEqual(['127.0.0.1']);
  });

  test('npm start shows the dashboard’s URL and the password, and the dashboard responds there', async () => {
    expect(running?.output()).toContain(`dashboard ${first.dashboard.url}`);
    expect(running?.output()).toContain(`password  ${first.admin.password}`);

    expect((await fetch(`${first.dashboard.url}/sign-in`)).status).toBe(200);
  });

  test('npm start shows mails only at the printed URL, and sends no webhook to its own ports', async () => {
    const { url } = first.inbox;
    expect(running?.output()).toContain(`inbox     ${url}`);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(new URL('/mails.json', url))).status).toBe(403);
    const { token } = (await (await signIn(first.admin.password)).json()) as { token: string };
    const own = [url, first.live.base_url, first.admin.base_url, first.dashboard.url, first.mongodb_url].map(
      (each) => new URL(each).port,
    );
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      for (const port of own) {
        const response = await admin(token, ADMIN_ROUTES.createEndpoint, {
          application_id: first.application_id,
          environment: 'sandbox',
          event_types: ['payment.created'],
          url: `http://${host}:${port}/`,
        });
        expect(response.status).toBe(400);
        expect(await response.text()).toContain('Tollgate itself listens there');
      }
    }
  });

  test('npm start keeps keys and secrets readable only by their owner', () => {
    for (const name of ['quickstart.json', 'secrets.json', 'first-run.json']) {
      expect((statSync(file(name)).mode & 0o777).toString(8)).toBe('600');
    }
  });

  test('npm start writes no credential into a log', () => {
    const { mongodb, natsPasswords, mongodbPasswords, ...keys } = JSON.parse(
      readFileSync(file('secrets.json'), 'utf8'),
    );
    const values = [
      mongodb.password,
      ...Object.values<string>(natsPasswords),
      ...Object.values<string>(mongodbPasswords),
      first.live.api_key,
      first.sandbox.api_key,
      keys.API_KEY_PEPPERS,
      keys.ACCOUNTS_ENCRYPTION_KEYS,
      keys.SESSION_COOKIE_KEYS,
      keys.SETUP_TOKEN,
      keys.owner.password,
    ];
    for (const { name } of first.processes) {
      const log = readFileSync(file(`logs/${name}.log`), 'utf8');
      expect(values.filter((value) => log.includes(value))).toEqual([]);
    }
  });

  test('npm start rejects a second launcher on the same data, and names the first', async () => {
    const second = launch();
    expect(await exitCode(second.bootstrap)).toBe(1);
    expect(second.output()).toMatch(/Tollgate is already running on .* \(launcher process \d+\)/);
    expect(second.output()).not.toMatch(/^ +at /m);
  });

  test('npm start stops everything within seconds', async () => {
    const { processes } = quickstart();
    const begunAt = performance.now();

    expect(await running?.stop()).toBe(0);

    expect(performance.now() - begunAt).toBeLessThan(STOP_TIMEOUT_MS);
    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test('npm start completes an interrupted first run: one application, one usable key per environment', async () => {
    // As if it had ended after each creation and before recording it.
    const {
      application_id: _,
      live_api_key: __,
      ...interrupted
    } = JSON.parse(readFileSync(file('first-run.json'), 'utf8'));
    writeFileSync(file('first-run.json'), JSON.stringify(interrupted));

    await start({ TOLLGATE_TOPOLOGY: 'separate' });

    completed = quickstart();
    expect(completed.application_id).toBe(first.application_id);
    expect(completed.sandbox).toEqual(first.sandbox);
    expect(completed.live.api_key).not.toBe(first.live.api_key);
    expect((await createPayment('live', 'converged')).status).toBe(201);
    const lost = await fetch(`${first.live.base_url}/v1/payments/x`, {
      headers: { authorization: `Bearer ${first.live.api_key}` },
    });
    expect(lost.status).toBe(401);
  });

  test('npm start runs each component in a process of its own with TOLLGATE_TOPOLOGY=separate, on the same data', async () => {
    expect(namesOf(completed)).toEqual([
      'accounts',
      'applications',
      'audit',
      'dashboard',
      'gateway',
      'mongodb',
      'nats',
      'payments',
      'usage',
      'webhooks',
    ]);
    expect((await repeatFirstPayment()).headers.get('idempotent-replayed')).toBe('true');
  });

  test('npm start restarts a process that dies, prints it, and serves again', async () => {
    const killed = pidOf('payments');
    process.kill(killed, 'SIGKILL');
    await until('payments is restarted', () => ![0, killed].includes(pidOf('payments')));
    await until('payments are accepted', async () => {
      const response = await createPayment('sandbox', 'after-restart').catch(() => null);
      return response?.status === 201;
    });
    expect(running?.output()).toContain('payments ended unexpectedly');
  });

  test('npm start changes the password of the owner', async () => {
    const { token } = (await (await signIn(first.admin.password)).json()) as { token: string };
    const passwords = { current_password: first.admin.password ?? '', new_password: NEW_PASSWORD };
    expect((await admin(token, ADMIN_ROUTES.changePassword, passwords)).status).toBe(204);
  });

  test('npm start stops on Ctrl+C, and kills every process when it is pressed again', async () => {
    const { bootstrap, output } = running as Started;
    const { processes } = quickstart();
    // As a terminal does. The bootstrap forwards its signal, too.
    const pressCtrlC = () => {
      process.kill(launcherPid(), 'SIGINT');
      bootstrap.kill('SIGINT');
    };
    // Unless it is killed, stopping takes more than a minute.
    process.kill(pidOf('gateway'), 'SIGSTOP');
    const printedBefore = output().length;

    pressCtrlC();
    await until('it says that it stops', () =>
      output().endsWith('Stopping… Press Ctrl+C again to stop at once.\n'),
    );
    await delay(1_000);
    expect(bootstrap.exitCode).toBeNull();

    const begunAt = performance.now();
    pressCtrlC();
    expect(await exitCode(bootstrap)).toBe(130);

    expect(performance.now() - begunAt).toBeLessThan(STOP_TIMEOUT_MS);
    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
    expect(output().slice(printedBefore)).not.toContain('ended unexpectedly');
  });

  test('npm start finds its data again after it was killed: the same keys, and the same payment for the same idempotency key', async () => {
    await start();

    const { application_id, live, sandbox } = completed;
    expect(quickstart()).toMatchObject({ application_id, live, sandbox });
    const again = await repeatFirstPayment();
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('npm start removes the first password from quickstart.json after the owner has changed it', async () => {
    expect(running?.output()).not.toContain(first.admin.password);
    expect(quickstart().admin).toEqual({ base_url: first.admin.base_url, email: first.admin.email });
    expect((await signIn(NEW_PASSWORD)).status).toBe(201);
  });

  test('npm start ends the processes left by a killed launcher and its killed parent, and serves', async () => {
    const { bootstrap } = running as Started;
    const { processes } = quickstart();
    bootstrap.kill('SIGSTOP');
    process.kill(launcherPid(), 'SIGKILL');
    bootstrap.kill('SIGKILL');
    await exitCode(bootstrap);

    const { output } = await start();

    expect(output()).toContain('Stopped processes of an earlier launcher');
    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
    expect((await createPayment('sandbox', 'after-crash')).status).toBe(201);
  });

  test('npm start leaves no process behind when the launcher is killed with SIGKILL', async () => {
    const { processes } = quickstart();
    process.kill(launcherPid(), 'SIGKILL');

    expect(await exitCode((running as Started).bootstrap)).not.toBe(0);

    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test('npm start reports a busy port and its variable, without a stack trace', async () => {
    const busy = createServer().listen(Number(env['SANDBOX_PORT']), '127.0.0.1');
    await once(busy, 'listening');

    const rejected = launch();
    expect(await exitCode(rejected.bootstrap)).toBe(1);
    busy.close();

    expect(rejected.output()).toContain(`Port ${env['SANDBOX_PORT']} (sandbox API) is in use`);
    expect(rejected.output()).toContain('SANDBOX_PORT=');
    expect(rejected.output()).not.toMatch(/^ +at /m);
  });

  test('npm start reports an invalid variable, without a stack trace', async () => {
    const rejected = launch({ LIVE_PORT: 'eighty' });
    expect(await exitCode(rejected.bootstrap)).toBe(1);
    expect(rejected.output()).toContain('LIVE_PORT must be a whole number');
    expect(rejected.output()).not.toMatch(/^ +at /m);
  });
});

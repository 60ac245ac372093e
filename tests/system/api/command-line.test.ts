import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMPILE_CACHE, runLogin, runTollgate, TOLLGATE } from '../../support/platform/run-tollgate.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { startWebhookReceiver } from '../../support/platform/webhook-receiver.ts';

let platform: SharedPlatform;
let team: TestTeam;
let configDir: string;

const environment = () => ({ PATH: process.env['PATH'], TOLLGATE_CONFIG_DIR: configDir });

const tollgate = (...args: string[]) => runTollgate(args, environment());

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  configDir = await mkdtemp(join(tmpdir(), 'tollgate-config-'));
});
afterAll(async () => {
  await rm(configDir, { recursive: true, force: true });
  await platform?.leave();
});

it('a login is not signed in when a member rejects its code', async () => {
  const owner = platform.admin.as(team.owner.session);
  const ended = await runLogin(platform.dashboardUrl, environment(), (user_code) =>
    owner.call(ADMIN_ROUTES.denyDeviceAuthorization, { user_code }),
  );
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.err).toContain('The login was rejected in the dashboard.');
  expect((await tollgate('payments', 'list')).code).toBe(2);
});

describe('tollgate after a login', () => {
  beforeAll(async () => {
    await platform.createApplication(team);
    const owner = platform.admin.as(team.owner.session);
    await runLogin(platform.dashboardUrl, environment(), (user_code) =>
      owner.call(ADMIN_ROUTES.approveDeviceAuthorization, {
        user_code,
        role: 'developer',
        environments: ['sandbox'],
      }),
    );
    // Creates the key that all other commands use.
    await tollgate('payments', 'create', '--amount', '5');
  });

  it('tollgate after a login triggers each event', async () => {
    const triggered = await Promise.all(PAYMENT_EVENT_TYPES.map((type) => tollgate('trigger', type)));
    for (const [index, { code, out, err }] of triggered.entries()) {
      const type = PAYMENT_EVENT_TYPES[index] as string;
      expect(err).toMatch(/^Created pay_\w+\. Waiting for /);
      expect(out).toMatch(new RegExp(`^evt_\\w+  ${type.replace('.', '\\.')}  pay_\\w+\\n$`));
      expect(code).toBe(0);
    }
  });

  it('tollgate after a login triggers an event of the payment that its options describe', async () => {
    const options = ['--amount', '5', '--currency', 'CHF', '--reference', 'order-9', '--metadata', 'cart=9'];
    const triggered = await tollgate('trigger', 'payment.created', ...options, '--json');
    const { payment_id } = JSON.parse(triggered.out);
    const shown = await tollgate('payments', 'get', payment_id, '--json');
    expect(JSON.parse(shown.out)).toMatchObject({
      amount: 5,
      currency: 'CHF',
      reference: 'order-9',
      metadata: { cart: '9' },
    });
  });

  it('tollgate after a login creates, tests, disables, enables, and deletes a webhook endpoint', async () => {
    const created = await tollgate(
      'endpoints',
      'create',
      '--url',
      'http://127.0.0.1:1/',
      '--events',
      'payment.failed',
    );
    expect(created.out).toMatch(/^whsec_\S+\n$/);
    const id = /whe_\w+/.exec(created.err)?.[0] as string;
    expect((await tollgate('endpoints', 'list')).out).toBe(`${id}  enabled  http://127.0.0.1:1/\n`);
    expect((await tollgate('endpoints', 'test', id, '--events', 'payment.failed')).out).toMatch(
      / {2}dlv_\w+ {2}pending +payment\.failed {2}evt_\w+/,
    );
    expect((await tollgate('endpoints', 'disable', id)).out).toContain(`${id}  disabled`);
    expect((await tollgate('endpoints', 'enable', id)).out).toContain(`${id}  enabled`);
    expect((await tollgate('endpoints', 'delete', id)).out).toBe(`${id} is deleted.\n`);
    expect(await tollgate('endpoints', 'enable', id, '--json')).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /^\{"error":\{.*"status":404,"code":"not-found","request_id":"req_\w+"\}\}\n$/,
      ),
    });
  });

  it('tollgate after a login sends an event again', async () => {
    const receiver = await startWebhookReceiver();
    onTestFinished(receiver.close);
    const created = await tollgate(
      'endpoints',
      'create',
      '--url',
      receiver.url,
      '--events',
      'payment.created',
    );
    const endpointId = /whe_\w+/.exec(created.err)?.[0] as string;
    const { id, payment_id } = JSON.parse((await tollgate('trigger', 'payment.created', '--json')).out);
    await eventually('it arrives', () => receiver.received.length === 1, { timeoutMs: 30_000 });
    expect(
      (await tollgate('events', 'list', '--payment', payment_id, '--type', 'payment.created')).out,
    ).toContain(id);

    expect((await tollgate('events', 'resend', id)).code).toBe(0);
    await eventually('it arrives again', () => receiver.received.length === 2, { timeoutMs: 30_000 });
    const listed = await tollgate('deliveries', 'list', '--event', id, '--json');
    const [delivery] = JSON.parse(listed.out).data;
    expect(delivery).toMatchObject({ endpoint_id: endpointId });
    expect((await tollgate('deliveries', 'resend', delivery.id)).code).toBe(0);
    await eventually('it arrives again', () => receiver.received.length === 3, { timeoutMs: 30_000 });
    expect(receiver.received.every((webhook) => webhook.id === id)).toBe(true);

    const other = await tollgate('events', 'resend', id, '--endpoint', 'whe_01kf0fj3s0ec7s9q7v0h5x2m4n');
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('was not sent to') });
  });

  it('tollgate after a login creates, rotates, and revokes a key, whose credential alone is on standard output', async () => {
    const created = await tollgate('keys', 'create', '--name', 'Shop', '--scope', 'payment:read');
    expect(created.out).toMatch(/^tg_sandbox_\w+\n$/);
    const id = /key_\w+/.exec(created.err)?.[0] as string;
    const rotated = await tollgate('keys', 'rotate', id, '--overlap', '0', '--json');
    expect(JSON.parse(rotated.out)).toMatchObject({ name: 'Shop', scopes: ['payment:read'] });
    const { id: successor } = JSON.parse(rotated.out);
    expect((await tollgate('keys', 'revoke', successor, '--reason', 'test')).out).toBe(
      `${successor} is revoked.\n`,
    );
    expect((await tollgate('keys', 'create', '--live')).code).toBe(1);
  });

  it('tollgate after a login shows requests as they happen, each once, and passes over those that do not match', async () => {
    const running = spawn(process.execPath, [TOLLGATE, 'requests', 'tail', '--status', '4xx', '--json'], {
      env: { ...COMPILE_CACHE, ...environment() },
    });
    let out = '';
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    const exited = once(running, 'exit');
    await once(running.stderr, 'data');
    const matching = ['--currency', 'XXX'];
    await tollgate('payments', 'create', '--amount', '7');
    const commands = [
      ['0', ...matching],
      ['1', ...matching],
    ];
    await Promise.all(commands.map((args) => tollgate('payments', 'create', '--amount', ...args)));
    const shown = () =>
      out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    await eventually('both appear', () => shown().length === 2, { timeoutMs: 30_000 });
    running.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    expect(shown().map(({ status, code }) => [status, code])).toEqual([
      [422, 'unsupported-currency'],
      [422, 'unsupported-currency'],
    ]);
  });

  it('tollgate after a login creates another key when its own was revoked', async () => {
    const keys = (await platform.admin.as(team.owner.session).call(ADMIN_ROUTES.listTeamKeys, {})).body.data;
    const own = keys.find(({ name }) => name.startsWith('tollgate on'));
    await tollgate('keys', 'revoke', own?.id as string);
    const rejected = await tollgate('payments', 'create', '--amount', '5');
    expect(rejected).toMatchObject({ code: 1, err: expect.stringContaining('Run the command again') });
    expect((await tollgate('payments', 'create', '--amount', '5')).code).toBe(0);
  });
});

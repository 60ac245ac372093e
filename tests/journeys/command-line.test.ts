import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILE_CACHE, type Ended, runTollgate, TOLLGATE } from '../support/platform/run-tollgate.ts';
import { joinSharedPlatform, type SharedPlatform } from '../support/platform/shared-platform.ts';
import type { TestTeam } from '../support/platform/test-team.ts';

let platform: SharedPlatform;
let team: TestTeam;
let configDir: string;

const environment = () => ({ ...COMPILE_CACHE, PATH: process.env['PATH'], TOLLGATE_CONFIG_DIR: configDir });

const tollgate = (...args: string[]) => runTollgate(args, environment());

/** Runs the login, and lets a member confirm or reject the code in the dashboard's place. */
async function login(decide: (userCode: string) => Promise<unknown>): Promise<Ended> {
  const running = spawn(process.execPath, [TOLLGATE, 'login', platform.dashboardUrl], { env: environment() });
  let out = '';
  let err = '';
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  running.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const exited = once(running, 'exit');
  await eventually('it prints a code', () => /user_code=[A-Z-]+/.test(err), { timeoutMs: 30_000 });
  await decide(/user_code=([A-Z-]+)/.exec(err)?.[1] as string);
  const [code] = await exited;
  return { code, out, err };
}

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  configDir = await mkdtemp(join(tmpdir(), 'tollgate-config-'));
});
afterAll(async () => {
  await rm(configDir, { recursive: true, force: true });
  await platform?.leave();
});

describe('tollgate', () => {
  it('says what to do before a login', async () => {
    expect(await tollgate('payments', 'list')).toEqual({
      code: 2,
      out: '',
      err: 'You are not signed in. Run tollgate login.\n',
    });
  });

  it('is not signed in when a member rejects its code', async () => {
    const owner = platform.admin.as(team.owner.session);
    const ended = await login((user_code) => owner.call(ADMIN_ROUTES.denyDeviceAuthorization, { user_code }));
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain('The login was rejected in the dashboard.');
    expect((await tollgate('payments', 'list')).code).toBe(2);
  });

  it('is signed in when a member confirms its code, with a token that only its user can read', async () => {
    const owner = platform.admin.as(team.owner.session);
    const ended = await login((user_code) =>
      owner.call(ADMIN_ROUTES.approveDeviceAuthorization, {
        user_code,
        role: 'developer',
        environments: ['sandbox'],
      }),
    );
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/^Signed in to .* The token is stored in .*credentials\.json\.\n$/);
    expect((await stat(join(configDir, 'credentials.json'))).mode & 0o777).toBe(0o600);
    expect(ended.out + ended.err).not.toContain('tg_admin_');
  });

  it('creates payments with a key of its own, shows, lists, and cancels them', async () => {
    await platform.createApplication(team);
    const created = await tollgate(
      ...[
        'payments',
        'create',
        '--amount',
        '1999',
        '--reference',
        'order-7',
        '--metadata',
        'cart=9',
        '--json',
      ],
      ...['--payment-method', 'pm_hold'],
    );
    expect(created.err).toMatch(
      /^Created the sandbox key key_\w+ \("tollgate on .*"\) for this program\.\n$/,
    );
    const payment = JSON.parse(created.out);
    expect(payment).toMatchObject({
      amount: 1999,
      currency: 'EUR',
      metadata: { cart: '9' },
      status: 'pending',
    });

    expect((await tollgate('payments', 'get', payment.id)).out).toContain('amount       19.99 EUR');
    const listed = await tollgate('payments', 'list', '--reference', 'order-7');
    expect(listed.out).toMatch(new RegExp(`^\\S+  ${payment.id}  pending    19\\.99 EUR  order-7\\n$`));
    const canceled = await tollgate('payments', 'cancel', payment.id, '--reason', 'duplicate');
    expect(canceled).toMatchObject({ code: 0, err: '' });
    expect(canceled.out).toMatch(/status +canceled/);
  });

  it('exits with 1 and the documentation when the API rejects a request', async () => {
    const { code, err } = await tollgate('payments', 'create', '--amount', '1', '--currency', 'XXX');
    expect(code).toBe(1);
    expect(err).toMatch(/\(422, unsupported-currency\)\./);
    expect(err).toMatch(/Request: req_\w+/);
    expect(err).toMatch(/Documentation: http/);
  });

  it('triggers each event', async () => {
    const types = ['payment.succeeded', 'payment.failed', 'payment.canceled', 'payment.action_required'];
    const triggered = await Promise.all(types.map((type) => tollgate('trigger', type)));
    for (const [index, { code, out, err }] of triggered.entries()) {
      expect(err).toMatch(/^Created pay_\w+\. Waiting for /);
      expect(out).toMatch(new RegExp(`^evt_\\w+  ${types[index]?.replace('.', '\\.')}  pay_\\w+\\n$`));
      expect(code).toBe(0);
    }
  });

  it('creates, rotates, and revokes a key, whose credential alone is on standard output', async () => {
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

  it('shows requests as they happen, each once, and passes over those that do not match', async () => {
    const running = spawn(process.execPath, [TOLLGATE, 'requests', 'tail', '--status', '4xx', '--json'], {
      env: environment(),
    });
    let out = '';
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    const exited = once(running, 'exit');
    await once(running.stderr, 'data');
    const matching = ['--currency', 'XXX'];
    const commands = [['7'], ['0', ...matching], ['1', ...matching]];
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

  it('creates another key when its own was revoked', async () => {
    const keys = (await platform.admin.as(team.owner.session).call(ADMIN_ROUTES.listTeamKeys, {})).body.data;
    const own = keys.find(({ name }) => name.startsWith('tollgate on'));
    await tollgate('keys', 'revoke', own?.id as string);
    const rejected = await tollgate('payments', 'create', '--amount', '5');
    expect(rejected).toMatchObject({ code: 1, err: expect.stringContaining('Run the command again') });
    expect((await tollgate('payments', 'create', '--amount', '5')).code).toBe(0);
  });

  it('revokes its token when it signs out', async () => {
    const { token } = JSON.parse(await readFile(join(configDir, 'credentials.json'), 'utf8')) as {
      token: string;
    };
    const use = () => platform.admin.as(token).call(ADMIN_ROUTES.listApplications, {});
    expect((await use()).status).toBe(200);
    expect((await tollgate('logout')).code).toBe(0);
    expect((await use()).problem?.code).toBe('invalid-api-token');
    expect((await tollgate('payments', 'list')).code).toBe(2);
  });
});

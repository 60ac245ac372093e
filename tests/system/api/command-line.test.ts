import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILE_CACHE, runLogin, runTollgate, TOLLGATE } from '../../support/platform/run-tollgate.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

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

it('is not signed in when a member rejects its code', async () => {
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

  it('creates another key when its own was revoked', async () => {
    const keys = (await platform.admin.as(team.owner.session).call(ADMIN_ROUTES.listTeamKeys, {})).body.data;
    const own = keys.find(({ name }) => name.startsWith('tollgate on'));
    await tollgate('keys', 'revoke', own?.id as string);
    const rejected = await tollgate('payments', 'create', '--amount', '5');
    expect(rejected).toMatchObject({ code: 1, err: expect.stringContaining('Run the command again') });
    expect((await tollgate('payments', 'create', '--amount', '5')).code).toBe(0);
  });
});

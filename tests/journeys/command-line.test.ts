import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runLogin, runTollgate } from '../support/platform/run-tollgate.ts';
import { joinSharedPlatform, type SharedPlatform } from '../support/platform/shared-platform.ts';
import type { TestTeam } from '../support/platform/test-team.ts';

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

it('tollgate says what to do before a login', async () => {
  expect(await tollgate('payments', 'list')).toEqual({
    code: 2,
    out: '',
    err: 'You are not signed in. Run tollgate login.\n',
  });
});

it('tollgate is signed in when a member confirms its code, with a token that only its user can read', async () => {
  const owner = platform.admin.as(team.owner.session);
  const ended = await runLogin(platform.dashboardUrl, environment(), (user_code) =>
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

it('tollgate creates payments with a key of its own, shows, lists, and cancels them', async () => {
  await platform.createApplication(team);
  const created = await tollgate(
    ...['payments', 'create', '--amount', '1999', '--reference', 'order-7', '--metadata', 'cart=9', '--json'],
    ...['--payment-method', 'pm_hold'],
  );
  expect(created.err).toMatch(/^Created the sandbox key key_\w+ \("tollgate on .*"\) for this program\.\n$/);
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

it('tollgate exits with 1 and the documentation when the API rejects a request', async () => {
  const { code, err } = await tollgate('payments', 'create', '--amount', '1', '--currency', 'XXX');
  expect(code).toBe(1);
  expect(err).toMatch(/\(422, unsupported-currency\)\./);
  expect(err).toMatch(/Request: req_\w+/);
  expect(err).toMatch(/Documentation: http/);
});

it('tollgate revokes its token when it signs out', async () => {
  const { token } = JSON.parse(await readFile(join(configDir, 'credentials.json'), 'utf8')) as {
    token: string;
  };
  const use = () => platform.admin.as(token).call(ADMIN_ROUTES.listApplications, {});
  expect((await use()).status).toBe(200);
  expect((await tollgate('logout')).code).toBe(0);
  expect((await use()).problem?.code).toBe('invalid-api-token');
  expect((await tollgate('payments', 'list')).code).toBe(2);
});

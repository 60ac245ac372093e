import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeCredentials } from '../src/api/credentials.ts';
import { requireLogin } from '../src/api/require-login.ts';
import type { Terminal } from '../src/command.ts';

const CREDENTIALS = {
  admin_api_url: 'http://localhost:8082',
  live_api_url: 'http://localhost:8080',
  sandbox_api_url: 'http://localhost:8081',
  token: 'tg_admin_x',
  team: { id: 'team_1', name: 'Shop' },
  webhook_secret: 'whsec_x',
  api_keys: {},
};
const WRONG = { TOLLGATE_LIVE_URL: 'localhost:8080' };

let folder: string;
const loginWith = (env: Record<string, string>) =>
  requireLogin({ env: { XDG_CONFIG_HOME: folder, ...env } } as unknown as Terminal);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('a login that is saved works despite invalid variables that it replaces', async () => {
  await writeCredentials({ XDG_CONFIG_HOME: folder }, CREDENTIALS);
  expect((await loginWith(WRONG)).credentials).toEqual(CREDENTIALS);
});

it('a login of a script is rejected if its address is invalid', async () => {
  await expect(loginWith({ TOLLGATE_API_TOKEN: 'tg_admin_y', ...WRONG })).rejects.toThrow(
    'TOLLGATE_LIVE_URL must be an address',
  );
});

it('a login is required', async () => {
  await expect(loginWith({})).rejects.toThrow('Run tollgate login');
});

import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Credentials,
  credentialsPath,
  deleteCredentials,
  readCredentials,
  writeCredentials,
} from '../src/api/credentials.ts';

const CREDENTIALS: Credentials = {
  admin_api_url: 'http://localhost:8082',
  live_api_url: 'http://localhost:8080',
  sandbox_api_url: 'http://localhost:8081',
  token: 'tg_admin_x',
  team: { id: 'team_1', name: 'Shop' },
  webhook_secret: 'whsec_x',
  api_keys: {},
};

let env: NodeJS.ProcessEnv;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-'));
  env = { XDG_CONFIG_HOME: folder };
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it('credentials are readable by their user only, and leave no other file', async () => {
  const path = await writeCredentials(env, CREDENTIALS);
  expect(path).toBe(join(folder, 'tollgate', 'credentials.json'));
  expect([await modeOf(path), await modeOf(dirname(path))]).toEqual([0o600, 0o700]);
  expect(await readCredentials(env)).toEqual(CREDENTIALS);
  await writeCredentials(env, { ...CREDENTIALS, token: 'tg_admin_y' });
  expect((await readCredentials(env))?.token).toBe('tg_admin_y');
  expect(await modeOf(path)).toBe(0o600);
  expect(await readdir(dirname(path))).toEqual(['credentials.json']);
});

it('credentials are gone after a logout, which may be repeated', async () => {
  await writeCredentials(env, CREDENTIALS);
  await deleteCredentials(env);
  await deleteCredentials(env);
  expect(await readCredentials(env)).toBeNull();
});

it('credentials that others can read are not used', async () => {
  await chmod(await writeCredentials(env, CREDENTIALS), 0o640);
  await expect(readCredentials(env)).rejects.toThrow(/Other users can read .*chmod 600/);
});

it.each([
  ['no JSON', '{'],
  ['no credentials', '{"token": 1}'],
])('credentials with %s are reported as corrupted', async (_, text) => {
  await writeCredentials(env, CREDENTIALS);
  await writeFile(credentialsPath(env), text);
  await expect(readCredentials(env)).rejects.toThrow(/is corrupted\. Run tollgate login again\./);
});

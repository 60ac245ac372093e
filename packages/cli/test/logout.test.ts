import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readCredentials, writeCredentials } from '../src/api/credentials.ts';
import { runCommand } from '../src/run-command.ts';
import { testTerminal } from './support/test-terminal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('a logout deletes the login and says that the token is still valid when the server is unreachable', async () => {
  const env = { XDG_CONFIG_HOME: folder };
  const port = await closedPort();
  await writeCredentials(env, {
    admin_api_url: `http://127.0.0.1:${port}`,
    live_api_url: 'http://localhost:8080',
    sandbox_api_url: 'http://localhost:8081',
    token: 'tg_admin_x',
    team: { id: 'team_1', name: 'Shop' },
    webhook_secret: 'whsec_x',
    api_keys: {},
  });
  const terminal = testTerminal({ env });
  expect(await runCommand(['logout'], terminal)).toBe(1);
  expect(terminal.errors.join(' ')).toMatch(
    /may still be valid.*does not respond.*Revoke it in the dashboard/s,
  );
  expect(await readCredentials(env)).toBeNull();
});

it('a logout without a login says that there was none', async () => {
  const terminal = testTerminal({ env: { XDG_CONFIG_HOME: folder } });
  expect(await runCommand(['logout'], terminal)).toBe(0);
  expect(terminal.printed).toEqual(['You were not signed in.']);
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

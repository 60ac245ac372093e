import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createToken } from '@tollgate/contracts/accounts/rpc';
import { listApplications, listKeys, revokeKey, setLimits } from '@tollgate/contracts/applications/rpc';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { listEndpoints } from '@tollgate/contracts/webhooks/rpc';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const SCRIPT = fileURLToPath(new URL('../../../docs/examples/provision.mjs', import.meta.url));

let platform: SharedPlatform;
/** A new one for each test. */
let team: TestTeam;

beforeAll(async () => {
  platform = await joinSharedPlatform();
});
afterAll(() => platform?.leave());

async function aToken(): Promise<string> {
  team = await platform.createTeam();
  const { secret } = await team.owner.call(createToken, { name: 'Provisioning', role: 'admin' });
  return shownOnce(secret);
}

async function run(token: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT], {
    env: {
      TOLLGATE_ADMIN_URL: platform.adminUrl,
      TOLLGATE_API_TOKEN: token,
      WEBHOOK_URL: 'https://127.0.0.1/webhooks',
      ...env,
    },
  });
  return stdout;
}

const outcomesOf = (output: string) => output.match(/^(created|changed|exists)/gm);

/** Everything that the script provides in the team, as an owner reads it. */
async function readTeam() {
  const { call } = team.owner;
  return {
    applications: (await call(listApplications, {})).data,
    keys: (await call(listKeys, {})).data,
    endpoints: (await call(listEndpoints, {})).data,
  };
}

it('the example that provisions an application creates everything, and changes and reveals nothing when it runs again', async () => {
  const token = await aToken();
  const first = await run(token);
  expect(outcomesOf(first)).toEqual(['created', 'exists', 'created', 'created']);
  expect(first).toMatch(/secret: tg_sandbox_\w+/);
  expect(first).toMatch(/secret: whsec_\S+/);
  expect(first).toContain('Done: 3 created or changed.');
  const provided = await readTeam();
  expect(provided).toMatchObject({
    applications: [{ name: 'Web shop', limits: { live: { requests_per_second: 50, burst: 100 } } }],
    keys: [{ name: 'Web shop server', environment: 'sandbox' }],
    endpoints: [{ url: 'https://127.0.0.1/webhooks' }],
  });

  const second = await run(token);
  expect(outcomesOf(second)).toEqual(['exists', 'exists', 'exists', 'exists']);
  expect(second).toContain('Nothing changed.');
  expect(second).not.toContain('secret');
  expect(await readTeam()).toEqual(provided);
});

it('the example that provisions an application restores limits that were changed', async () => {
  const token = await aToken();
  await run(token);
  const limits = {
    live: { requests_per_second: 1, burst: 2 },
    sandbox: { requests_per_second: 1, burst: 2 },
  };
  const { applications } = await readTeam();
  await team.owner.call(setLimits, { application_id: applications[0]?.id as string, limits });
  expect(outcomesOf(await run(token))).toEqual(['exists', 'changed', 'exists', 'exists']);
  expect((await readTeam()).applications).toMatchObject([{ limits: { live: { burst: 100 } } }]);
});

it('the example that provisions an application creates a revoked key again', async () => {
  const token = await aToken();
  await run(token);
  const { keys } = await readTeam();
  await team.owner.call(revokeKey, { key_id: keys[0]?.id as string });
  expect(outcomesOf(await run(token))).toEqual(['exists', 'exists', 'created', 'exists']);
});

it('the example that provisions an application explains a failure', async () => {
  await aToken();
  const viewer = await team.owner.call(createToken, { name: 'Reader', role: 'viewer' });
  for (const [token, env, message] of [
    [shownOnce(viewer.secret), {}, 'Insufficient role'],
    ['', {}, 'Set TOLLGATE_API_TOKEN'],
    [shownOnce(viewer.secret), { TOLLGATE_ADMIN_URL: 'http://127.0.0.1:9' }, 'Run the script again.'],
  ] as const) {
    await expect(run(token, env)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    });
  }
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createToken } from '@tollgate/contracts/rpc/accounts';
import { getApplication } from '@tollgate/contracts/rpc/applications';
import { shownOnce } from '@tollgate/contracts/shown-once';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../platform/shared-platform.ts';
import type { TestTeam } from '../platform/test-team.ts';

const SCRIPT = fileURLToPath(new URL('../../docs/examples/provision.mjs', import.meta.url));

let platform: SharedPlatform;
let team: TestTeam;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
});
afterAll(() => platform?.leave());

async function run(token: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT], {
    env: {
      TOLLGATE_ADMIN_URL: platform.adminUrl,
      TOLLGATE_API_TOKEN: token,
      WEBHOOK_URL: 'https://127.0.0.1/webhooks',
    },
  });
  return stdout;
}

describe('the example that provisions an application', () => {
  it('creates everything, and creates and reveals nothing when it runs again', async () => {
    const { secret } = await team.owner.call(createToken, { name: 'Provisioning', role: 'admin' });
    const first = await run(shownOnce(secret));
    expect(first.match(/^(created|changed|exists)/gm)).toEqual(['created', 'changed', 'created', 'created']);
    expect(first).toMatch(/secret: tg_sandbox_\w+/);
    expect(first).toMatch(/secret: whsec_\S+/);
    const [id = ''] = first.match(/app_\w+/) ?? [];
    const { limits } = await team.owner.call(getApplication, { application_id: id });
    expect(limits.live).toEqual({ requests_per_second: 50, burst: 100 });

    const second = await run(shownOnce(secret));
    expect(second.match(/^(created|changed|exists)/gm)).toEqual(['exists', 'exists', 'exists', 'exists']);
    expect(second).not.toContain('secret');
  });

  it('explains a failure', async () => {
    const other = await platform.createTeam();
    const viewer = await other.owner.call(createToken, { name: 'Reader', role: 'viewer' });
    await expect(run(shownOnce(viewer.secret))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Insufficient role'),
    });
  });
});

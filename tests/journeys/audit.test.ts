import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminCaller } from '../support/platform/admin-client.ts';
import { runTollgate } from '../support/platform/run-tollgate.ts';
import { joinSharedPlatform, type SharedPlatform } from '../support/platform/shared-platform.ts';
import type { TestTeam } from '../support/platform/test-team.ts';

const PERIOD = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';

let platform: SharedPlatform;
let team: TestTeam;
let owner: AdminCaller;
let folder: string;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  owner = platform.admin.as(team.owner.session);
  folder = await mkdtemp(join(tmpdir(), 'tollgate-audit-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await platform?.leave();
});

/** Verifies an export with nothing but two files. */
async function verify(exported: string) {
  const [exportPath, keysPath] = [join(folder, 'export.ndjson'), join(folder, 'keys.json')];
  const { body } = await platform.admin.as(null).call(ADMIN_ROUTES.listPublicKeys, {});
  await Promise.all([writeFile(exportPath, exported), writeFile(keysPath, JSON.stringify(body))]);
  return runTollgate(['verify-audit', exportPath, '--public-key', keysPath], { PATH: process.env['PATH'] });
}

it('a change by a member is in the audit log with its actor, what changed, and the request', async () => {
  const { body } = await owner.call(ADMIN_ROUTES.createApplication, { name: 'Shop', scopes: [] });
  const request = { application_id: body.id, name: 'Web shop' };
  const { headers } = await owner.call(ADMIN_ROUTES.renameApplication, request, { ifMatch: '*' });
  const listed = async () =>
    (await owner.call(ADMIN_ROUTES.listRecords, { action: 'application.renamed' })).body.data;
  await eventually('the change is recorded', async () => (await listed()).length > 0);
  expect(await listed()).toEqual([
    expect.objectContaining({
      actor: expect.objectContaining({ type: 'member', id: team.owner.id }),
      target: { type: 'application', id: body.id, name: 'Web shop' },
      changes: { name: { before: 'Shop', after: 'Web shop' } },
      context: expect.objectContaining({ request_id: headers.get('x-request-id') }),
    }),
  ]);
});

it('an export of the audit log is verified by the command line, which detects a single changed character', async () => {
  const exported = await (await owner.fetch(`${AUDIT_EXPORT_PATH}?${PERIOD}`)).text();
  expect(exported).toContain('Web shop');
  expect(await verify(exported)).toMatchObject({ code: 0, err: '' });
  const altered = await verify(exported.replace('Web shop', 'Web ship'));
  expect(altered).toMatchObject({ code: 1, out: expect.stringContaining('aud_') });
});

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const { getDataRetention, setDataRetention, listRecords } = ADMIN_ROUTES;

let platform: SharedPlatform;
let team: TestTeam;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
});
afterAll(() => platform?.leave());

const owner = () => platform.admin.as(team.owner.session);

test('the retention period in the admin API is null for a new team, and changes only with the version that was read', async () => {
  const read = await owner().call(getDataRetention, {});
  expect(read.body).toEqual({ days: null, version: 1 });
  expect(read.headers.get('etag')).toBe('"1"');

  expect(await owner().call(setDataRetention, { days: 365 })).toMatchObject({
    status: 428,
    problem: { code: 'precondition-required' },
  });
  const set = await owner().call(setDataRetention, { days: 365 }, { ifMatch: 1 });
  expect(set).toMatchObject({ status: 200, body: { days: 365, version: 2 } });
  expect(await owner().call(setDataRetention, { days: 30 }, { ifMatch: 1 })).toMatchObject({
    status: 412,
    problem: { code: 'precondition-failed' },
  });
  expect((await owner().call(getDataRetention, {})).body).toEqual({ days: 365, version: 2 });
});

test.each([29, 3_651, 0, -1, 90.5, '90'])(
  'the retention period in the admin API cannot be %j',
  async (days) => {
    const request = { days } as { days: number };
    expect(await owner().call(setDataRetention, request, { ifMatch: '*' })).toMatchObject({
      status: 400,
      problem: { code: 'invalid-request', errors: [expect.objectContaining({ pointer: '/days' })] },
    });
  },
);

test('the retention period in the admin API must be given: an empty body does not remove it', async () => {
  const rejected = await owner().call(setDataRetention, {} as { days: null }, { ifMatch: '*' });
  expect(rejected.status).toBe(400);
});

test('the retention period in the admin API is read by a viewer, and set by an admin', async () => {
  const [viewer, developer, admin] = await Promise.all([
    team.createMember('viewer'),
    team.createMember('developer'),
    team.createMember('admin'),
  ]);
  const as = ({ session }: { session: string }) => platform.admin.as(session);
  expect((await as(viewer).call(getDataRetention, {})).status).toBe(200);
  for (const member of [viewer, developer]) {
    expect(await as(member).call(setDataRetention, { days: 60 }, { ifMatch: '*' })).toMatchObject({
      status: 403,
      problem: { code: 'forbidden' },
    });
  }
  const set = await as(admin).call(setDataRetention, { days: 60 }, { ifMatch: '*' });
  expect(set.body.days).toBe(60);
});

test('the retention period in the admin API is in the audit log with the days before and after', async () => {
  const other = await platform.createTeam();
  const caller = platform.admin.as(other.owner.session);
  await caller.call(setDataRetention, { days: 90 }, { ifMatch: '*' });
  await caller.call(setDataRetention, { days: null }, { ifMatch: '*' });
  const changes = async () => {
    const { body } = await caller.call(listRecords, { action: 'team.data_retention_changed' });
    return body.data.map((record) => record.changes);
  };
  await eventually('both changes are recorded', async () => (await changes()).length === 2);
  expect(await changes()).toEqual([
    { data_retention_days: { before: 90, after: null } },
    { data_retention_days: { before: null, after: 90 } },
  ]);
});

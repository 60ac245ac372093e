import { randomUUID } from 'node:crypto';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { archiveApplication } from '@tollgate/contracts/applications/rpc';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { createEndpoint, deleteEndpoint } from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import type { AdminCaller } from '../../support/platform/admin-client.ts';
import { archiveForDeletion } from '../../support/platform/archive-for-deletion.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

let platform: SharedPlatform;
let team: TestTeam;
let owner: AdminCaller;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  owner = platform.admin.as(team.owner.session);
});
afterAll(() => platform?.leave());

const remove = ({ id }: TestApplication) =>
  owner.call(ADMIN_ROUTES.deleteApplication, { application_id: id });

async function expectConflict(application: TestApplication, detail: string): Promise<void> {
  expect((await remove(application)).problem).toMatchObject({
    status: 409,
    code: 'conflict',
    detail: expect.stringContaining(detail),
  });
}

it('an archived application without webhook endpoints is deleted with its keys; its requests, usage, and audit records stay', async () => {
  const application = await platform.createApplication(team);
  const application_id = application.id;
  const endpoint = await team.owner.call(createEndpoint, {
    application_id,
    environment: 'sandbox',
    url: 'http://127.0.0.1:1/hooks',
    event_types: ['payment.created'],
  });
  await expectConflict(application, 'is not archived');
  await team.owner.call(archiveApplication, { application_id });
  await expectConflict(application, 'You can delete the application from');
  await archiveForDeletion(platform, team.owner, application_id);
  await expectConflict(application, 'has webhook endpoints');
  await team.owner.call(deleteEndpoint, { endpoint_id: endpoint.id });

  expect(await remove(application)).toMatchObject({ status: 204, problem: null });
  expect((await remove(application)).problem).toMatchObject({ status: 404, code: 'not-found' });
  const api = apiClient(platform.baseUrl.live, application.keys.live);
  await eventually(
    'the gateway does not know the key any more',
    async () => (await api.read('x')).body['code' as never] === 'invalid-api-key',
  );

  const requests = async () =>
    (await owner.call(ADMIN_ROUTES.listRequests, { environment: 'sandbox', application_id })).body.data;
  await eventually('its requests are logged', async () => (await requests()).length > 0, {
    timeoutMs: 30_000,
  });
  const usage = () =>
    owner.call(ADMIN_ROUTES.totalUsage, {
      from: new Date(Date.now() - DAY_MS).toISOString(),
      to: new Date(Date.now() + DAY_MS).toISOString(),
      granularity: 'day',
      group_by: 'application',
    });
  await eventually(
    'its usage is counted',
    async () => (await usage()).body.groups.some((group) => group.application_id === application_id),
    { timeoutMs: 30_000 },
  );
  const actions = async () =>
    (await owner.call(ADMIN_ROUTES.listRecords, { application_id })).body.data.map(({ action }) => action);
  await eventually('the deletion is recorded', async () => (await actions()).includes('application.deleted'));
  expect(await actions()).toEqual(
    expect.arrayContaining(['application.created', 'key.created', 'application.archived']),
  );
});

it.each(['live', 'sandbox'] as const)(
  'an application with a %s payment is not deleted',
  async (environment) => {
    const application = await platform.createApplication(team);
    const api = apiClient(platform.baseUrl[environment], application.keys[environment]);
    expect((await api.create(undefined, randomUUID())).status).toBe(201);
    await archiveForDeletion(platform, team.owner, application.id);
    await expectConflict(application, 'has payments');
  },
);

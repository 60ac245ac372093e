import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import {
  ADMIN_ROUTES,
  type AdminRouteName,
  PAYMENTS_CSV_PATH,
  STREAM_PATH,
  USAGE_CSV_PATH,
} from '@tollgate/contracts/admin-api/routes';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followChanges } from '../../support/platform/live-stream.ts';
import { joinSharedPlatform } from '../../support/platform/shared-platform.ts';
import { createApiToken } from './admin-requests/create-api-token.ts';
import type { Caller, Scene } from './admin-requests/prepared-request.ts';
import { PREPARE } from './admin-requests/requests.ts';

let scene: Scene;
let caller: Caller;
/** An admin token of the team that is limited to the sandbox. */
let token: string;

beforeAll(async () => {
  const platform = await joinSharedPlatform();
  const team = await platform.createTeam();
  scene = { platform, team, application: await platform.createApplication(team) };
  caller = { team, member: team.owner };
  token = await createApiToken(team, { role: 'admin', environments: ['sandbox'] });
  for (const environment of ['live', 'sandbox'] as const) {
    await PREPARE.getPayment(scene, { environment, caller });
    await PREPARE.getEndpoint(scene, { environment, caller });
    await PREPARE.getDelivery(scene, { environment, caller });
  }
});
afterAll(() => scene?.platform.leave());

async function send(name: AdminRouteName, environment: Environment) {
  const { request } = await PREPARE[name](scene, { environment, caller });
  const route: AdminRoute = ADMIN_ROUTES[name];
  const ifMatch = route.ifMatch === 'required' ? { ifMatch: '*' as const } : {};
  return scene.platform.admin.as(token).call(route, request as never, ifMatch);
}

/** Routes of each service about one resource of one environment. */
const BY_ENVIRONMENT: AdminRouteName[] = [
  'getKey',
  'createKey',
  'updateKey',
  'rotateKey',
  'revokeKey',
  'handleLeak',
  'getPayment',
  'getTimeline',
  'listProcessorCalls',
  'listProcessors',
  'getReconciliation',
  'resolveDifference',
  'summarizePayments',
  'totalPayments',
  'getEndpoint',
  'createEndpoint',
  'updateEndpoint',
  'deleteEndpoint',
  'revealSecret',
  'getEndpointHealth',
  'sendTestEvent',
  'getDelivery',
  'getEvent',
  'resendDelivery',
  'resendDeliveries',
  'countRecovery',
  'listRequests',
  'getRequest',
];

/** Routes that concern both environments. */
const BOTH: AdminRouteName[] = [
  'setLimits',
  'renameApplication',
  'setLabels',
  'setLeakedKeyPolicy',
  'setDataRetention',
  'renameTeam',
  'keyUses',
];

const DAYS_AROUND_NOW = {
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
};

/** Path and query of each CSV file. */
const CSV_FILES: Record<string, Record<string, string>> = {
  [PAYMENTS_CSV_PATH]: {},
  [USAGE_CSV_PATH]: { ...DAYS_AROUND_NOW, granularity: 'day', group_by: 'environment' },
};

async function environmentsIn(file: Response): Promise<string[]> {
  const text = await file.text();
  return ENVIRONMENTS.filter((environment) => text.includes(environment)).toSorted();
}

describe('an admin token that is limited to the sandbox', () => {
  it.each(BY_ENVIRONMENT)('%s: the sandbox is allowed, live is forbidden', async (name) => {
    expect((await send(name, 'sandbox')).status).toBe(ADMIN_ROUTES[name].status);
    expect(await send(name, 'live')).toMatchObject({ status: 403, problem: { code: 'forbidden' } });
  });

  it.each(BOTH)('%s: forbidden, because it concerns both environments', async (name) => {
    expect((await send(name, 'sandbox')).status).toBe(403);
  });

  it.each(['setScopes', 'archiveApplication', 'restoreApplication', 'deleteApplication'] as const)(
    '%s: allowed while the application has no live key',
    async (name) => {
      expect((await send(name, 'sandbox')).status).toBe(ADMIN_ROUTES[name].status);
      expect((await send(name, 'live')).status).toBe(403);
    },
  );

  it.each(['listTeamKeys', 'listPayments', 'listEndpoints', 'listEvents', 'listDeliveries'] as const)(
    '%s: contains rows of the sandbox only, and a filter for live is forbidden',
    async (name) => {
      const list = (environment?: Environment) =>
        scene.platform.admin.as(token).call(ADMIN_ROUTES[name] as AdminRoute, { environment } as never);
      const { data } = (await list()).body as { data: { environment: Environment }[] };
      expect(new Set(data.map(({ environment }) => environment))).toEqual(new Set(['sandbox']));
      expect((await list('live')).status).toBe(403);
    },
  );

  it('an admin token that is limited to the sandbox reads usage of the sandbox only', async () => {
    const total = (session: string, environment?: Environment) =>
      scene.platform.admin.as(session).call(ADMIN_ROUTES.totalUsage, {
        ...DAYS_AROUND_NOW,
        granularity: 'day',
        group_by: 'environment',
        ...(environment && { environment }),
      });
    const environmentsOf = async (session: string) =>
      (await total(session)).body.groups.map(({ environment }) => environment).toSorted();
    await eventually(
      'the owner sees both environments',
      async () => (await environmentsOf(scene.team.owner.session)).length === 2,
      { timeoutMs: 30_000, intervalMs: 250 },
    );
    expect(await environmentsOf(token)).toEqual(['sandbox']);
    expect((await total(token, 'live')).status).toBe(403);
  });

  it('an admin token that is limited to the sandbox reads audit records of the sandbox only, and exports none', async () => {
    const admin = scene.platform.admin;
    const read = (session: string) => admin.as(session).call(ADMIN_ROUTES.listRecords, { limit: 100 });
    await eventually('the log has records without an environment', async () =>
      (await read(scene.team.owner.session)).body.data.some(({ environment }) => environment === null),
    );
    const { data } = (await read(scene.team.owner.session)).body;
    const hidden = data.filter(({ environment }) => environment !== 'sandbox');
    for (const { id } of hidden.slice(0, 5))
      expect((await admin.as(token).call(ADMIN_ROUTES.getRecord, { record_id: id })).status).toBe(403);
    const visible = (await read(token)).body.data;
    expect(visible.length).toBeGreaterThan(0);
    expect(visible.every(({ environment }) => environment === 'sandbox')).toBe(true);
    const query = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    expect((await admin.as(token).fetch(`${AUDIT_EXPORT_PATH}?${query}`)).status).toBe(403);
  });

  it.each(Object.entries(CSV_FILES))(
    'an admin token that is limited to the sandbox exports the sandbox only: %s',
    async (path, query) => {
      const read = (session: string, environment?: Environment) =>
        scene.platform.admin
          .as(session)
          .fetch(`${path}?${new URLSearchParams({ ...query, ...(environment && { environment }) })}`);
      await eventually(
        "the owner's file has both environments",
        async () => (await environmentsIn(await read(scene.team.owner.session))).length === 2,
        { timeoutMs: 30_000, intervalMs: 250 },
      );
      expect(await environmentsIn(await read(token))).toEqual(['sandbox']);
      expect((await read(token, 'live')).status).toBe(403);
    },
  );

  it('an admin token that is limited to the sandbox follows changes of the sandbox only', async () => {
    const follower = scene.platform.admin.as(token);
    const { events, close } = await followChanges(follower);
    for (const environment of ['live', 'sandbox'] as const)
      await PREPARE.getPayment(scene, { environment, caller });
    await eventually('the sandbox payment arrives', () => events.length > 0);
    close();
    expect(new Set(events.map(({ data }) => data['environment']))).toEqual(new Set(['sandbox']));
    expect((await follower.fetch(`${STREAM_PATH}?environment=live`)).status).toBe(403);
  });
});

it('a token that another one created is within its limits, rotates itself, and is revoked with it', async () => {
  const { admin } = scene.platform;
  const owner = admin.as(scene.team.owner.session);
  const { body: parent } = await owner.call(ADMIN_ROUTES.createToken, {
    name: 'Parent',
    role: 'admin',
    environments: ['sandbox'],
  });
  const asParent = admin.as(shownOnce(parent.secret));
  expect((await asParent.call(ADMIN_ROUTES.getMe, {})).body).toMatchObject({
    api_token: { id: parent.id, environments: ['sandbox'] },
    team: { id: scene.team.id },
  });

  const create = (environments: Environment[]) =>
    asParent.call(ADMIN_ROUTES.createToken, { name: 'Child', role: 'viewer', environments });
  expect(await create(['live'])).toMatchObject({
    status: 400,
    problem: { code: 'invalid-request', errors: [{ pointer: '/environments' }] },
  });
  const { status, body: child } = await create(['sandbox']);
  expect({ status, createdBy: child.created_by_token }).toEqual({ status: 201, createdBy: parent.id });

  const asChild = admin.as(shownOnce(child.secret));
  const rotation = { token_id: child.id, overlap_s: 0 };
  const { body: successor } = await asChild.call(ADMIN_ROUTES.rotateToken, rotation);
  expect((await asChild.call(ADMIN_ROUTES.listApplications, {})).status).toBe(401);
  const asSuccessor = admin.as(shownOnce(successor.secret));
  expect((await asSuccessor.call(ADMIN_ROUTES.listApplications, {})).status).toBe(200);

  await owner.call(ADMIN_ROUTES.revokeToken, { token_id: parent.id });
  expect((await asSuccessor.call(ADMIN_ROUTES.listApplications, {})).status).toBe(401);
});

it('a developer token cannot create a live key, and can create a sandbox key', async () => {
  const developer = await createApiToken(scene.team, { role: 'developer' });
  const create = (environment: Environment) =>
    scene.platform.admin.as(developer).call(ADMIN_ROUTES.createKey, {
      application_id: scene.application.id,
      name: 'By a script',
      environment,
    });
  expect(await create('live')).toMatchObject({ status: 403, problem: { code: 'forbidden' } });
  expect((await create('sandbox')).status).toBe(201);
});

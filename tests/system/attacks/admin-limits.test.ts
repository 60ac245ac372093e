import { randomUUID } from 'node:crypto';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import { newId } from '@tollgate/contracts/platform/ids';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminCaller, AdminResponse } from '../../support/platform/admin-client.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';

const MEMBER_BURST = 10;
const TEAM_BURST = 30;
const ADDRESS_BURST = 20;
const FLOOD = 60;
/** The buckets refill by one request per second while a flood lasts. */
const REFILLED = 15;

const SHOP = { name: 'Shop', scopes: [] };
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({
    topology: 'all-in-one',
    dashboard: true,
    gatewayEnvs: [
      {
        ADMIN_MEMBER_RATE_LIMIT: `1/${MEMBER_BURST}`,
        ADMIN_TEAM_RATE_LIMIT: `1/${TEAM_BURST}`,
        ADMIN_ADDRESS_RATE_LIMIT: `1/${ADDRESS_BURST}`,
        ADMIN_TRUSTED_PROXIES: '127.0.0.0/8',
      },
    ],
  });
});
afterAll(() => platform?.stop());

/** An API token that the gateway knows at the address from which it floods. */
async function aToken(owner: AdminCaller, address: string): Promise<AdminCaller> {
  const { body } = await owner.call(ADMIN_ROUTES.createToken, { name: 'Script', role: 'viewer' });
  const token = platform.admin.as(body.secret);
  expect((await token.call(ADMIN_ROUTES.listApplications, {}, from(address))).status).toBe(200);
  return token;
}

/** The owner of a new team, whose session the gateway knows. */
async function aMember(): Promise<{ member: AdminCaller; teamId: string }> {
  const team = await platform.createTeam();
  const member = platform.admin.as(team.owner.session);
  expect((await member.call(ADMIN_ROUTES.listApplications, {})).status).toBe(200);
  return { member, teamId: team.id };
}

const flood = (caller: AdminCaller, options = {}) =>
  Promise.all(Array.from({ length: FLOOD }, () => caller.call(ADMIN_ROUTES.listApplications, {}, options)));

function expectRejected(responses: AdminResponse<unknown>[], burst: number, name: string): void {
  const rejected = responses.filter(({ status }) => status === 429);
  expect(rejected.length).toBeGreaterThanOrEqual(FLOOD - burst - REFILLED);
  for (const { headers, problem } of rejected) {
    expect(problem).toMatchObject({ code: 'rate-limited', retryable: true });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(headers.get('ratelimit')).toContain(`"${name}";r=0`);
    expect(headers.get('ratelimit-policy')).toContain(`"${name}";q=${burst};w=${burst}`);
  }
}

const succeeds = async ({ member }: { member: AdminCaller }) =>
  expect((await member.call(ADMIN_ROUTES.listApplications, {})).status).toBe(200);

it('flooding the admin API as a member is rejected, while a member of another team works from the same address', async () => {
  const other = await aMember();
  const { member } = await aMember();
  expectRejected(await flood(member), MEMBER_BURST, 'member');
  await succeeds(other);
});

it('flooding the admin API with an API token is rejected, while the owner of the token works', async () => {
  const owner = await aMember();
  const token = await aToken(owner.member, '198.51.100.2');
  expectRejected(await flood(token, from('198.51.100.2')), MEMBER_BURST, 'token');
  await succeeds(owner);
});

it('flooding the admin API with many API tokens is rejected for the team, while another team works', async () => {
  const other = await aMember();
  const { member } = await aMember();
  const tokens = await Promise.all(Array.from({ length: 4 }, () => aToken(member, '198.51.100.3')));
  const floods = await Promise.all(tokens.map((token) => flood(token, from('198.51.100.3'))));
  const accepted = floods.flat().filter(({ status }) => status === 200);
  expect(accepted.length).toBeLessThanOrEqual(TEAM_BURST + REFILLED);
  await succeeds(other);
});

it('flooding the admin API with unknown credentials is rejected for the address, while a member who is known there works', async () => {
  const flooding = from('198.51.100.1');
  const { member } = await aMember();
  expect((await member.call(ADMIN_ROUTES.listApplications, {}, flooding)).status).toBe(200);
  const responses = await Promise.all(
    Array.from({ length: FLOOD }, () =>
      platform.admin.as(randomUUID()).call(ADMIN_ROUTES.listApplications, {}, flooding),
    ),
  );
  expectRejected(responses, ADDRESS_BURST, 'address');
  expect((await member.call(ADMIN_ROUTES.listApplications, {}, flooding)).status).toBe(200);
});

it('two creations at once at the limit of applications create one', async () => {
  const { member, teamId } = await aMember();
  const { body: first } = await member.call(ADMIN_ROUTES.createApplication, SHOP);
  const connection = await connectMongoDB({
    url: platform.infra.mongodbUrl,
    database: 'tollgate_applications',
    appName: 'tests',
    logger: createLogger({ service: 'tests', level: 'silent' }),
  });
  const stored = connection.collection<{ _id: string; slot: number }>('applications');
  try {
    const document = await stored.findOne({ _id: first.id });
    if (!document) throw new Error('The application is not stored.');
    const slots = Array.from({ length: APPLICATION_LIMITS.applicationsPerTeam }, (_, index) => index + 1);
    const others = slots.filter((slot) => slot !== document.slot).slice(1);
    await stored.insertMany(
      others.map((slot) => ({ ...document, _id: newId('application'), slot, outbox: [] })),
    );
    const responses = await Promise.all([1, 2].map(() => member.call(ADMIN_ROUTES.createApplication, SHOP)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await stored.countDocuments({ team_id: teamId })).toBe(APPLICATION_LIMITS.applicationsPerTeam);
  } finally {
    await connection.close();
  }
});

it('a webhook URL of 2,000 Unicode characters is rejected with its field', async () => {
  const { member } = await aMember();
  const { body: application } = await member.call(ADMIN_ROUTES.createApplication, SHOP);
  const { problem } = await member.call(ADMIN_ROUTES.createEndpoint, {
    application_id: application.id,
    environment: 'sandbox',
    url: `https://example.com/${'€'.repeat(1_980)}`,
    event_types: ['payment.succeeded'],
  });
  expect(problem).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/url', detail: expect.stringContaining('percent-encoded') }],
  });
});

it('two verifications of a log started at once are one', async () => {
  const { member } = await aMember();
  const [one, other] = await Promise.all([1, 2].map(() => member.call(ADMIN_ROUTES.startVerification, {})));
  expect(one?.status).toBe(201);
  expect(other?.body.id).toBe(one?.body.id);
});

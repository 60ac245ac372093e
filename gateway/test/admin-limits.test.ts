import { listApplications } from '@tollgate/contracts/applications/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AdminResponse, adminClient } from './support/admin-client.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';

const MEMBER_BURST = 4;
const TEAM_BURST = 6;
const ADDRESS_BURST = 3;
/** The fake clock moves on by this time, in which every bucket is refilled: at one request per second. */
const REFILL_MS = 60_000;

let gateway: GatewayUnderTest;
let services: Services;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({
    env: {
      ADMIN_MEMBER_RATE_LIMIT: `1/${MEMBER_BURST}`,
      ADMIN_TEAM_RATE_LIMIT: `1/${TEAM_BURST}`,
      ADMIN_ADDRESS_RATE_LIMIT: `1/${ADDRESS_BURST}`,
      ADMIN_TRUSTED_PROXIES: '127.0.0.0/8',
    },
  });
  services = await startServices(gateway.bus);
  await services.serve(listApplications, () => ({ data: [], next_cursor: null, previous_cursor: null }));
});
beforeEach(() => gateway.clock.advance(REFILL_MS));
afterAll(async () => {
  await services.stop();
  await gateway.stop();
});

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

function get(token: string, address = '192.0.2.1'): Promise<AdminResponse> {
  return adminClient(gateway.adminUrl, token)('GET /applications', from(address));
}

async function flood(token: string, requests: number, address?: string): Promise<AdminResponse[]> {
  const responses: AdminResponse[] = [];
  for (let sent = 0; sent < requests; sent += 1) responses.push(await get(token, address));
  return responses;
}

const statuses = (responses: AdminResponse[]) => responses.map(({ status }) => status);
const exchangesOf = (token: string) => services.exchanges.filter((exchange) => exchange.token === token);

test('the limit of a member rejects with the headers of the public API, until Retry-After', async () => {
  const token = services.signIn();
  const responses = await flood(token, MEMBER_BURST + 1);
  expect(statuses(responses)).toEqual([200, 200, 200, 200, 429]);
  expect(responses[0]?.headers).toMatchObject({
    'ratelimit-policy': '"member";q=4;w=4, "team";q=6;w=6',
    ratelimit: '"member";r=3;t=1, "team";r=5;t=1',
  });
  expect(responses.at(-1)).toMatchObject({
    headers: { 'retry-after': '1', ratelimit: '"member";r=0;t=4', 'x-should-retry': 'true' },
    body: { code: 'rate-limited', detail: 'You exceeded the limit of 1 requests per second.' },
  });
  gateway.clock.advance(1_000);
  expect((await get(token)).status).toBe(200);
});

test('the limit of a member applies to all sessions of the member', async () => {
  const member = { member_id: newId('member'), team_id: newId('team') };
  await flood(services.signIn(member), MEMBER_BURST);
  expect((await get(services.signIn(member), '192.0.2.2')).status).toBe(429);
});

test('the limit of a member applies to the logins of the member, too', async () => {
  const member = { member_id: newId('member'), team_id: newId('team') };
  await flood(services.signIn(member), MEMBER_BURST);
  const login = services.issueToken({ team_id: member.team_id }, member.member_id);
  // The first request of a credential is counted once the gateway knows whose it is.
  expect(statuses(await flood(login, 2, '192.0.2.3'))).toEqual([429, 429]);
});

test('the limit of a member leaves other members alone', async () => {
  await flood(services.signIn(), MEMBER_BURST + 1);
  expect((await get(services.signIn(), '192.0.2.2')).status).toBe(200);
});

test('the limit of a member is checked before accounts is called, once the member is known', async () => {
  const token = services.signIn();
  const received = services.received(listApplications).length;
  await flood(token, MEMBER_BURST + 5);
  expect(exchangesOf(token)).toHaveLength(MEMBER_BURST);
  expect(services.received(listApplications)).toHaveLength(received + MEMBER_BURST);
});

test('the limit of an API token rejects like that of a member', async () => {
  const responses = await flood(services.issueToken(), MEMBER_BURST + 1);
  expect(statuses(responses)).toEqual([200, 200, 200, 200, 429]);
  expect(responses.at(-1)?.headers['ratelimit']).toBe('"token";r=0;t=4');
});

test('the limit of a team applies to its members and API tokens together', async () => {
  const team_id = newId('team');
  await flood(services.signIn({ team_id }), MEMBER_BURST);
  const responses = await flood(services.issueToken({ team_id }), MEMBER_BURST, '192.0.2.2');
  expect(statuses(responses)).toEqual([200, 200, 429, 429]);
  expect(responses.at(-1)?.headers['ratelimit']).toContain('"team";r=0');
});

test('the limit of an address protects accounts from unknown credentials', async () => {
  const before = services.exchanges.length;
  const responses: AdminResponse[] = [];
  for (let guess = 0; guess < ADDRESS_BURST + 3; guess += 1)
    responses.push(await get(`guess-${guess}`, '198.51.100.1'));
  expect(statuses(responses)).toEqual([401, 401, 401, 429, 429, 429]);
  expect(responses.at(-1)?.headers['ratelimit-policy']).toBe('"address";q=3;w=3');
  expect(services.exchanges).toHaveLength(before + ADDRESS_BURST);
});

test('the limit of an address counts an IPv6 network of a subscriber as one address', async () => {
  const responses: AdminResponse[] = [];
  for (let host = 1; host <= ADDRESS_BURST + 1; host += 1)
    responses.push(await get('guess', `2001:db8:0:1:${host}::1`));
  expect(statuses(responses)).toEqual([401, 401, 401, 429]);
  expect((await get('guess', '2001:db8:0:2::1')).status).toBe(401);
});

test('the limit of an address counts all clients whose address is unreadable as one', async () => {
  const responses: AdminResponse[] = [];
  for (let guess = 0; guess <= ADDRESS_BURST; guess += 1)
    responses.push(await get('guess', `client-${guess}`));
  expect(statuses(responses)).toEqual([401, 401, 401, 429]);
});

test('the limit of an address does not lock out a session that is known there', async () => {
  const token = services.signIn();
  expect((await get(token, '198.51.100.2')).status).toBe(200);
  await flood('guess', ADDRESS_BURST + 1, '198.51.100.2');
  expect((await get(token, '198.51.100.2')).status).toBe(200);
});

test('the limit of an address counts routes that need no session', async () => {
  const call = adminClient(gateway.adminUrl, null);
  const signIn = () =>
    call('POST /sessions', { ...from('198.51.100.3'), body: { email: 'a@example.com', password: 'x' } });
  for (let sent = 0; sent < ADDRESS_BURST; sent += 1) await signIn();
  expect((await signIn()).status).toBe(429);
});

test('the limit of an address counts a session again after it has ended', async () => {
  const token = services.signIn();
  await get(token, '198.51.100.4');
  services.end(token);
  const responses = await flood(token, ADDRESS_BURST + 1, '198.51.100.4');
  expect(statuses(responses)).toEqual([401, 401, 401, 429]);
});

test('the limit of an address counts a stolen API token from another address, without counting against the token', async () => {
  const token = services.issueToken();
  expect((await get(token, '198.51.100.5')).status).toBe(200);
  services.end(token);
  const stolen = await flood(token, ADDRESS_BURST + 1, '198.51.100.6');
  expect(statuses(stolen)).toEqual([401, 401, 401, 429]);
  // The second request of the owner, whatever came from elsewhere.
  expect((await get(token, '198.51.100.5')).headers['ratelimit']).toMatch(/^"token";r=2;/);
});

import * as accounts from '@tollgate/contracts/accounts/rpc';
import * as applications from '@tollgate/contracts/applications/rpc';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { wholeList } from '@tollgate/contracts/platform/page';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SHARED_SESSION_MS } from '../src/admin-api/shared-sessions.ts';
import { type AdminClient, type AdminRequest, adminClient } from './support/admin-client.ts';
import { exampleApplication } from './support/examples.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';

let gateway: GatewayUnderTest;
let services: Services;
let token: string;
let admin: AdminClient;

const application = exampleApplication();
const READS = ['GET /me', 'GET /applications', `GET /applications/${application.id}`];

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ env: { ADMIN_TRUSTED_PROXIES: '127.0.0.1/32' } });
  services = await startServices(gateway.bus);
  await services.serve(applications.getApplication, () => application);
  await services.serve(applications.listApplications, () => wholeList([application]));
  await services.serve(applications.archiveApplication, () => application);
});
afterAll(async () => {
  await services?.stop();
  await gateway?.stop();
});
beforeEach(() => {
  token = services.signIn();
  admin = adminClient(gateway.adminUrl, token);
});

const page = (id: string, more: Record<string, string> = {}): AdminRequest => ({
  headers: { [HEADERS.pageRequest]: id, ...more },
});

/** How often accounts was asked for an actor token of this session. */
const exchangesOf = (session: string) => services.exchanges.filter((made) => made.token === session).length;

it('all calls of a page request share one exchange, whether they are concurrent or follow each other, and read or change', async () => {
  const reads = await Promise.all(READS.map((target) => admin(target, page('one'))));
  const change = await admin(`POST /applications/${application.id}/archive`, page('one'));
  expect([...reads, change].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(exchangesOf(token)).toBe(1);
});

it('each call that shares an exchange tells the service its own request id', async () => {
  const responses = [
    await admin(READS[2] as string, page('one')),
    await admin(READS[2] as string, page('one')),
  ];
  const received = services.received(applications.getApplication).slice(-2);
  expect(received.map(({ context }) => context.actor?.request_id)).toEqual(
    responses.map(({ headers }) => headers['x-request-id']),
  );
});

it('calls of different page requests, sessions, addresses, or browsers share no exchange, and calls without a page request none', async () => {
  const other = services.signIn();
  await admin('GET /me', page('one'));
  await admin('GET /me', page('two'));
  await admin('GET /me', page('one', { 'x-forwarded-for': '192.0.2.44' }));
  await admin('GET /me', page('one', { 'user-agent': 'other' }));
  await admin('GET /me');
  await admin('GET /me');
  expect(exchangesOf(token)).toBe(6);
  await admin('GET /me', { ...page('one'), token: other });
  expect(exchangesOf(other)).toBe(1);
});

it('a session that has ended is rejected in the next page request, and after a second if an id is repeated', async () => {
  expect((await admin('GET /me', page('one'))).status).toBe(200);
  services.end(token);
  expect((await admin('GET /me', page('two'))).body).toMatchObject({ code: 'invalid-session' });
  expect((await admin('GET /me')).body).toMatchObject({ code: 'invalid-session' });
  gateway.clock.advance(SHARED_SESSION_MS);
  expect((await admin('GET /me', page('one'))).body).toMatchObject({ code: 'invalid-session' });
});

it('a revoked API token is rejected within a page request', async () => {
  const apiToken = services.issueToken();
  const call = () => admin('GET /applications', { ...page('one'), token: apiToken });
  expect((await call()).status).toBe(200);
  services.end(apiToken);
  expect((await call()).body).toMatchObject({ code: 'invalid-api-token' });
});

it('a failed exchange is not shared: the page request continues when accounts is back', async () => {
  await services.silence(accounts.issueActorToken);
  expect((await admin('GET /me', page('one'))).status).toBe(503);
  await services.serveSessions();
  expect((await admin('GET /me', page('one'))).status).toBe(200);
});

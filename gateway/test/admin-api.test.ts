import type { TokenActor } from '@tollgate/contracts/accounts/actor';
import * as accounts from '@tollgate/contracts/accounts/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import * as applications from '@tollgate/contracts/applications/rpc';
import * as payments from '@tollgate/contracts/payments/rpc';
import { isId, newId } from '@tollgate/contracts/platform/ids';
import { wholeList } from '@tollgate/contracts/platform/page';
import { Problem } from '@tollgate/contracts/platform/problem';
import { generateApiToken } from '@tollgate/security/api-token';
import { eventually } from '@tollgate/test-kit/eventually';
import { rawRequest, sendRaw } from '@tollgate/test-kit/raw-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminClient, adminClient } from './support/admin-client.ts';
import {
  exampleApiToken,
  exampleApplication,
  exampleMember,
  examplePaymentRow,
  exampleTeam,
} from './support/examples.ts';
import { DOCS_BASE_URL, type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';

let gateway: GatewayUnderTest;
let services: Services;
let token: string;
let admin: AdminClient;

const application = exampleApplication();
const APPLICATION_PATH = `/applications/${application.id}`;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ env: { ADMIN_TRUSTED_PROXIES: '127.0.0.1/32' } });
  services = await startServices(gateway.bus);
  token = services.signIn();
  admin = adminClient(gateway.adminUrl, token);
  await services.serve(applications.getApplication, () => application);
  await services.serve(applications.listApplications, () => wholeList([application]));
  await services.serve(applications.createApplication, () => application);
  await services.serve(applications.renameApplication, () => application);
  await services.serve(applications.archiveApplication, () => application);
  await services.serve(accounts.revokeSession, () => ({}));
  await services.serve(accounts.listMembers, () => wholeList([]));
  await services.serve(accounts.updateProfile, () => {
    throw new Error('not to be reached');
  });
  await services.serve(payments.listPayments, () => wholeList([examplePaymentRow()]));
});

afterAll(async () => {
  await services.stop();
  await gateway.stop();
});

/** The latest request that the service received. */
const lastRequest = (contract: Parameters<Services['received']>[0]) =>
  services.received(contract).at(-1)?.request;
const countOf = (contract: Parameters<Services['received']>[0]) => services.received(contract).length;

describe('a session', () => {
  test.each([{}, { authorization: 'Basic b3duZXI6eA==' }])(
    'a session is required: with headers %j the response is unauthenticated, and no service is called',
    async (headers) => {
      const before = countOf(applications.getApplication);
      const response = await admin(`GET ${APPLICATION_PATH}`, { token: null, headers });
      expect(response).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
        headers: { 'www-authenticate': 'Bearer' },
      });
      expect(countOf(applications.getApplication)).toBe(before);
    },
  );

  test.each(['nonsense', 'x'.repeat(5000)])('unknown to accounts is rejected: %#', async (unknown) => {
    expect(await admin(`GET ${APPLICATION_PATH}`, { token: unknown })).toMatchObject({
      status: 401,
      body: { code: 'invalid-session' },
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    });
  });

  test('a session that has ended is rejected immediately: nothing is cached between requests', async () => {
    const ending = services.signIn();
    expect((await admin(`GET ${APPLICATION_PATH}`, { token: ending })).status).toBe(200);
    services.end(ending);
    expect((await admin(`GET ${APPLICATION_PATH}`, { token: ending })).status).toBe(401);
  });

  test('a session is checked before anything else', async () => {
    const answer = await admin('PATCH /applications/nonsense?x=1', {
      token: null,
      headers: { accept: 'text/html', 'content-type': 'text/plain' },
      body: '{',
    });
    expect(answer.body).toMatchObject({ code: 'unauthenticated' });
  });

  test('a session tells the service who calls, from where, and in which request', async () => {
    const memberId = newId('member');
    const answer = await admin(`GET ${APPLICATION_PATH}`, {
      token: services.signIn({ member_id: memberId, role: 'viewer' }),
      headers: {
        'x-forwarded-for': '203.0.113.9, 192.0.2.44',
        traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      },
    });
    const { context, trace } = services.received(applications.getApplication).at(-1) ?? {};
    expect(context).toMatchObject({
      actor: { member_id: memberId, role: 'viewer', address: '192.0.2.44' },
      requestId: answer.headers['x-request-id'],
    });
    expect(trace?.traceparent).toBe(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
    expect(isId('request', context?.requestId ?? '')).toBe(true);
  });

  test('a session can be named `current` in a request', async () => {
    const sessionId = newId('session');
    const own = services.signIn({ session_id: sessionId });
    const answer = await admin('DELETE /sessions/current', { token: own });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(lastRequest(accounts.revokeSession)).toEqual({ session_id: sessionId });
  });
});

test('an API token is accepted like a session, and tells the service who calls, from where, and in which request', async () => {
  const tokenId = newId('apiToken');
  const apiToken = services.issueToken({ token_id: tokenId, role: 'viewer', environments: ['sandbox'] });
  const response = await admin(`GET ${APPLICATION_PATH}`, {
    token: apiToken,
    headers: { 'x-forwarded-for': '192.0.2.44' },
  });
  expect(response.status).toBe(200);
  expect(services.received(applications.getApplication).at(-1)?.context).toMatchObject({
    actor: {
      type: 'token',
      token_id: tokenId,
      role: 'viewer',
      environments: ['sandbox'],
      address: '192.0.2.44',
    },
    requestId: response.headers['x-request-id'],
  });
  expect(gateway.logged()).toContain(`"token_id":"${tokenId}"`);
});

test('an API token is never logged, wherever the client puts it and however the request fails', async () => {
  const { credential } = generateApiToken();
  const secret = credential.slice(-38);
  const headers = {
    'x-request-id': credential,
    'user-agent': credential,
    'idempotency-key': credential,
    'x-forwarded-for': credential,
    referer: `https://tollgate.example/?token=${credential}`,
  };
  for (const authorization of [`Bearer ${credential}`, `Bearer ${credential}x`, `Basic ${credential}`])
    await admin('GET /me', { token: null, headers: { ...headers, authorization } });
  await services.serve(applications.getApplication, () => {
    throw new Error(`The storage rejected ${credential}.`);
  });
  const targets = [`GET ${APPLICATION_PATH}`, `GET /applications/${credential}`, `GET /${credential}`];
  for (const target of [...targets, `GET ${APPLICATION_PATH}?token=${credential}`])
    await admin(target, { headers });
  for (const body of [{ name: credential }, { [credential]: true }, `{ "name": ${credential} }`])
    await admin('POST /applications', { headers, body });
  await services.serve(applications.getApplication, () => application);
  const last = String((await admin('GET /me')).headers['x-request-id']);
  await eventually('the last request is logged', () => gateway.logged().includes(last));
  expect(gateway.logged()).not.toContain(secret);
});

test('an API token that is unknown to accounts is rejected', async () => {
  expect(await admin(`GET ${APPLICATION_PATH}`, { token: generateApiToken().credential })).toMatchObject({
    status: 401,
    body: { code: 'invalid-api-token' },
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
});

test('an API token that is rejected is logged with its lookup id and the address of the client; an ended session is not', async () => {
  const { credential, lookupId } = generateApiToken();
  const headers = { 'x-forwarded-for': '192.0.2.91' };
  const rejected = await admin('GET /me', { token: credential, headers });
  const ended = await admin('GET /me', { token: 'nonsense', headers });
  const lineOf = ({ headers }: typeof ended) =>
    gateway
      .logged()
      .split('\n')
      .find((line) => line.includes(String(headers['x-request-id'])));
  await eventually('both are logged', () => lineOf(rejected) !== undefined && lineOf(ended) !== undefined);
  expect(JSON.parse(lineOf(rejected) as string)).toMatchObject({
    level: 'warn',
    msg: 'authentication failed',
    code: 'invalid-api-token',
    lookup_id: lookupId,
    address: '192.0.2.91',
  });
  expect(JSON.parse(lineOf(ended) as string)).toMatchObject({ level: 'info', code: 'invalid-session' });
});

test('an API token that is mistyped is rejected without a call to accounts', async () => {
  const before = services.exchanges.length;
  const mistyped = generateApiToken().credential.slice(0, -1);
  expect((await admin(`GET ${APPLICATION_PATH}`, { token: mistyped })).body).toMatchObject({
    code: 'invalid-api-token',
  });
  expect(services.exchanges).toHaveLength(before);
});

test('an API token is rejected immediately after its revocation', async () => {
  const apiToken = services.issueToken();
  expect((await admin(`GET ${APPLICATION_PATH}`, { token: apiToken })).status).toBe(200);
  services.end(apiToken);
  expect((await admin(`GET ${APPLICATION_PATH}`, { token: apiToken })).status).toBe(401);
});

test('an API token reads itself where a member reads their account', async () => {
  await services.serve(accounts.getOwnToken, (_request, { actor }) => ({
    api_token: exampleApiToken(actor as TokenActor),
    team: exampleTeam(actor.team_id),
  }));
  expect(await admin('GET /me', { token: services.issueToken({ name: 'Deployment' }) })).toMatchObject({
    status: 200,
    body: { api_token: { name: 'Deployment' }, team: { name: 'Team' } },
  });
  expect((await admin('GET /me')).body).toMatchObject({ email: 'ada@example.com' });
});

test.each(['PUT /me/password', 'DELETE /sessions/current', 'GET /api-tokens', 'POST /invitations'])(
  'an API token is rejected by %s, which accepts members only',
  async (request) => {
    expect(await admin(request, { token: services.issueToken() })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining('API tokens cannot do this') },
    });
  },
);

describe('a request', () => {
  test('a request for a list reads integers from the query', async () => {
    const target = 'GET /payments?amount_min=100&reference=100&status=failed&limit=5';
    expect((await admin(target)).status).toBe(200);
    expect(lastRequest(payments.listPayments)).toEqual({
      amount_min: 100,
      reference: '100',
      status: 'failed',
      limit: 5,
    });
  });

  test.each([
    ['GET /payments?colour=red', 'colour', 'unknown'],
    ['GET /payments?status=failed&status=canceled', 'status', 'duplicate'],
    ['GET /payments?amount_min=1.5', 'amount_min', 'wrong-type'],
    ['GET /payments?amount_min=', 'amount_min', 'wrong-type'],
    ['GET /payments?limit=101', 'limit', 'invalid'],
    ['GET /payments?status=paid', 'status', 'invalid'],
    ['GET /payments?__proto__=1', '__proto__', 'unknown'],
    ['GET /payments/summary', 'environment', 'missing'],
    ['GET /members?limit=1', 'limit', 'unknown'],
    ['POST /applications?name=x', 'name', 'unknown'],
    [`GET ${APPLICATION_PATH}?if_version=1`, 'if_version', 'unknown'],
  ])('%s is rejected for its parameter %s', async (target, parameter, code) => {
    expect(await admin(target)).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', errors: [{ parameter, code, detail: expect.any(String) }] },
    });
  });

  test.each([
    [{ name: 7, scopes: [] }, '/name', 'wrong-type'],
    [{ scopes: [] }, '/name', 'missing'],
    [{ name: 'x', scopes: [], colour: 'red' }, '/colour', 'unknown'],
    [{ name: 'x', scopes: ['payment:fly'] }, '/scopes/0', 'invalid'],
  ])('%j is rejected for its field %s', async (body, pointer, code) => {
    expect(await admin('POST /applications', { body })).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', errors: [{ pointer, code, detail: expect.any(String) }] },
    });
  });

  test.each(['application_id', 'if_version', 'address', 'user_agent'])(
    'a request cannot set in its body what the path or the gateway sets: %s',
    async (name) => {
      const body = { name: 'x', [name]: application.id };
      expect(
        await admin(`PATCH ${APPLICATION_PATH}`, { body, headers: { 'if-match': '"7"' } }),
      ).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: `/${name}`, code: 'unknown' }] },
      });
    },
  );

  test.each([
    '{"name":"a","name":"b"}',
    '{"__proto__":{}}',
    '{"name":',
    '{"name":"\\ud800"}',
    '[',
    ''.padEnd(3),
  ])('a request is malformed when its body is not unambiguous JSON: %j', async (body) => {
    expect(await admin('POST /applications', { body })).toMatchObject({
      status: 400,
      body: { code: 'malformed-request' },
    });
  });

  test('a request without a body is treated like {}', async () => {
    expect((await admin(`POST ${APPLICATION_PATH}/archive`)).status).toBe(200);
    expect(lastRequest(applications.archiveApplication)).toEqual({ application_id: application.id });
  });

  test('a request without a byte of body is treated like {}, also when a chunked body is announced', async () => {
    const answer = await sendRaw(
      gateway.adminUrl,
      rawRequest(
        `POST /admin/v1${APPLICATION_PATH}/archive HTTP/1.1`,
        ['host: a', `authorization: Bearer ${token}`, 'transfer-encoding: chunked'],
        '0\r\n\r\n',
      ),
    );
    expect(answer?.status).toBe(200);
  });

  test.each(['application/json; charset=utf-8', '', 'application/json;odata=verbose'])(
    'a request that accepts %j gets JSON',
    async (accept) => {
      expect((await admin('GET /members', { headers: { accept } })).status).toBe(200);
    },
  );

  test('a request is rejected when its body has another type or encoding or is too large', async () => {
    const send = (headers: Record<string, string>, body = '{}') =>
      admin('POST /applications', { headers, body });
    expect(await send({ 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
    expect(await send({ 'content-encoding': 'gzip' })).toMatchObject({ status: 415 });
    expect(await send({}, JSON.stringify({ name: 'x'.repeat(128 * 1024) }))).toMatchObject({ status: 413 });
    expect(await admin('GET /members', { headers: { accept: 'text/html' } })).toMatchObject({ status: 406 });
  });

  test.each(['nonsense', 'app_1', newId('payment'), '%00', 'x'.repeat(1000)])(
    'a request treats a malformed id like an unknown one: %s',
    async (id) => {
      const before = countOf(applications.getApplication);
      const answer = await admin(`GET /applications/${id}`);
      expect([400, 404]).toContain(answer.status);
      if (id !== '%00') expect(answer.body).toMatchObject({ status: 404, code: 'not-found' });
      expect(countOf(applications.getApplication)).toBe(before);
    },
  );
});

describe('sign-in', () => {
  const credentials = { email: 'ada@example.com', password: 'correct horse battery' };

  beforeAll(() =>
    services.serve(accounts.signIn, () => ({
      token: 'a-token',
      expires_at: '2026-01-08T00:00:00.000Z',
      member: exampleMember({ member_id: newId('member'), role: 'owner' }),
      device_token: 'a-device',
    })),
  );

  test('sign-in needs no session, and passes the address and user agent that the gateway sees to accounts', async () => {
    const answer = await admin('POST /sessions', {
      token: null,
      body: { ...credentials, device_token: 'the-device' },
      headers: { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'u'.repeat(600) },
    });
    expect(answer).toMatchObject({ status: 201, body: { token: 'a-token', device_token: 'a-device' } });
    const { 'x-request-id': id } = answer.headers;
    await eventually('the request is logged', () => gateway.logged().includes(String(id)));
    for (const secret of [credentials.password, 'a-token', 'the-device', 'a-device'])
      expect(gateway.logged()).not.toContain(secret);
    expect(lastRequest(accounts.signIn)).toEqual({
      ...credentials,
      device_token: 'the-device',
      address: '203.0.113.9',
      user_agent: 'u'.repeat(512),
    });
  });

  test.each([
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:DB8::7]:443', '2001:db8::7'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['198.51.100.7, 203.0.113.9 , ', '203.0.113.9'],
  ])('sign-in has the address that a balancer sends as %s', async (forwarded, address) => {
    const headers = { 'x-forwarded-for': forwarded };
    expect((await admin('POST /sessions', { token: null, body: credentials, headers })).status).toBe(201);
    expect(lastRequest(accounts.signIn)).toMatchObject({ address });
  });

  test.each(['unknown', '203.0.113', 'x'.repeat(200)])(
    'sign-in has no address when the proxy sends no valid one, which is counted and logged once: %s',
    async (forwarded) => {
      const headers = { 'x-forwarded-for': forwarded };
      expect((await admin('POST /sessions', { token: null, body: credentials, headers })).status).toBe(201);
      expect(lastRequest(accounts.signIn)).toMatchObject({ address: null });
      const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
      expect(metrics).toMatch(
        /tollgate_unreadable_client_addresses_total\{[^}]*listener="admin"[^}]*\} [1-9]/,
      );
      expect(gateway.logged().match(/a trusted proxy sent an entry/g)).toHaveLength(1);
    },
  );

  test('sign-in returns the error of accounts with Retry-After when it is rejected', async () => {
    await services.serve(accounts.signIn, () => {
      throw new Problem('too-many-attempts', 'Wait.', { retryAfterS: 7 });
    });
    expect(await admin('POST /sessions', { token: null, body: credentials })).toMatchObject({
      status: 429,
      body: { code: 'too-many-attempts', detail: 'Wait.', type: `${DOCS_BASE_URL}/errors/too-many-attempts` },
      headers: { 'retry-after': '7' },
    });
  });

  test('sign-in logs neither password nor token', () => {
    expect(gateway.logged()).not.toContain(credentials.password);
    expect(gateway.logged()).not.toContain('a-token');
    expect(gateway.logged()).not.toContain(token);
    expect(gateway.logged()).toContain('"operation":"accounts.sign_in"');
  });
});

describe('If-Match', () => {
  const rename = (headers: Record<string, string>) =>
    admin(`PATCH ${APPLICATION_PATH}`, { body: { name: 'x' }, headers });

  test('If-Match is required for changes of fields', async () => {
    expect(await rename({})).toMatchObject({ status: 428, body: { code: 'precondition-required' } });
  });

  test.each([
    ['"7"', 7],
    [' "12" ', 12],
    ['*', undefined],
    // RFC 9110 §13.1.1: none of these is a strong tag of a version.
    ['W/"7"', Number.MAX_SAFE_INTEGER],
    ['"07"', Number.MAX_SAFE_INTEGER],
    ['"0"', Number.MAX_SAFE_INTEGER],
    ['"abc"', Number.MAX_SAFE_INTEGER],
    ['""', Number.MAX_SAFE_INTEGER],
  ])('%s is the version %s', async (header, version) => {
    expect((await rename({ 'if-match': header })).status).toBe(200);
    expect(lastRequest(applications.renameApplication)).toEqual({
      application_id: application.id,
      name: 'x',
      ...(version !== undefined && { if_version: version }),
    });
  });

  test.each([
    ['"7"', 'The application is now at version 8.'],
    ['W/"8"', expect.stringMatching(/weak entity tag.*compress.*nginx/)],
    ['"8-gzip"', expect.stringMatching(/never sends.*suffix.*DeflateAlterETag/)],
  ])('%s that does not match is rejected with what to do', async (header, detail) => {
    await services.serve(applications.renameApplication, () => {
      throw new Problem('precondition-failed', 'The application is now at version 8.');
    });
    expect(await rename({ 'if-match': header })).toMatchObject({
      status: 412,
      body: { code: 'precondition-failed', detail },
    });
    await services.serve(applications.renameApplication, () => application);
  });

  test.each(['7', '"7', '"7", "8"', '"7" x', ''])('%j is rejected with the header named', async (header) => {
    expect(await rename({ 'if-match': header })).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', errors: [{ header: 'If-Match', code: 'invalid' }] },
    });
  });

  test('If-Match is optional for steps, and rejected where it would be ignored', async () => {
    const headers = { 'if-match': '"7"' };
    await admin(`POST ${APPLICATION_PATH}/archive`, { headers });
    expect(lastRequest(applications.archiveApplication)).toMatchObject({ if_version: 7 });
    expect(await admin('PATCH /me', { headers, body: { name: 'x' } })).toMatchObject({
      status: 400,
      body: { errors: [{ header: 'If-Match', code: 'unknown' }] },
    });
  });
});

test('a response has the ETag of its version, and is 304 when the client has that version', async () => {
  const target = `GET ${APPLICATION_PATH}`;
  expect(await admin(target)).toMatchObject({ status: 200, body: application, headers: { etag: '"7"' } });
  const cached = await admin(target, { headers: { 'if-none-match': 'W/"6", W/"7"' } });
  expect(cached).toMatchObject({ status: 304, text: '', headers: { etag: '"7"' } });
  expect((await admin(target, { headers: { 'if-none-match': '"6"' } })).status).toBe(200);
});

test('a response to HEAD equals that to GET without its body', async () => {
  const { status, text, headers } = await admin(`HEAD ${APPLICATION_PATH}`);
  expect({ status, text }).toEqual({ status: 200, text: '' });
  expect(headers['content-length']).toBe(String(JSON.stringify(application).length));
  expect(headers['etag']).toBe('"7"');
});

test('a response has the location of a created resource', async () => {
  const body = { name: 'Shop', scopes: [] };
  const { status, headers } = await admin('POST /applications', { body });
  expect(status).toBe(201);
  expect(headers['location']).toBe(`/admin/v1${APPLICATION_PATH}`);
  expect((await admin(`GET ${headers['location']}`)).status).toBe(200);
});

test.each(['GET /members', 'GET /nonsense', 'POST /sessions', 'OPTIONS /members', 'GET /me?x=1'])(
  'a response to %s is not stored, sniffed, framed, sent as referrer, or shared with another origin',
  async (target) => {
    const { headers } = await admin(target, { headers: { origin: 'https://evil.example' } });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  },
);

test.each([
  ['OPTIONS /members', 'GET, HEAD'],
  ['DELETE /setup', 'GET, HEAD, POST'],
  ['PUT /sessions', 'POST, GET, HEAD, DELETE'],
  ['GET /applications/x/archive', 'POST'],
  ['POST /payments/summary', 'GET, HEAD'],
])('a response to %s is method-not-allowed with the allowed methods', async (target, allow) => {
  expect(await admin(target)).toMatchObject({
    status: 405,
    body: { code: 'method-not-allowed' },
    headers: { allow },
  });
});

test.each(['GET /', 'GET /admin', 'GET /admin/v1', 'GET /nonsense', 'GET /members/'])(
  'a response to %s is route-not-found, with or without a session',
  async (target) => {
    for (const credential of [token, null]) {
      const path = target === 'GET /' ? 'GET /admin/' : target;
      expect(await admin(path, { token: credential })).toMatchObject({
        status: 404,
        body: { code: 'route-not-found' },
      });
    }
  },
);

test('a response does not include operations of the public API', async () => {
  const { status } = await admin('GET /v1/payments/x');
  expect(status).toBe(404);
});

test('a service is named when it is down, and the others still work', async () => {
  const dead = await admin(`GET /payments/${newId('payment')}`);
  expect(dead).toMatchObject({
    status: 503,
    body: { code: 'unavailable', detail: expect.stringContaining('payments service') },
    headers: { 'retry-after': '1' },
  });
  expect((await admin(`GET ${APPLICATION_PATH}`)).status).toBe(200);
});

test('a service that may have processed a request without a key does not invite to repeat it', async () => {
  await services.serve(applications.createApplication, () => {
    throw new Problem('unavailable', 'The database is unreachable.', { outcomeUnknown: true });
  });
  const body = { name: 'Shop', scopes: ['payment:read'] };
  for (const [headers, retryable] of [
    [{}, false],
    [{ 'idempotency-key': 'k' }, true],
  ] as const) {
    expect(await admin('POST /applications', { body, headers })).toMatchObject({
      status: 503,
      body: { code: 'unavailable', retryable },
      headers: { 'x-should-retry': String(retryable) },
    });
  }
});

test('a service that times out may have saved a change, and has saved nothing for a read', async () => {
  const timeOut = () => {
    throw new Problem('upstream-timeout', 'No reply.');
  };
  await services.serve(applications.createApplication, timeOut);
  await services.serve(accounts.getMe, timeOut);
  const body = { name: 'Shop', scopes: ['payment:read'] };
  expect((await admin('POST /applications', { body })).body).toMatchObject({
    code: 'upstream-timeout',
    detail: 'The applications service timed out. The change may have been saved.',
  });
  expect((await admin('GET /me')).body).toMatchObject({
    code: 'upstream-timeout',
    detail: 'The accounts service timed out. Try again in a moment.',
  });
});

test('a service reveals no internals when it fails', async () => {
  await services.serve(accounts.getMe, () => {
    throw new Problem('internal', 'MongoServerError at 10.0.0.7');
  });
  const answer = await admin('GET /me');
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
  expect(answer.text).not.toMatch(/Mongo|10\.0/);
});

test('a service that rejects a request has its error passed on, with the fields of the HTTP request', async () => {
  await services.serve(applications.setScopes, () => {
    throw new Problem('invalid-request', 'No.', {
      errors: [
        { pointer: '/scopes/0', code: 'invalid', detail: 'a' },
        { pointer: '/application_id', code: 'invalid', detail: 'b' },
        { pointer: '/if_version', code: 'invalid', detail: 'c' },
      ],
    });
  });
  const answer = await admin(`PUT ${APPLICATION_PATH}/scopes`, {
    body: { scopes: [] },
    headers: { 'if-match': '*' },
  });
  expect(answer.body).toMatchObject({
    detail: 'No.',
    errors: [
      { pointer: '/scopes/0', code: 'invalid', detail: 'a' },
      { parameter: 'application_id', code: 'invalid', detail: 'b' },
      { header: 'If-Match', code: 'invalid', detail: 'c' },
    ],
  });
});

test('the route table is served completely: each route supports its method, and only public ones need no session', async () => {
  for (const [name, { method, path, access }] of Object.entries(ADMIN_ROUTES)) {
    const target = `${method} ${path.replaceAll(/:[a-z_]+/g, 'x')}`;
    const { body, status } = await admin(target, { token: null });
    const { code } = (body ?? {}) as { code?: string };
    if (access === 'public') expect(code, name).not.toBe('unauthenticated');
    else expect({ name, status, code }).toEqual({ name, status: 401, code: 'unauthenticated' });
    expect(code, name).not.toBe('route-not-found');
    expect(code, name).not.toBe('method-not-allowed');
  }
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import { ADMIN_ROUTES, STREAM_PATH } from '@tollgate/contracts/admin-api/routes';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdminClientOptions, createAdminClient } from './admin-client.ts';
import type { AdminProblem } from './admin-problem.ts';
import { pagesOf } from './pages.ts';

interface Received extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  body: string;
}

/** Stands in for the gateway. */
const gateway = createServer(async (request, response) => {
  const { method, url, headers } = request;
  received.push({ method, url, headers, body: await text(request) });
  respond(response);
});
let received: Received[];
let respond: (response: ServerResponse) => void;
let baseUrl: string;

beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});
afterAll(() => {
  gateway.close();
  gateway.closeAllConnections();
});
beforeEach(() => {
  received = [];
  respond = (response) => response.end('{}');
});

/** The address of a server that has just ended. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const client = (options: Partial<AdminClientOptions> = {}) =>
  createAdminClient({ baseUrl, token: 'a-token', ...options });
const json = (body: object) => (response: ServerResponse) => response.end(JSON.stringify(body));

describe('a call of the admin API', () => {
  it('a call of the admin API sends path parameters in the path and the other fields in the body', async () => {
    respond = json({ id: 'key_1' });
    const key = await client().call(
      ADMIN_ROUTES.createKey,
      { application_id: 'app/1', environment: 'live', name: 'First', scopes: undefined },
      { idempotencyKey: 'once' },
    );
    expect(key).toEqual({ id: 'key_1' });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/admin/v1/applications/app%2F1/keys',
        headers: {
          authorization: 'Bearer a-token',
          'content-type': 'application/json',
          'idempotency-key': 'once',
        },
        body: '{"environment":"live","name":"First"}',
      },
    ]);
  });

  it('a call of the admin API sends the fields of a read in the query, without those that are undefined', async () => {
    await client({ token: null }).call(ADMIN_ROUTES.listPayments, {
      environment: 'live',
      limit: 5,
      cursor: undefined,
    });
    expect(received).toMatchObject([
      { method: 'GET', url: '/admin/v1/payments?environment=live&limit=5', body: '' },
    ]);
    expect(received[0]?.headers).not.toHaveProperty('authorization');
    expect(received[0]?.headers).not.toHaveProperty('content-type');
  });

  it.each([
    [7, '"7"'],
    ['*' as const, '*'],
  ])('a call of the admin API with version %j sends If-Match: %s', async (ifMatch, sent) => {
    await client().call(ADMIN_ROUTES.setDataRetention, { days: 30 }, { ifMatch });
    expect(received[0]?.headers['if-match']).toBe(sent);
  });

  it('a call of the admin API sends the headers of the client, and in their place those of the call', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', 'user-agent': 'of the client' };
    await client({ headers }).call(ADMIN_ROUTES.getMe, {}, { headers: { 'user-agent': 'of the call' } });
    expect(received[0]?.headers).toMatchObject({
      'x-forwarded-for': '192.0.2.1',
      'user-agent': 'of the call',
    });
  });

  it('a call of the admin API returns an empty object for a response without content', async () => {
    respond = (response) => response.writeHead(204).end();
    expect(await client().call(ADMIN_ROUTES.signOut, {})).toEqual({});
    expect(received).toMatchObject([{ method: 'POST', body: '' }]);
  });

  it('a call of the admin API without a path parameter sends nothing', async () => {
    const calling = async () => client().call(ADMIN_ROUTES.getPayment, { payment_id: '' });
    await expect(calling).rejects.toThrow('lacks payment_id');
    expect(received).toEqual([]);
  });

  it('a call of the admin API follows no redirect, which could send the token elsewhere', async () => {
    respond = (response) => response.writeHead(307, { location: '/elsewhere' }).end();
    await expect(client().call(ADMIN_ROUTES.getMe, {})).rejects.toMatchObject({ code: 'unavailable' });
    expect(received).toHaveLength(1);
  });
});

describe('a failed call', () => {
  it('a failed call throws the problem of the response', async () => {
    const body = {
      type: 'https://docs.example.com/errors/rate-limited',
      title: 'Too many requests',
      status: 429,
      code: 'rate-limited',
      detail: 'The limit is reached.',
      request_id: 'req_1',
      errors: [{ parameter: 'limit', code: 'too-large', detail: 'At most 100.' }],
    };
    respond = (response) => response.writeHead(429, { 'retry-after': '5' }).end(JSON.stringify(body));
    const { request_id: requestId, ...members } = body;
    await expect(client().call(ADMIN_ROUTES.getMe, {})).rejects.toMatchObject({
      ...members,
      requestId,
      retryAfterS: 5,
      responseStatus: 429,
    });
  });

  it.each([200, 404])('a failed call rejects a response with status %i that is not JSON', async (status) => {
    respond = (response) =>
      response.writeHead(status, { 'x-request-id': 'req_1' }).end('<title>A proxy</title>');
    await expect(client().call(ADMIN_ROUTES.getMe, {})).rejects.toMatchObject({
      status: 502,
      code: 'upstream-error',
      title: null,
      requestId: 'req_1',
      responseStatus: status,
    });
  });

  it('a failed call reports that the gateway is unavailable when it cannot connect', async () => {
    const reported: AdminProblem[] = [];
    const options = {
      baseUrl: await closedAddress(),
      onProblem: (problem: AdminProblem) => reported.push(problem),
    };
    const call = client(options).call(ADMIN_ROUTES.getInstallation, {});
    await expect(call).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
      requestId: null,
      responseStatus: null,
      cause: { code: 'ECONNREFUSED' },
    });
    expect(reported).toHaveLength(1);
  });

  it('a failed call reports that the gateway is unavailable when it sends only a part of the response', async () => {
    respond = (response) => response.write('{"data":', () => response.destroy());
    await expect(client().call(ADMIN_ROUTES.getMe, {})).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('a failed call reports that the gateway is unavailable when the response takes longer than the timeout', async () => {
    respond = (response) => response.write('{');
    const call = client({ timeoutMs: 50 }).call(ADMIN_ROUTES.getMe, {});
    await expect(call).rejects.toMatchObject({ code: 'unavailable', cause: { name: 'TimeoutError' } });
  });

  it('a failed call throws the reason for which its caller aborted it', async () => {
    const interrupted = new Error('Interrupted.');
    const signal = AbortSignal.abort(interrupted);
    await expect(client().call(ADMIN_ROUTES.getMe, {}, { signal })).rejects.toBe(interrupted);
  });

  it('a failed call throws what its client throws in place of the problem', async () => {
    respond = (response) =>
      response.writeHead(401).end('{"code":"invalid-session","detail":"It has ended."}');
    const onProblem = ({ code }: AdminProblem) => {
      throw new Error(`Sign in again: ${code}`);
    };
    await expect(client({ onProblem }).call(ADMIN_ROUTES.getMe, {})).rejects.toThrow(
      'Sign in again: invalid-session',
    );
  });
});

describe('a streamed response', () => {
  it('a streamed response is read as it arrives, for longer than the timeout of calls', async () => {
    const streamed = Promise.withResolvers<ServerResponse>();
    respond = (response) => {
      response.write('first');
      streamed.resolve(response);
    };
    const admin = client({ timeoutMs: 50 });
    const stream = await admin.open(STREAM_PATH, { environment: 'live' });
    respond = () => undefined;
    await expect(admin.call(ADMIN_ROUTES.getMe, {})).rejects.toMatchObject({ code: 'unavailable' });
    (await streamed.promise).end('last');
    expect(await stream.text()).toBe('firstlast');
    expect(received[0]?.url).toBe(`${STREAM_PATH}?environment=live`);
  });

  it('a streamed response that the gateway rejects throws its problem', async () => {
    respond = (response) => response.writeHead(403).end('{"code":"forbidden","detail":"No."}');
    await expect(client().open(STREAM_PATH, {})).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  });
});

it('a request of any path returns the response of any status', async () => {
  respond = (response) => response.writeHead(405).end('{"code":"method-not-allowed","detail":"No."}');
  expect((await client().fetch('/admin/v1/me', { method: 'PUT' })).status).toBe(405);
  expect(received).toMatchObject([{ method: 'PUT', headers: { authorization: 'Bearer a-token' } }]);
});

describe('the pages of a list', () => {
  const list = async (maxPages?: number) => {
    const found: unknown[] = [];
    for await (const { data } of pagesOf(client(), auditRoutes.listHeads, { limit: 1 }, maxPages))
      found.push(...data);
    return found;
  };
  beforeEach(() => {
    respond = (response) =>
      json({ data: [received.length], next_cursor: received.length < 3 ? `after-${received.length}` : null })(
        response,
      );
  });

  it('the pages of a list follow one another by their cursors up to the last', async () => {
    expect(await list()).toEqual([1, 2, 3]);
    expect(received.map(({ url }) => url?.split('?')[1])).toEqual([
      'limit=1',
      'limit=1&cursor=after-1',
      'limit=1&cursor=after-2',
    ]);
  });

  it('the pages of a list are no more than the caller wants', async () => {
    expect(await list(2)).toEqual([1, 2]);
    expect(received).toHaveLength(2);
  });
});

const pageRequests = () => received.map(({ headers }) => headers[HEADERS.pageRequest]);

it('the admin API client of a page sends one page request id until a call changes something, and another id after it', async () => {
  const admin = client({ isForOnePage: true });
  await Promise.all([admin.call(ADMIN_ROUTES.getMe, {}), admin.call(ADMIN_ROUTES.getInstallation, {})]);
  await admin.call(ADMIN_ROUTES.signOut, {});
  await admin.call(ADMIN_ROUTES.getMe, {});
  await client({ isForOnePage: true }).call(ADMIN_ROUTES.getMe, {});
  const [first, second, change, after, other] = pageRequests();
  expect([second, change]).toEqual([first, first]);
  expect(new Set([first, after, other]).size).toBe(3);
  expect(first).toEqual(expect.any(String));
});

it('the admin API client of another program sends no page request id', async () => {
  await client().call(ADMIN_ROUTES.getMe, {});
  expect(pageRequests()).toEqual([undefined]);
});

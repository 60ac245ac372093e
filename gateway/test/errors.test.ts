import { once } from 'node:events';
import { connect } from 'node:net';
import { ERRORS, type ErrorCode } from '@tollgate/contracts/platform/errors';
import { type RawResponse, rawRequest, sendRaw } from '@tollgate/test-kit/raw-http';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DOCS_BASE_URL, type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { respondWithPayment, startUpstream, type Upstream } from './support/upstream.ts';

const UPSTREAM_TIMEOUT_MS = 1_500;
const JSON_BODY = { 'content-type': 'application/json' };

let gateway: GatewayUnderTest;
let upstream: Upstream;
let applicationId: string;
let key: string;
let readOnlyKey: string;
let narrowKey: string;
let archivedKey: string;
let limitedKey: string;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGatewayUnderTest({ upstreamTimeoutMs: UPSTREAM_TIMEOUT_MS }),
    startUpstream(),
  ]);
  applicationId = await gateway.putApplication();
  key = await gateway.putKey('live', { application_id: applicationId });
  readOnlyKey = await gateway.putKey('live', { application_id: applicationId, scopes: ['payment:read'] });
  narrowKey = await gateway.putKey('live', {
    application_id: applicationId,
    allowed_cidrs: ['192.0.2.0/24'],
  });
  archivedKey = await gateway.putKey('live', {
    application_id: await gateway.putApplication({ status: 'archived' }),
  });
  const limit = { requests_per_second: 1, burst: 2 };
  limitedKey = await gateway.putKey('live', {
    application_id: await gateway.putApplication({ limits: { live: limit, sandbox: limit } }),
  });
  await gateway.settled();
  await gateway.announce(upstream.url);
});

beforeEach(() => upstream.behave(respondWithPayment));

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  credential?: string | null;
}

async function send({ method = 'GET', path = '/v1/payments/pay_1', headers, body, credential = key }: Sent) {
  const response = await request(gateway.urls.live + path, {
    method: method as 'GET',
    headers: { ...(credential && { authorization: `Bearer ${credential}` }), ...headers },
    body: body ?? null,
  });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers as Record<string, string>, body: text };
}

/** Compares every member of the problem. */
function expectProblem(
  answer: RawResponse | null,
  code: ErrorCode,
  more: { members?: Record<string, unknown>; headers?: Record<string, string | undefined> } = {},
): void {
  if (!answer) throw new Error('there was no response');
  const { status, title, retryable } = ERRORS[code];
  const problem = JSON.parse(answer.body);
  expect(problem).toEqual({
    type: `${DOCS_BASE_URL}/errors/${code}`,
    title,
    status,
    detail: expect.stringMatching(/^[A-Z].*\.$/),
    code,
    request_id: answer.headers['x-request-id'],
    retryable,
    ...more.members,
  });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'x-request-id': expect.stringMatching(/^req_[0-9a-hjkmnp-tv-z]{26}$/),
    'x-should-retry': String(problem.retryable),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  for (const [name, value] of Object.entries({
    'www-authenticate': undefined,
    allow: undefined,
    ...more.headers,
  })) {
    expect(answer.headers[name], name).toBe(value);
  }
}

describe("the gateway's own errors have their exact status, code, headers, and body", () => {
  test('malformed-request: text that is not HTTP, which closes the connection', async () => {
    const answer = await sendRaw(gateway.urls.live, 'this is not HTTP\r\n\r\n');
    expectProblem(answer, 'malformed-request', { headers: { connection: 'close' } });
  });

  test('malformed-request: too many or too large headers', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `x-${index}: 1`);
    const answer = await sendRaw(gateway.urls.live, rawRequest('GET /docs HTTP/1.1', ['host: a', ...many]));
    expectProblem(answer, 'malformed-request');
    const large = await sendRaw(
      gateway.urls.live,
      rawRequest('GET /docs HTTP/1.1', ['host: a', `x-large: ${'a'.repeat(20_000)}`]),
    );
    expectProblem(large, 'malformed-request');
  });

  test('malformed-request: an HTTP/1.1 request without Host', async () => {
    expectProblem(await sendRaw(gateway.urls.live, rawRequest('GET /docs HTTP/1.1')), 'malformed-request');
    // Node's parser reads this as HTTP/0.9 with the reserved method, which no router knows.
    const reserved = rawRequest('PRI /v1/payments/x/cancel5HTTP/1.1', ['host: a']);
    expectProblem(await sendRaw(gateway.urls.live, reserved), 'malformed-request');
  });

  test('malformed-request: CONNECT, also when the client then resets the connection', async () => {
    const { hostname, port } = new URL(gateway.urls.live);
    const socket = connect(Number(port), hostname);
    socket.write(rawRequest('CONNECT a:443 HTTP/1.1', ['host: a']));
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"malformed-request"/);
    socket.resetAndDestroy();
    await once(socket, 'close');
    // An error that nothing handles would end the process.
    expect((await request(`${gateway.urls.live}/openapi.json`)).statusCode).toBe(200);
  });

  test.each(['authorization', 'content-type', 'host', 'content-encoding', 'idempotency-key'])(
    'malformed-request: two %s headers',
    async (header) => {
      const others = header === 'host' ? [] : ['host: a'];
      const answer = await sendRaw(
        gateway.urls.live,
        rawRequest('GET /v1/payments/x HTTP/1.1', [...others, `${header}: a`, `${header}: a`]),
      );
      expectProblem(answer, 'malformed-request', {
        members: { errors: [{ header, code: 'duplicate', detail: 'Send this header only once.' }] },
      });
    },
  );

  test('malformed-request: a GET or HEAD with a body', async () => {
    const get = await sendRaw(
      gateway.urls.live,
      rawRequest('GET /v1/payments/x HTTP/1.1', ['host: a', 'content-length: 2'], '{}'),
    );
    expectProblem(get, 'malformed-request');
    const head = await sendRaw(
      gateway.urls.live,
      rawRequest('HEAD /v1/payments/x HTTP/1.1', ['host: a', 'transfer-encoding: chunked'], '0\r\n\r\n'),
      { head: true },
    );
    expect(head?.status).toBe(400);
  });

  test.each(['*', '/v1\\payments', '/v1/payments/%ff', '/v1/payments/%00', `/${'a'.repeat(3_000)}`])(
    'malformed-request: the target %s',
    async (target) => {
      const answer = await sendRaw(gateway.urls.live, rawRequest(`GET ${target} HTTP/1.1`, ['host: a']));
      expectProblem(answer, 'malformed-request');
    },
  );

  test('malformed-request: CONNECT', async () => {
    const answer = await sendRaw(
      gateway.urls.live,
      rawRequest('CONNECT example.com:443 HTTP/1.1', ['host: a']),
    );
    expectProblem(answer, 'malformed-request');
  });

  test('invalid-request: an unknown query parameter, which the problem names', async () => {
    expectProblem(await send({ path: '/v1/payments/pay_1?expand=all&limit=1' }), 'invalid-request', {
      members: {
        errors: ['expand', 'limit'].map((parameter) => ({
          parameter,
          code: 'unknown',
          detail: 'Unknown parameter.',
        })),
      },
    });
  });

  test('invalid-idempotency-key: two idempotency keys', async () => {
    const answer = await sendRaw(
      gateway.urls.live,
      rawRequest('POST /v1/payments HTTP/1.1', ['host: a', 'idempotency-key: a', 'idempotency-key: a']),
    );
    expectProblem(answer, 'invalid-idempotency-key', {
      members: {
        errors: [{ header: 'idempotency-key', code: 'duplicate', detail: 'Send this header only once.' }],
      },
    });
  });

  test.each([undefined, '', 'Basic dXNlcjpwYXNz', 'Bearer', 'Bearer two words'])(
    'unauthenticated: Authorization is %j',
    async (authorization) => {
      const headers = authorization === undefined ? {} : { authorization };
      expectProblem(await send({ credential: null, headers }), 'unauthenticated', {
        headers: { 'www-authenticate': 'Bearer', ratelimit: undefined },
      });
    },
  );

  test('invalid-api-key: a credential that is not a valid API key', async () => {
    expectProblem(await send({ credential: 'sk_test_1234' }), 'invalid-api-key', {
      headers: { 'www-authenticate': 'Bearer error="invalid_token"', ratelimit: undefined },
    });
  });

  test('insufficient-scope: the key lacks the scope of the operation', async () => {
    const answer = await send({
      method: 'POST',
      path: '/v1/payments',
      credential: readOnlyKey,
      headers: JSON_BODY,
      body: '{}',
    });
    expectProblem(answer, 'insufficient-scope', {
      members: { required_scope: 'payment:create' },
      headers: {
        'www-authenticate': 'Bearer error="insufficient_scope", scope="payment:create"',
        'ratelimit-policy': '"application";q=20000;w=2',
      },
    });
  });

  test('ip-not-allowed: the key only allows other addresses', async () => {
    expectProblem(await send({ credential: narrowKey }), 'ip-not-allowed', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  });

  test('application-disabled: the application is archived', async () => {
    expectProblem(await send({ credential: archivedKey }), 'application-disabled', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  });

  test.each([
    '/v1',
    '/v1/payments/',
    '/v1/payments/x/',
    '/v1/payments/x/cancel/',
    '/V1/payments',
    '/healthz',
    '/metrics',
    '/docs/guides/',
    '/docs/../v1/payments',
    '//v1/payments',
    '/v1/payments;a=b',
    '/v1/payments/a%2fb',
    '/v1/payments/%2e%2e',
  ])('route-not-found: %s, with or without a body and a key', async (target) => {
    const plain = await sendRaw(gateway.urls.live, rawRequest(`GET ${target} HTTP/1.1`, ['host: a']));
    expectProblem(plain, 'route-not-found');
    const post = await sendRaw(
      gateway.urls.live,
      rawRequest(
        `POST ${target} HTTP/1.1`,
        ['host: a', 'content-type: text/plain', 'content-length: 1'],
        'x',
      ),
    );
    expectProblem(post, 'route-not-found');
  });

  test.each([
    ['GET', '/v1/payments', 'POST'],
    ['OPTIONS', '/v1/payments', 'POST'],
    ['PROPFIND', '/v1/payments', 'POST'],
    ['DELETE', '/v1/payments/pay_1', 'GET, HEAD'],
    ['OPTIONS', '/v1/payments/pay_1', 'GET, HEAD'],
    ['GET', '/v1/payments/pay_1/cancel', 'POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
    ['PUT', '/docs/errors/internal', 'GET, HEAD'],
  ])('method-not-allowed: %s %s', async (method, path, allow) => {
    const answer = await sendRaw(gateway.urls.live, rawRequest(`${method} ${path} HTTP/1.1`, ['host: a']));
    expectProblem(answer, 'method-not-allowed', { headers: { allow } });
  });

  test.each(['text/html', 'application/json;q=0', 'application/xml, text/*'])(
    'not-acceptable: %s',
    async (accept) => {
      expectProblem(await send({ headers: { accept } }), 'not-acceptable');
    },
  );

  test.each([
    'application/json; charset=utf-8',
    'application/json;odata=verbose',
    'application/json; charset="utf-8"; q=0.5, text/html',
    'text/html, application/*;v=1',
    '',
    ' , ',
  ])('a client that sends `Accept: %s` gets JSON', async (accept) => {
    expect((await send({ headers: { accept } })).status).toBe(200);
  });

  test.each([[], ['content-type: application/x-www-form-urlencoded']])(
    'a chunked body without a byte is no body: with %j',
    async (...headers) => {
      const answer = await sendRaw(
        gateway.urls.live,
        rawRequest(
          'POST /v1/payments/pay_1/cancel HTTP/1.1',
          ['host: a', `authorization: Bearer ${key}`, ...headers, 'transfer-encoding: chunked'],
          '0\r\n\r\n',
        ),
      );
      expect(answer?.status).toBe(200);
      expect(upstream.received.at(-1)).toMatchObject({ method: 'POST', body: Buffer.alloc(0) });
    },
  );

  test('content-too-large: by Content-Length, before the body is sent', async () => {
    const answer = await sendRaw(
      gateway.urls.live,
      rawRequest('POST /v1/payments HTTP/1.1', [
        'host: a',
        `authorization: Bearer ${key}`,
        'content-type: application/json',
        `content-length: ${128 * 1024 + 1}`,
      ]),
    );
    expectProblem(answer, 'content-too-large', { headers: { connection: 'close' } });
  });

  test('content-too-large: by the bytes of a chunked body', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const answer = await sendRaw(
      gateway.urls.live,
      rawRequest(
        'POST /v1/payments HTTP/1.1',
        [
          'host: a',
          `authorization: Bearer ${key}`,
          'content-type: application/json',
          'transfer-encoding: chunked',
        ],
        `${chunk}${chunk}1\r\n \r\n0\r\n\r\n`,
      ),
    );
    expectProblem(answer, 'content-too-large', { headers: { connection: 'close' } });
  });

  test.each(['application/json; charset=utf8', 'application/json;odata=verbose'])(
    'a body of the type %s is JSON',
    async (type) => {
      const answer = await send({
        method: 'POST',
        path: '/v1/payments/pay_1/cancel',
        headers: { 'content-type': type },
        body: '{}',
      });
      expect(answer.status).toBe(200);
      expect(upstream.received.at(-1)?.headers['content-type']).toBe('application/json');
    },
  );

  test.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    {},
  ])('unsupported-media-type: %j', async (headers) => {
    const answer = await send({ method: 'POST', path: '/v1/payments', headers, body: '{}' });
    expectProblem(answer, 'unsupported-media-type');
  });

  test('rate-limited: one request more than the burst, until Retry-After', async () => {
    const responses = [];
    for (let count = 0; count < 3; count++) responses.push(await send({ credential: limitedKey }));
    expect(responses.map(({ status, headers }) => [status, headers['ratelimit']])).toEqual([
      [200, '"application";r=1;t=1'],
      [200, '"application";r=0;t=2'],
      [429, '"application";r=0;t=2'],
    ]);
    expectProblem(responses[2] as RawResponse, 'rate-limited', {
      headers: { 'retry-after': '1', 'ratelimit-policy': '"application";q=2;w=2' },
    });
    gateway.clock.advance(1_000);
    expect((await send({ credential: limitedKey })).status).toBe(200);
  });

  test('upstream-error: the response of payments is not HTTP', async () => {
    upstream.behave((_request, _response, raw) => raw.socket.end('SMTP 220 ready\r\n'));
    const answer = await send({ method: 'POST', path: '/v1/payments', headers: JSON_BODY, body: '{}' });
    // A POST without an idempotency key, which may have been processed.
    expectProblem(answer, 'upstream-error', { members: { retryable: false } });
  });

  test('upstream-timeout: payments does not respond in time', async () => {
    upstream.behave(() => undefined);
    expectProblem(await send({}), 'upstream-timeout');
  });

  test('upstream-error: payments returns an unknown problem, of which nothing is relayed', async () => {
    upstream.behave((_request, response) =>
      response.writeHead(500, { 'x-powered-by': 'x' }).end('stack at /srv/app'),
    );
    const answer = await send({});
    expectProblem(answer, 'upstream-error', { headers: { 'x-powered-by': undefined } });
    expect(answer.body).not.toContain('/srv/app');
  });

  test('unavailable: no payments instance is known', async () => {
    await gateway.announce(upstream.url, { state: 'draining' });
    expectProblem(await send({}), 'unavailable', { headers: { 'retry-after': '1' } });
  });
});

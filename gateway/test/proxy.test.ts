import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { publishText } from '@tollgate/bus/announce';
import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/platform/streams';
import { signAnnouncement } from '@tollgate/security/announcement';
import { parseKeyring } from '@tollgate/security/keyring';
import { verifyPrincipal } from '@tollgate/security/principal-signature';
import { eventually } from '@tollgate/test-kit/eventually';
import { recordSpans } from '@tollgate/tracing/span';
import { collectSpans, type RecordedSpan } from '@tollgate/tracing/test/recorded-spans';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { SELF_SIGNED } from './support/self-signed.ts';
import { type Behaviour, PAYMENT_BODY, startUpstream, type Upstream } from './support/upstream.ts';

const UPSTREAM_TIMEOUT_MS = 2_000;

let gateway: GatewayUnderTest;
let applicationId: string;
let key: string;
const started: { url: string; stop(): Promise<unknown> }[] = [];

beforeAll(async () => {
  gateway = await startGatewayUnderTest({
    env: { TRUSTED_PROXIES: '127.0.0.0/8' },
    upstreamTimeoutMs: UPSTREAM_TIMEOUT_MS,
  });
  applicationId = await gateway.putApplication();
  key = await gateway.putKey('live', { application_id: applicationId });
  await gateway.settled();
});

afterEach(async () => {
  for (const upstream of started.splice(0)) {
    await gateway.announce(upstream.url, { state: 'draining' });
    await upstream.stop();
  }
});

afterAll(() => gateway.stop());

async function joinUpstream(behaviour?: Behaviour): Promise<Upstream> {
  const upstream = await startUpstream(behaviour);
  started.push(upstream);
  await gateway.announce(upstream.url);
  return upstream;
}

/** An address without a listener. */
async function joinNoInstance(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  started.push({ url, stop: async () => undefined });
  await gateway.announce(url);
  return url;
}

async function send(
  method: 'GET' | 'HEAD' | 'POST',
  path: string,
  more: { headers?: Record<string, string>; body?: string } = {},
) {
  const response = await request(gateway.urls.live + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(more.body !== undefined && { 'content-type': 'application/json' }),
      ...more.headers,
    },
    body: more.body ?? null,
  });
  const body = await response.body.text();
  return { status: response.statusCode, headers: response.headers, body };
}

const read = () => send('GET', '/v1/payments/pay_1');
const create = () => send('POST', '/v1/payments', { body: '{"amount":1}' });
const createWithKey = () =>
  send('POST', '/v1/payments', { body: '{"amount":1}', headers: { 'idempotency-key': 'k' } });

const respondUnavailable: Behaviour = ({ headers }, response) => {
  const body = {
    type: 'http://docs.test/docs/errors/unavailable',
    title: 'Service unavailable',
    status: 503,
    detail: 'MongoDB is unavailable.',
    code: 'unavailable',
    request_id: headers['x-request-id'],
    retryable: true,
  };
  response
    .writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '7' })
    .end(JSON.stringify(body));
};

const breakOff: Behaviour = (_request, _response, raw) => raw.socket.destroy();

test('a response of payments has the headers that responses of the gateway itself have', async () => {
  await joinUpstream();
  const relayed = await read();
  const own = await send('GET', '/v1/payments/pay_1?unknown=1');
  expect([relayed.status, own.status]).toEqual([200, 400]);
  for (const { headers } of [relayed, own]) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
      'ratelimit-policy': expect.stringContaining('application'),
      ratelimit: expect.stringContaining('application'),
    });
  }
});

test('a response of payments reaches the caller as the bytes that payments sent', async () => {
  const body = JSON.stringify({ reference: 'Größe € 𝄞' });
  await joinUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const relayed = await read();
  expect(relayed.body).toBe(body);
  expect(relayed.headers['content-length']).toBe(String(Buffer.byteLength(body)));
});

test('a response of payments loses a header that Node could not write', async () => {
  await joinUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', etag: '"\u00e9"' }).end('{}');
  });
  const relayed = await read();
  expect(relayed.status).toBe(200);
  expect(relayed.headers['etag']).toBeUndefined();
});

describe('what payments receives', () => {
  test('the principal with the address of the client, signed over method, path, request id, idempotency key, and body', async () => {
    const upstream = await joinUpstream();
    const body = '{"amount":  1250, "currency":"EUR"}';
    const answer = await send('POST', '/v1/payments', {
      body,
      // The proxy appended the second address. The first is what the client claims.
      headers: { 'idempotency-key': '"order-1"', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' },
    });
    expect(answer.status).toBe(200);
    const received = upstream.received[0] as Upstream['received'][0];
    expect(received.body.toString()).toBe(body);
    const principal = verifyPrincipal(
      gateway.signingKeys,
      {
        principal: received.headers['x-tollgate-principal'] as string,
        signature: received.headers['x-tollgate-signature'] as string,
      },
      {
        method: received.method,
        path: received.path,
        requestId: String(received.headers['x-request-id']),
        idempotencyKey: '"order-1"',
        body: received.body,
      },
      gateway.clock.now(),
    );
    expect(principal).toMatchObject({
      application_id: applicationId,
      environment: 'live',
      client_address: '198.51.100.7',
    });
    expect(answer.headers['x-request-id']).toBe(received.headers['x-request-id']);
  });

  test('the address of each request, also when a key is used from several', async () => {
    const upstream = await joinUpstream();
    const addresses = ['198.51.100.7', '198.51.100.8', '198.51.100.8:443', 'unknown', '198.51.100.7'];
    for (const address of addresses) {
      await send('GET', '/v1/payments/pay_1', { headers: { 'x-forwarded-for': address } });
    }
    const sent = upstream.received.map(({ headers }) => {
      const principal = Buffer.from(headers['x-tollgate-principal'] as string, 'base64url');
      return JSON.parse(principal.toString()).client_address;
    });
    expect(sent).toEqual(['198.51.100.7', '198.51.100.8', '198.51.100.8', null, '198.51.100.7']);
  });

  test('what payments receives only the headers of the caller that it needs', async () => {
    const upstream = await joinUpstream();
    await send('GET', '/v1/payments/pay_1', {
      headers: {
        'x-tollgate-principal': 'forged',
        'x-tollgate-signature': 'forged',
        'x-tollgate-anything': '1',
        'x-request-id': 'req_of_the_caller',
        'x-forwarded-for': '192.0.2.1',
        'idempotency-key': 'not-for-a-get',
        cookie: 'a=b',
        'if-none-match': '"1"',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'vendor=1',
      },
    });
    const { headers } = upstream.received[0] as Upstream['received'][0];
    expect(Object.keys(headers).sort()).toEqual([
      'connection',
      'host',
      'if-none-match',
      'traceparent',
      'tracestate',
      'x-request-id',
      'x-tollgate-principal',
      'x-tollgate-signature',
    ]);
    expect(headers['traceparent']).toBe('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
    expect(headers['x-request-id']).toMatch(/^req_(?!of)/);
    expect(headers['x-tollgate-principal']).not.toBe('forged');
  });

  test('a path built from the operation, with the id encoded again', async () => {
    const upstream = await joinUpstream();
    await send('POST', '/v1/%70ayments/a%20b%3F%23/cancel?', { headers: { 'content-length': '0' } });
    expect(upstream.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/payments/a%20b%3F%23/cancel',
    ]);
  });

  test('an id of any length, because payments returns its own not-found error', async () => {
    const upstream = await joinUpstream();
    await send('GET', `/v1/payments/${'a'.repeat(1_000)}`);
    expect(upstream.received).toHaveLength(1);
  });

  test('an empty idempotency key, because leaving it out would silently make a retry unsafe', async () => {
    const upstream = await joinUpstream();
    await send('POST', '/v1/payments', { body: '{}', headers: { 'idempotency-key': '' } });
    expect(upstream.received[0]?.headers['idempotency-key']).toBe('');
  });

  test('nothing of a rejected request', async () => {
    const upstream = await joinUpstream();
    await send('GET', '/v1/payments/pay_1?a=b');
    await send('POST', '/v1/payments', { body: '{}', headers: { authorization: 'Bearer tg_live_x' } });
    expect(upstream.received).toHaveLength(0);
  });
});

describe('what the caller receives', () => {
  test('the response with its ETag, without internal headers', async () => {
    await joinUpstream((_request, response) =>
      response
        .writeHead(201, {
          'content-type': 'application/json; charset=utf-8',
          etag: '"1"',
          location: '/v1/payments/pay_1',
          'idempotent-replayed': 'true',
          'x-request-id': 'req_of_upstream',
          'x-tollgate-instance': 'a',
          'set-cookie': 'a=b',
          server: 'payments',
          'keep-alive': 'timeout=72',
          'ratelimit-policy': 'none',
          'cache-control': 'public',
          'www-authenticate': 'Basic',
        })
        .end(PAYMENT_BODY),
    );
    const { status, headers, body } = await create();
    expect(status).toBe(201);
    expect(body).toBe(PAYMENT_BODY);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      etag: '"1"',
      location: '/v1/payments/pay_1',
      'idempotent-replayed': 'true',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_[^o]/),
      'ratelimit-policy': '"application";q=20000;w=2',
      ratelimit: expect.stringMatching(/^"application";r=199\d\d;t=\d$/),
      'content-length': String(PAYMENT_BODY.length),
    });
    for (const name of [
      'x-tollgate-instance',
      'set-cookie',
      'server',
      'www-authenticate',
      'x-should-retry',
    ]) {
      expect(headers[name], name).toBeUndefined();
    }
  });

  test('no Location that names an instance', async () => {
    const upstream = await joinUpstream((_request, response) =>
      response
        .writeHead(201, { 'content-type': 'application/json', location: `${upstream.url}/v1/payments/pay_1` })
        .end(PAYMENT_BODY),
    );
    expect((await create()).headers['location']).toBeUndefined();
  });

  test('what the caller receives for HEAD, the headers of GET without the body', async () => {
    const upstream = await joinUpstream();
    const { status, headers, body } = await send('HEAD', '/v1/payments/pay_1');
    expect({ status, body }).toEqual({ status: 200, body: '' });
    expect(headers).toMatchObject({ etag: '"1"', 'content-length': String(PAYMENT_BODY.length) });
    expect(upstream.received[0]?.method).toBe('GET');
  });

  test('304 without a body when the payment has not changed', async () => {
    await joinUpstream(({ headers }, response) =>
      response.writeHead(headers['if-none-match'] === '"1"' ? 304 : 200, { etag: '"1"' }).end(),
    );
    const { status, headers, body } = await send('GET', '/v1/payments/pay_1', {
      headers: { 'if-none-match': '"1"' },
    });
    expect({ status, body, etag: headers['etag'] }).toEqual({ status: 304, body: '', etag: '"1"' });
    // RFC 9110 §15.4.5: they would describe the payment that is left out.
    expect(headers['content-length']).toBeUndefined();
    expect(headers['content-type']).toBeUndefined();
  });

  test('a problem of payments unchanged, with the same request id', async () => {
    await joinUpstream(respondUnavailable);
    const { status, headers, body } = await create();
    expect(status).toBe(503);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json',
      'retry-after': '7',
      'x-should-retry': 'true',
    });
    expect(JSON.parse(body)).toMatchObject({
      detail: 'MongoDB is unavailable.',
      request_id: headers['x-request-id'],
    });
  });

  test.each<[string, Behaviour]>([
    ['text where JSON should be', (_request, response) => response.writeHead(200).end('hello')],
    [
      'JSON that is no object',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[1]'),
    ],
    ['a redirect', (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end()],
    ['an empty success', (_request, response) => response.writeHead(204).end()],
    [
      'a rejection of the gateway itself',
      (_request, response) =>
        response
          .writeHead(401, { 'content-type': 'application/problem+json' })
          .end('{"code":"unauthenticated"}'),
    ],
    [
      'a problem whose status is another one',
      (_request, response) =>
        response
          .writeHead(400, { 'content-type': 'application/problem+json' })
          .end('{"code":"payment-not-found"}'),
    ],
    [
      'a page of a proxy between',
      (_request, response) =>
        response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>10.1.2.3</h1>'),
    ],
    [
      'fewer bytes than Content-Length says',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"id":1}');
        response.socket?.end();
      },
    ],
    [
      'more bytes than a response may have',
      (_request, response) => {
        response.on('error', () => undefined);
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"a":"${'a'.repeat(2 * 1024 * 1024)}"}`);
      },
    ],
    ['no HTTP at all', (_request, _response, raw) => raw.socket.end('\0\0\0\0\r\n')],
  ])('upstream-error when payments sends %s', async (_what, behaviour) => {
    const upstream = await joinUpstream(behaviour);
    const { status, body } = await create();
    expect({ status, code: JSON.parse(body).code }).toEqual({ status: 502, code: 'upstream-error' });
    expect(body).not.toMatch(/127\.0\.0\.1|10\.1\.2\.3/);
    expect(upstream.received).toHaveLength(1);
  });
});

test('a GET with a 503 is sent upstream at most twice, immediately, regardless of Retry-After', async () => {
  const first = await joinUpstream(respondUnavailable);
  const second = await joinUpstream(respondUnavailable);
  const third = await joinUpstream(respondUnavailable);
  const startedAt = performance.now();
  const answer = await read();
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('7');
  expect(first.received.length + second.received.length + third.received.length).toBe(2);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('a GET with a 503 from the only instance is sent once', async () => {
  const only = await joinUpstream(respondUnavailable);
  expect((await read()).status).toBe(503);
  expect(only.received).toHaveLength(1);
});

test.each([
  ['returns 503', respondUnavailable],
  ['breaks off', breakOff],
])('a GET succeeds on another instance when the first one %s', async (_what, behaviour) => {
  const bad = await joinUpstream(behaviour);
  const good = await joinUpstream();
  for (let count = 0; count < 4; count++) expect((await read()).status).toBe(200);
  // An instance that failed is skipped for a moment, which never passes on this clock.
  expect(bad.received.length).toBeLessThanOrEqual(1);
  expect(good.received).toHaveLength(4);
});

test('a GET whose connection breaks everywhere is tried on two instances and then becomes upstream-error', async () => {
  const upstreams = [
    await joinUpstream(breakOff),
    await joinUpstream(breakOff),
    await joinUpstream(breakOff),
  ];
  const { status, body } = await read();
  expect({ status, code: JSON.parse(body).code }).toEqual({ status: 502, code: 'upstream-error' });
  expect(upstreams.reduce((sum, { received }) => sum + received.length, 0)).toBe(2);
});

test('a GET is not retried after a timeout', async () => {
  const slow = [await joinUpstream(() => undefined), await joinUpstream(() => undefined)];
  const { status, body } = await read();
  expect({ status, code: JSON.parse(body).code }).toEqual({ status: 504, code: 'upstream-timeout' });
  expect(slow.reduce((sum, { received }) => sum + received.length, 0)).toBe(1);
});

test.each([
  ['gets 503', respondUnavailable, 503],
  ['breaks off', breakOff, 502],
  ['is not returned', () => undefined, 504],
] as [string, Behaviour, number][])(
  'a POST is sent once when it %s, even if another instance is available',
  async (_what, behaviour, status) => {
    const upstreams = [await joinUpstream(behaviour), await joinUpstream(behaviour)];
    expect((await create()).status).toBe(status);
    expect(upstreams.reduce((sum, { received }) => sum + received.length, 0)).toBe(1);
  },
);

test.each([
  ['breaks off', breakOff],
  ['is not returned', () => undefined],
  ['gets an invalid response', (_request, response) => response.writeHead(502).end()],
] as [string, Behaviour][])(
  'a POST whose outcome is unknown because it %s may be repeated only with an idempotency key',
  async (_what, behaviour) => {
    await joinUpstream(behaviour);
    const [without, withKey] = await Promise.all([create(), createWithKey()]);
    for (const [{ headers, body }, retryable] of [
      [without, false],
      [withKey, true],
    ] as const) {
      expect(headers['x-should-retry']).toBe(String(retryable));
      expect(JSON.parse(body)).toMatchObject({ retryable });
    }
  },
);

test('a POST goes to another instance when it could not connect, because nothing was sent', async () => {
  const good = await joinUpstream();
  await joinNoInstance();
  for (let count = 0; count < 4; count++) expect((await create()).status).toBe(200);
  expect(good.received).toHaveLength(4);
});

test.each([
  ['GET', read],
  ['POST', create],
])('a rejected connection is a 503 problem for %s that contains no address', async (_method, call) => {
  const url = await joinNoInstance();
  const { status, headers, body } = await call();
  expect(status).toBe(503);
  expect(headers['retry-after']).toBe('1');
  expect(JSON.parse(body)).toMatchObject({ code: 'unavailable', retryable: true });
  expect(body + JSON.stringify(headers)).not.toMatch(
    new RegExp(`127\\.0\\.0\\.1|ECONN|${new URL(url).port}`),
  );
});

test('an upstream over TLS with an untrusted certificate receives nothing', async () => {
  const received: string[] = [];
  const server = createTlsServer(SELF_SIGNED, (incoming, response) => {
    received.push(incoming.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(PAYMENT_BODY);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  started.push({ url, stop: async () => server.close() });
  await gateway.announce(url);
  expect((await read()).status).toBe(503);
  expect((await create()).status).toBe(503);
  expect(received).toEqual([]);
});

describe('a client that disconnects', () => {
  test.each(['GET', 'POST'])(
    'a client that disconnects cancels the %s in flight upstream',
    async (method) => {
      let upstreamClosed = false;
      const upstream = await joinUpstream((_request, response) => {
        response.on('close', () => {
          upstreamClosed = true;
        });
      });
      const caller = await openCaller();
      caller.write(
        `${method} /v1/payments${method === 'GET' ? '/pay_1' : ''} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`,
      );
      await eventually('payments got the request', () => upstream.received.length === 1);
      caller.destroy();
      await eventually('payments’ connection is closed', () => upstreamClosed, {
        timeoutMs: UPSTREAM_TIMEOUT_MS / 2,
      });
      expect(await (await fetch(`${gateway.opsUrl}/metrics`)).text()).toMatch(
        /tollgate_gateway_requests_total\{[^}]*status_class="aborted"[^}]*\} [1-9]/,
      );
    },
  );

  test('a client that disconnects or sends malformed HTTP after a request gets no 400 that looks like its response', async () => {
    let finish: () => void = () => undefined;
    const upstream = await joinUpstream((_request, response) => {
      finish = () => response.writeHead(200, { 'content-type': 'application/json' }).end(PAYMENT_BODY);
    });
    const caller = await openCaller();
    let received = '';
    caller.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    const closed = once(caller, 'close');
    caller.write(
      `POST /v1/payments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: 0\r\n\r\n`,
    );
    await eventually('payments got the request', () => upstream.received.length === 1);
    caller.write('nonsense\r\n\r\n');
    await closed;
    finish();
    expect(received).toBe('');
  });

  async function openCaller(): Promise<Socket> {
    const socket = connect(Number(new URL(gateway.urls.live).port), '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }
});

test('payments instances share the requests', async () => {
  const upstreams = [await joinUpstream(), await joinUpstream()];
  for (let count = 0; count < 10; count++) await read();
  expect(upstreams.map(({ received }) => received.length)).toEqual([5, 5]);
});

test('payments instances that announce draining get no new requests, and finish those in flight', async () => {
  let finish: () => void = () => undefined;
  const leaving = await joinUpstream((_request, response) => {
    finish = () => response.writeHead(200, { 'content-type': 'application/json' }).end(PAYMENT_BODY);
  });
  const inFlight = read();
  await eventually('the request is in flight', () => leaving.received.length === 1);
  const staying = await joinUpstream();
  await gateway.announce(leaving.url, { state: 'draining' });
  for (let count = 0; count < 4; count++) expect((await read()).status).toBe(200);
  expect(leaving.received).toHaveLength(1);
  expect(staying.received).toHaveLength(4);
  finish();
  expect((await inFlight).status).toBe(200);
});

test('payments instances are rejected without a valid signature', async () => {
  const impostor = await startUpstream();
  const announcement = {
    instance_id: 'impostor',
    url: impostor.url,
    state: 'serving' as const,
    sent_at: new Date(gateway.clock.now()).toISOString(),
  };
  const foreignKeys = parseKeyring(`1:${randomBytes(32).toString('base64')}`);
  publishText(gateway.bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, signAnnouncement(foreignKeys, announcement));
  const reason = 'INTERNAL_SIGNING_KEYS has another key in version 1';
  await eventually('the gateway ignored it', () => gateway.logged().includes(reason));
  expect((await read()).status).toBe(503);
  expect(impostor.received).toEqual([]);
  await impostor.stop();
});

test('payments instances with a wrong clock are rejected, and logged once with the instance and the reason', async () => {
  const announcement = {
    instance_id: 'off-clock',
    url: 'http://127.0.0.1:1',
    state: 'serving' as const,
    sent_at: new Date(gateway.clock.now() - 60_000).toISOString(),
  };
  const text = signAnnouncement(gateway.signingKeys, announcement);
  const unsigned = signAnnouncement(parseKeyring(`1:${randomBytes(32).toString('base64')}`), announcement);
  for (const said of [text, text, unsigned, text]) {
    publishText(gateway.bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, said);
  }
  const { url } = await joinUpstream();
  expect(url).not.toBe(announcement.url);
  expect(
    gateway.logged().match(/"instance_id":"off-clock","reason":"its clock is 60.0 s behind this one/g),
  ).toHaveLength(1);
});

test('two hundred concurrent requests each get one response', async () => {
  const upstream = await joinUpstream();
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, index) => (index % 2 ? read() : create())),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(200).fill(200));
  expect(upstream.received).toHaveLength(200);
  const ids = new Set(upstream.received.map(({ headers }) => headers['x-request-id']));
  expect(ids.size).toBe(200);
});

describe('the spans of a request', () => {
  let spans: RecordedSpan[];
  beforeEach(() => {
    spans = collectSpans();
  });
  afterEach(() => recordSpans(null));

  test('the spans of a request end once each, with the status', async () => {
    await joinUpstream();
    await read();
    await eventually('both end', () => spans.every(({ outcomes }) => outcomes.length > 0));
    const attributes = { 'http.response.status_code': 200 };
    expect(spans).toMatchObject([
      { component: 'gateway', kind: 'server', name: 'GET read_payment', outcomes: [{ attributes }] },
      { component: 'gateway', kind: 'client', name: 'payments read_payment', outcomes: [{ attributes }] },
    ]);
  });

  test('the spans of a request mark an invalid response of payments as a failure', async () => {
    await joinUpstream((_request, response) => response.writeHead(200).end('no JSON'));
    expect((await read()).status).toBe(502);
    await eventually('both end', () => spans.every(({ outcomes }) => outcomes.length > 0));
    expect(spans.map(({ outcomes }) => outcomes)).toMatchObject([
      [{ error: 'the response has the status 502' }],
      [{ attributes: { 'http.response.status_code': 200 }, error: { details: { code: 'upstream-error' } } }],
    ]);
  });

  test('the spans of a request do not include probes of a balancer', async () => {
    await request(`${gateway.urls.live}/readyz`).then(({ body }) => body.dump());
    expect(spans).toEqual([]);
  });
});

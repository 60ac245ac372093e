import { rawRequest, sendRaw } from '@tollgate/test-kit/raw-http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { openRaw } from './support/open-raw.ts';
import { respondWithPayment, startUpstream, type Upstream } from './support/upstream.ts';

let gateway: GatewayUnderTest;
let upstream: Upstream;
let key: string;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGatewayUnderTest(), startUpstream()]);
  key = await gateway.putKey('live', { application_id: await gateway.putApplication() });
  await gateway.settled();
  await gateway.announce(upstream.url);
});

beforeEach(() => upstream.behave(respondWithPayment));

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

async function send(line: string, headers: string[] = [], body = '') {
  const response = await sendRaw(
    gateway.urls.live,
    rawRequest(line, ['host: a', `authorization: Bearer ${key}`, ...headers], body),
  );
  if (!response) throw new Error('there was no response');
  const { code } = response.body.startsWith('{') ? JSON.parse(response.body) : { code: null };
  return { ...response, code: code as string | null };
}

describe('a request target with scheme and host', () => {
  test('a request target with scheme and host is the path in it, whatever the host (RFC 9112 §3.2.2)', async () => {
    expect((await send('GET http://other.example:8080/v1/payments/pay_1 HTTP/1.1')).status).toBe(200);
    expect(upstream.received.at(-1)).toMatchObject({ method: 'GET', path: '/v1/payments/pay_1' });
    expect((await send('GET http://other.example HTTP/1.1')).headers['location']).toMatch(/\/docs\/$/);
  });

  test.each([
    ['http://a/nothing', 'route-not-found'],
    ['http://a//v1/payments', 'route-not-found'],
    ['http://user@a/v1/payments', 'malformed-request'],
    ['ftp://a/v1/payments', 'malformed-request'],
    ['http:///v1/payments', 'malformed-request'],
  ])('%s is %s', async (target, code) => {
    expect(await send(`GET ${target} HTTP/1.1`)).toMatchObject({ code });
  });
});

describe('a transfer coding', () => {
  const CHUNKED_BODY = '2\r\n{}\r\n0\r\n\r\n';

  test.each(['chunked', 'Chunked'])('"%s" is read', async (coding) => {
    const answer = await send(
      'POST /v1/payments/pay_1/cancel HTTP/1.1',
      [`transfer-encoding: ${coding}`, 'content-type: application/json'],
      CHUNKED_BODY,
    );
    expect(answer.status).toBe(200);
  });

  test.each(['gzip, chunked', 'identity, chunked'])(
    '"%s" is rejected with 501, and the connection is closed',
    async (coding) => {
      const { length } = upstream.received;
      const answer = await send('POST /v1/payments HTTP/1.1', [`transfer-encoding: ${coding}`], CHUNKED_BODY);
      expect(answer).toMatchObject({ status: 501, code: 'unsupported-transfer-encoding' });
      expect(answer.headers['connection']).toBe('close');
      expect(upstream.received).toHaveLength(length);
    },
  );

  test('a transfer coding of HTTP/1.0 is rejected, and the connection is closed (RFC 9112 §6.1)', async () => {
    const answer = await send(
      'POST /v1/payments HTTP/1.0',
      ['transfer-encoding: chunked', 'connection: keep-alive'],
      CHUNKED_BODY,
    );
    expect(answer).toMatchObject({ status: 400, code: 'malformed-request' });
    expect(answer.headers['connection']).toBe('close');
  });
});

describe('Expect: 100-continue', () => {
  const HEADERS = ['host: a', 'expect: 100-continue', 'content-type: application/json', 'content-length: 2'];

  test('a request without a key gets its rejection, and is not asked for its body', async () => {
    const connection = openRaw(gateway.urls.live);
    connection.write(rawRequest('POST /v1/payments HTTP/1.1', HEADERS));
    await connection.closed;
    expect(connection.received()).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('a request with a key is asked for its body', async () => {
    const connection = openRaw(gateway.urls.live);
    const headers = [...HEADERS, `authorization: Bearer ${key}`, 'connection: close'];
    connection.write(rawRequest('POST /v1/payments/pay_1/cancel HTTP/1.1', headers));
    await connection.until('HTTP/1.1 100 Continue\r\n\r\n');
    connection.write('{}');
    await connection.closed;
    expect(connection.received()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });
});

test.each([
  ['GET /v1/payments/pay_1', { 'if-none-match': '"1"' }],
  ['POST /v1/payments/pay_1/cancel', { 'if-match': '"1"' }],
  ['POST /v1/payments', {}],
])('a precondition of %s is passed on if the operation has one: %j', async (line, passed) => {
  await send(`${line} HTTP/1.1`, ['if-match: "1"', 'if-none-match: "1"', 'content-length: 0']);
  const headers = upstream.received.at(-1)?.headers ?? {};
  const tags = Object.entries(headers).filter(([name]) => name.startsWith('if-'));
  expect(Object.fromEntries(tags)).toEqual(passed);
});

import { connect } from 'node:net';
import { setLimits } from '@tollgate/contracts/rpc/applications';
import { type Platform, startPlatform, type TestApplication } from '@tollgate/test-kit/platform';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../api-client.ts';
import { report } from '../report.ts';

const REQUESTS = 20_000;
const CONCURRENCY = 32;
/** A request whose body never ends as announced is waited for; longer than this is no use here. */
const PATIENCE_MS = 1_000;

/** What no answer may show: code, files, hosts, products, drivers, stacks, keys. */
const INTERNALS =
  /node_modules|\.(ts|js):\d|\bat [\w.<>]+ \(|127\.0\.0\.1|mongo|nats|undici|fastify|stack|tg_(live|sandbox)_/i;
/** Names of system errors, such as ECONNREFUSED. */
const SYSTEM_ERROR = /\bE[A-Z]{4,}\b/;

let platform: Platform;
let application: TestApplication;

beforeAll(async () => {
  platform = await startPlatform();
  application = await platform.createApplication();
  const limit = { requests_per_second: 100_000, burst: 200_000 };
  await platform.call(setLimits, { application_id: application.id, limits: { live: limit, sandbox: limit } });
});
afterAll(() => platform.stop());

interface RawRequest {
  method: string;
  target: string;
  headers: [string, string][];
  body: Uint8Array;
}

const create = { method: 'POST', target: '/v1/payments', headers: [] as [string, string][] };
const bytes = (text: string) => Buffer.from(text);
const payload = { amount: 1999, currency: 'EUR', payer: { name: 'Ada' }, metadata: { a: 'b' } };

const wrongTypes = fc
  .record(
    Object.fromEntries(
      ['amount', 'currency', 'purpose', 'reference', 'payer', 'payee', 'payment_method', 'metadata'].map(
        (name) => [
          name,
          fc.oneof(fc.jsonValue(), fc.constantFrom(1e308, -0, 1e21, '1', true, [], {}, '\u0000', '\ud800')),
        ],
      ),
    ),
    { requiredKeys: [] },
  )
  .map((body) => bytes(JSON.stringify(body)));

const hugeNumbers = fc
  .constantFrom(
    '1e999',
    '-1e999',
    '9'.repeat(400),
    '0.1e-400',
    '1E+',
    '0x10',
    '01',
    'NaN',
    'Infinity',
    '1_000',
  )
  .map((number) => bytes(`{"amount":${number},"currency":"EUR"}`));

const deepNesting = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.integer({ min: 50, max: 20_000 }))
  .map(([open, depth]) => bytes(`{"metadata":${open.repeat(depth)}`));

const mutatedJson = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 5 }),
    fc.nat(100),
  )
  .map(([changes, cut]) => {
    const body = bytes(JSON.stringify(payload));
    for (const [position, value] of changes) body[position % body.length] = value;
    return body.subarray(0, body.length - (cut % body.length));
  });

const dangerousNames = fc
  .constantFrom('__proto__', 'constructor', 'toString', '$where', '$gt', 'a.b', '', '\u0000', 'amount')
  .map((name) => bytes(`{"amount":1,"currency":"EUR",${JSON.stringify(name)}:{"$gt":""}}`));

const bodies = fc
  .oneof(wrongTypes, hugeNumbers, deepNesting, mutatedJson, dangerousNames, fc.uint8Array({ maxLength: 200 }))
  .map((body): RawRequest => ({ ...create, body }));

const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const oddHeaders = fc
  .array(
    fc.oneof(
      fc.tuple(
        fc.constantFrom('Idempotency-Key', 'Content-Type', 'Accept', 'If-None-Match', 'traceparent'),
        headerText,
      ),
      fc.tuple(
        fc.constantFrom('Authorization', 'X-Forwarded-For', 'X-Tollgate-Principal', 'Expect'),
        headerText,
      ),
      fc.constantFrom<[string, string][]>(
        ['Content-Length', '-1'],
        ['Content-Length', '99999999999999999999'],
        ['Transfer-Encoding', 'chunked'],
        ['Transfer-Encoding', 'gzip, chunked'],
        ['Content-Encoding', 'gzip'],
        ['Idempotency-Key', '""'],
        ['Idempotency-Key', 'a\tb'],
        ['X-Padding', 'x'.repeat(20_000)],
        ['Connection', 'Upgrade'],
        ['Upgrade', 'h2c'],
        ['Host', ''],
      ),
      fc.tuple(headerText, headerText),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((headers): RawRequest => ({ ...create, headers, body: bytes(JSON.stringify(payload)) }));

const segment = fc.constantFrom(
  ...[
    '..',
    '.',
    '%2e%2e',
    '%2F',
    '%5c',
    ';',
    ';v=1',
    '\\',
    '',
    '%00',
    '%ff',
    '%',
    '%zz',
    'v1',
    'V1',
    'payments',
  ],
  ...[
    'cancel',
    'pay_00000000000000000000000000',
    '?',
    '#',
    '?a=b',
    '?a[$gt]=',
    '@host',
    'http://host',
    '*',
    'é',
    '~',
  ],
);
const pathTricks = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'HEAD'),
    fc.array(segment, { maxLength: 7 }),
    fc.constantFrom('/', '', '//'),
  )
  .map(
    ([method, segments, start]): RawRequest => ({
      method,
      target: start + segments.join('/'),
      headers: [],
      body: method === 'POST' ? bytes('{}') : Buffer.alloc(0),
    }),
  );

const oddMethods = fc
  .tuple(
    fc.constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI', 'FOO', 'get', ''),
    fc.constantFrom('/v1/payments', '/v1/payments/x', '/v1/payments/x/cancel', '/', '*', 'host:443'),
  )
  .map(([method, target]): RawRequest => ({ method, target, headers: [], body: Buffer.alloc(0) }));

const requests = fc.oneof(
  { weight: 5, arbitrary: bodies },
  { weight: 2, arbitrary: oddHeaders },
  { weight: 2, arbitrary: pathTricks },
  { weight: 1, arbitrary: oddMethods },
);

function encode(request: RawRequest, credential: string): Buffer {
  const given = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const defaults: [string, string][] = [
    ['Host', 'localhost'],
    ['Authorization', `Bearer ${credential}`],
    ['Content-Type', 'application/json'],
    ['Connection', 'close'],
    ['Content-Length', String(request.body.length)],
  ];
  const headers = [...defaults.filter(([name]) => !given.has(name.toLowerCase())), ...request.headers];
  const head = [
    `${request.method} ${request.target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), request.body]);
}

/** The whole answer as text; empty when the connection was closed, or kept waiting for more, without one. */
function exchange(port: number, request: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses a request may close while we still send it.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(answer));
  });
}

describe(`${REQUESTS} malformed requests`, () => {
  it('give no 5xx, no crash and nothing internal', async () => {
    const seed = Date.now();
    const port = Number(new URL(platform.baseUrl.sandbox).port);
    const pids = platform.pids();
    const queue = fc.sample(requests, { numRuns: REQUESTS, seed });
    const statuses = new Map<string, number>();
    const wrong: string[] = [];

    async function work() {
      for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
        const sent = encode(request, application.keys.sandbox);
        const answer = await exchange(port, sent);
        const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'no answer';
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // A request id is random text and can spell anything.
        const words = answer.replaceAll(/req_\w+/g, '');
        const showsInternals = INTERNALS.test(words) || SYSTEM_ERROR.test(words);
        if (status.startsWith('5') || (!status.startsWith('2') && showsInternals)) {
          wrong.push(`${sent.subarray(0, 400).toString('latin1')}\n→ ${answer}`);
        }
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work));

    report(`answers by status ${JSON.stringify(Object.fromEntries([...statuses].sort()))}, seed ${seed}`);
    expect(wrong.slice(0, 3), `seed ${seed}, ${wrong.length} wrong answers`).toEqual([]);
    expect(statuses.get('400') ?? 0).toBeGreaterThan(REQUESTS / 4);
    expect(statuses.get('no answer') ?? 0).toBeLessThan(REQUESTS / 100);
    expect(platform.pids()).toEqual(pids);
    const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
    expect((await api.create()).status).toBe(201);
  }, 180_000);
});

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { malformedRequest } from './support/malformed-request.ts';
import { type RawAnswer, sendRaw } from './support/raw-http.ts';
import { startUpstream, type Upstream } from './support/upstream.ts';

/** `npm run test:long` asks for more. */
const COUNT = Number(process.env['MALFORMED_REQUESTS'] ?? 2_000);
/** A failing run prints its seed; with it, the run is the same again. */
const SEED = Number(process.env['FAST_CHECK_SEED'] ?? Date.now() % 2 ** 31);
const CONCURRENCY = 50;
const TIMEOUT_MS = 30_000 + COUNT * 20;
/** A request that looks unfinished is waited for by the gateway; the test waits no longer than this. */
const PATIENCE_MS = 250;

let gateway: GatewayUnderTest;
let upstream: Upstream;
let key: string;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGatewayUnderTest(), startUpstream()]);
  const limit = { requests_per_second: 100_000, burst: 200_000 };
  key = await gateway.putKey('live', {
    application_id: await gateway.putApplication({ limits: { live: limit, sandbox: limit } }),
  });
  await gateway.settled();
  await gateway.announce(upstream.url);
});

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

/** What would tell of the inside: stack traces, file names, modules, errors of Node and of the libraries. */
const INTERNALS =
  /node_modules|\bat .+:\d+:\d+|\.ts\b|file:\/\/|ECONN|UND_ERR|FST_ERR|HPE_|ERR_[A-Z]|fastify|undici|TypeError|x-powered-by/i;

function faultsOf(answer: RawAnswer | null): string[] {
  if (!answer) return [];
  const faults: string[] = [];
  const { status, headers, body } = answer;
  // The docs are public, and show times that look like places in a file.
  const text = JSON.stringify(headers) + (status >= 400 ? body : '');
  if (status >= 500) faults.push(`status ${status}`);
  if (!(status >= 200)) faults.push('no valid status');
  if (INTERNALS.test(text)) faults.push('internals');
  if (text.includes(new URL(upstream.url).port)) faults.push('the address of payments');
  if (!/^req_/.test(headers['x-request-id'] ?? '')) faults.push('no request id');
  if (status >= 400 && headers['content-type'] !== 'application/problem+json') faults.push('no problem');
  return faults;
}

test(`${COUNT} malformed requests give no 5xx, no crash, and tell nothing of the inside`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const requests = fc.sample(malformedRequest(key), { numRuns: COUNT, seed: SEED });
  const faulty: { request: string; answer: RawAnswer | null; faults: string[] }[] = [];
  const counts: Record<string, number> = {};
  let next = 0;

  async function sendSome(): Promise<void> {
    for (let index = next++; index < requests.length; index = next++) {
      const text = requests[index] as string;
      const answer = await sendRaw(gateway.urls.live, text, {
        patienceMs: PATIENCE_MS,
        head: text.startsWith('HEAD '),
      });
      const status = String(answer?.status ?? 'none');
      counts[status] = (counts[status] ?? 0) + 1;
      const faults = faultsOf(answer);
      if (faults.length > 0) faulty.push({ request: text.slice(0, 600), answer, faults });
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendSome));
  process.stdout.write(`FAST_CHECK_SEED=${SEED}; answers by status: ${JSON.stringify(counts)}\n`);

  expect(faulty.slice(0, 3)).toEqual([]);
  expect(gateway.logged()).not.toContain('"level":"error"');
  // The generator must keep reaching every layer: the parser, the rules of the edge, and payments behind them.
  for (const status of ['200', '400', '401', '404', '405', '415']) {
    expect(counts[status] ?? 0, `answers with ${status}`).toBeGreaterThan(COUNT / 200);
  }
  const after = await fetch(`${gateway.urls.live}/v1/payments/pay_1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(after.status).toBe(200);
});

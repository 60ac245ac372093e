import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consume } from '@tollgate/bus/consumer';
import { newId } from '@tollgate/contracts/platform/ids';
import { confirmWindows } from '@tollgate/contracts/usage/rpc';
import { type UsageOutcome, UsageWindow, usageWindowId } from '@tollgate/contracts/usage/usage';
import { createLogger } from '@tollgate/runtime/logger';
import { createMessageVerifier } from '@tollgate/security/message-verifier';
import { parseSignerPublicKeys } from '@tollgate/security/signing-keys';
import { eventually } from '@tollgate/test-kit/eventually';
import Value from 'typebox/value';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readGatewayConfig } from '../src/config.ts';
import { startGateway } from '../src/start-gateway.ts';
import { openUsageSpool } from '../src/usage/usage-spool.ts';
import { createWindowCounts } from '../src/usage/window-counts.ts';
import { firstLineOf, linesOf } from '../src/usage/window-file.ts';
import {
  type GatewayUnderTest,
  PUBLISHED_URLS,
  startGatewayUnderTest,
} from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';
import { PAYMENT_BODY, respondWithPayment, startUpstream, type Upstream } from './support/upstream.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

let gateway: GatewayUnderTest;
let services: Services;
let upstream: Upstream;
let consumer: { stop(): Promise<void> };
const messages: UsageWindow[] = [];
/** Windows that the stand-in of the usage service reports as stored. */
let stored = new Set<string>();
let applicationId: string;
let key: string;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ usageWindowMs: 100 });
  services = await startServices(gateway.bus);
  upstream = await startUpstream();
  await gateway.announce(upstream.url);
  consumer = consume(gateway.bus, {
    stream: 'USAGE',
    durable: 'test',
    logger,
    schema: UsageWindow,
    verify: createMessageVerifier('usage_window', {
      findPublicKey: parseSignerPublicKeys(gateway.issuerKeys.publicKeys),
      countUnverified: () => undefined,
    }),
    handle: async ({ body }) => void messages.push(body),
  });
  await services.serve(confirmWindows, ({ gateway_id, numbers }) => ({
    stored: numbers.filter((number) => stored.has(usageWindowId({ gateway_id, number }))),
  }));
});
afterAll(async () => {
  await consumer.stop();
  await services.stop();
  await gateway.stop();
  await upstream.stop();
});

beforeEach(async () => {
  upstream.behave(respondWithPayment);
  applicationId = await gateway.putApplication();
  key = await gateway.putKey('sandbox', { application_id: applicationId });
  await gateway.settled();
});

const answer =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    upstream.behave((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(PAYMENT_BODY);
    });

const changedAt = () => ({ 'x-tollgate-changed-at': new Date(gateway.clock.now()).toISOString() });

function send(method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}) {
  return fetch(gateway.urls.sandbox + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: '{"amount":1,"currency":"EUR"}' }),
  });
}

const rows = () =>
  messages.flatMap((window) => window.rows).filter((row) => row.application_id === applicationId);
const questions = () =>
  messages
    .flatMap((window) => window.open_questions)
    .filter((question) => question.application_id === applicationId);

async function countedOnce(): Promise<{ operation: string; outcome: UsageOutcome; requests: number }[]> {
  await eventually('the window arrives', () => rows().length > 0);
  return rows().map(({ operation, outcome, requests }) => ({ operation, outcome, requests }));
}

test('a request is counted once, by outcome as succeeded when it changed a payment', async () => {
  answer(201, changedAt())();
  const response = await send('POST', '/v1/payments');
  expect(response.status).toBe(201);
  // This header is internal.
  expect(response.headers.get('x-tollgate-changed-at')).toBeNull();
  expect(await countedOnce()).toEqual([{ operation: 'create_payment', outcome: 'succeeded', requests: 1 }]);
  expect(questions()).toEqual([]);
});

test('a rejected request is logged with the place of each error and a digest of its idempotency key, without values', async () => {
  upstream.behave((_request, response) => {
    const errors = [{ pointer: '/amount', code: 'invalid', detail: 'secret' }];
    response
      .writeHead(400, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ code: 'invalid-request', status: 400, detail: 'secret', errors }));
  });
  const responses = [
    await send('POST', '/v1/payments', { 'idempotency-key': 'order-1042' }),
    await send('POST', '/v1/payments?order=secret', { 'idempotency-key': '"order-1042"' }),
  ];
  const logged = () =>
    responses.flatMap(({ headers }) =>
      messages.flatMap(({ log: { lines, errors } }) => {
        const line = lines.findIndex((text) => text.includes(headers.get('x-request-id') as string));
        return line === -1
          ? []
          : { line: lines[line] as string, errors: errors?.find((entry) => entry.line === line)?.errors };
      }),
    );
  await eventually('both are logged', () => logged().length === 2);
  expect(logged().map(({ errors }) => errors)).toEqual([
    [{ pointer: '/amount', code: 'invalid' }],
    [{ parameter: 'order', code: 'unknown' }],
  ]);
  const digests = logged().map(({ line }) => line.split(' ').at(-1));
  expect(digests).toEqual([digests[0], digests[0]]);
  expect(digests[0]).toMatch(/^sha256:[0-9a-f]{32}$/);
  expect(JSON.stringify(messages)).not.toMatch(/order-1042|secret/);
});

test('a request is counted once, by outcome as replayed when the payment was already changed', async () => {
  answer(200)();
  await send('POST', '/v1/payments/pay_1/cancel');
  expect(await countedOnce()).toEqual([{ operation: 'cancel_payment', outcome: 'replayed', requests: 1 }]);
});

test('a request is counted once, by outcome as succeeded when it reads', async () => {
  answer(200)();
  await send('GET', '/v1/payments/pay_1');
  expect(await countedOnce()).toEqual([{ operation: 'read_payment', outcome: 'succeeded', requests: 1 }]);
});

test('a request is counted once, by outcome as client_error when the gateway rejects it', async () => {
  await send('POST', '/v1/payments', { 'content-type': 'text/plain' });
  expect(await countedOnce()).toEqual([
    { operation: 'create_payment', outcome: 'client_error', requests: 1 },
  ]);
});

test('a request is counted once, by outcome as rate_limited when it exceeds the limit', async () => {
  const limits = { requests_per_second: 1, burst: 1 };
  applicationId = await gateway.putApplication({ limits: { live: limits, sandbox: limits } });
  key = await gateway.putKey('sandbox', { application_id: applicationId });
  await gateway.settled();
  answer(200)();
  const statuses = [await send('GET', '/v1/payments/a'), await send('GET', '/v1/payments/a')];
  expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
  await eventually('both are counted', () => rows().length === 2);
  expect(
    rows()
      .map(({ outcome }) => outcome)
      .sort(),
  ).toEqual(['rate_limited', 'succeeded']);
});

test('a request is counted once, by outcome as server_error when it failed, with its id for reconciliation', async () => {
  answer(500)();
  const response = await send('POST', '/v1/payments');
  expect(await countedOnce()).toEqual([
    { operation: 'create_payment', outcome: 'server_error', requests: 1 },
  ]);
  expect(questions()).toMatchObject([
    { reason: 'server_error', request_id: response.headers.get('x-request-id') },
  ]);
});

test('a request is counted once, by outcome as aborted when its client disconnected, with its id', async () => {
  let arrived = false;
  upstream.behave(() => {
    arrived = true;
  });
  const leaving = new AbortController();
  const left = fetch(`${gateway.urls.sandbox}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
    signal: leaving.signal,
  }).catch(() => 'left');
  await eventually('it is in flight', () => arrived);
  leaving.abort();
  expect(await left).toBe('left');
  expect(await countedOnce()).toEqual([{ operation: 'create_payment', outcome: 'aborted', requests: 1 }]);
  expect(questions()).toMatchObject([{ reason: 'aborted' }]);
});

test('a request is counted once, by outcome as succeeded when it changed a payment on the day before, with its id', async () => {
  answer(201, { 'x-tollgate-changed-at': new Date(gateway.clock.now() - 86_400_000).toISOString() })();
  await send('POST', '/v1/payments');
  expect(await countedOnce()).toEqual([{ operation: 'create_payment', outcome: 'succeeded', requests: 1 }]);
  expect(questions()).toMatchObject([{ reason: 'other_day' }]);
});

test('a request is counted once, by outcome unless its key belongs to the other environment', async () => {
  const liveKey = await gateway.putKey('live', { application_id: applicationId });
  await gateway.settled();
  const rejected = await send('GET', '/v1/payments/pay_1', { authorization: `Bearer ${liveKey}` });
  expect(rejected.status).toBe(401);
  answer(200)();
  await send('GET', '/v1/payments/pay_1');
  expect(await countedOnce()).toEqual([{ operation: 'read_payment', outcome: 'succeeded', requests: 1 }]);
});

test('a window matches its contract and contains the durations of its requests', async () => {
  answer(200)();
  await Promise.all(Array.from({ length: 20 }, () => send('GET', '/v1/payments/pay_1')));
  await eventually('all are counted', () => rows().reduce((sum, { requests }) => sum + requests, 0) === 20);
  for (const window of messages) expect(Value.Errors(UsageWindow, window)).toEqual([]);
  for (const { requests, latency } of rows()) {
    expect(latency.reduce((sum, [, count]) => sum + count, 0)).toBe(requests);
  }
});

test('a window that the usage service has not confirmed is published again, unchanged, by the next gateway on the folder until it is confirmed', async () => {
  const spoolDir = await mkdtemp(join(tmpdir(), 'tollgate-gateway-usage-'));
  const config = readGatewayConfig({
    NATS_URL: gateway.infra.natsUrl,
    API_KEY_PEPPERS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
    INTERNAL_SIGNING_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
    SIGNING_KEYS: gateway.issuerKeys.privateKeys.gateway,
    SIGNER_PUBLIC_KEYS: gateway.issuerKeys.publicKeys,
    LIVE_PORT: '0',
    SANDBOX_PORT: '0',
    ADMIN_PORT: '0',
    ...PUBLISHED_URLS,
    USAGE_SPOOL_DIR: spoolDir,
  });
  const spool = openUsageSpool(spoolDir);
  const caller = {
    team_id: newId('team'),
    application_id: applicationId,
    key_id: newId('apiKey'),
    environment: 'live',
  } as const;
  const added = createWindowCounts().add({
    caller,
    operation: 'read_payment',
    outcome: 'succeeded',
    durationUs: 900,
    id: newId('request'),
    status: 200,
    code: null,
    address: '192.0.2.1',
    paymentId: newId('payment'),
    idempotencyKey: null,
    errors: [],
    question: null,
  });
  spool.openNext().append(firstLineOf(new Date(gateway.clock.now())) + linesOf(caller, added));
  const name = usageWindowId({ gateway_id: spool.gatewayId, number: 1 });
  spool.release();

  const published = () => messages.filter((window) => usageWindowId(window) === name);
  const one = await startGateway(config, { logger, clock: gateway.clock });
  await eventually('it is published', () => published().length === 1);
  await one.stop();
  stored = new Set([name]);
  const other = await startGateway(config, { logger, clock: gateway.clock });
  const waiting = async () =>
    (await (await fetch(`${other.opsUrl}/metrics`)).text()).match(
      /usage_windows_waiting(?:\{[^}]*\})? (\d+)/,
    )?.[1];
  await eventually('it is confirmed', async () => (await waiting()) === '0');
  await other.stop();
  expect(new Set(published().map((window) => JSON.stringify(window))).size).toBe(1);
  expect(published()[0]?.rows).toEqual([
    {
      ...caller,
      operation: 'read_payment',
      outcome: 'succeeded',
      requests: 1,
      latency: [[expect.any(Number), 1]],
    },
  ]);
  await rm(spoolDir, { recursive: true });
});

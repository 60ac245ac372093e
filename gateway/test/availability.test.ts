import { rmSync } from 'node:fs';
import { openBucket } from '@tollgate/bus/kv';
import {
  COMPLETE_ENTRY_KEY,
  keyEntryKey,
  PRINCIPALS_BUCKET,
} from '@tollgate/contracts/applications/principal';
import { createLogger } from '@tollgate/runtime/logger';
import { parseApiKey } from '@tollgate/security/api-key';
import { eventually } from '@tollgate/test-kit/eventually';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readGatewayConfig } from '../src/config.ts';
import { MAX_PENDING_PER_INSTANCE } from '../src/payments-instances/payments-pool.ts';
import { startGateway } from '../src/start-gateway.ts';
import {
  type GatewayUnderTest,
  PUBLISHED_URLS,
  startGatewayUnderTest,
} from './support/gateway-under-test.ts';
import { writeSite } from './support/site-folder.ts';
import { PAYMENT_BODY, respondWithPayment, startUpstream, type Upstream } from './support/upstream.ts';

const MAX_STALENESS_MS = 15 * 60 * 1000;

let gateway: GatewayUnderTest;
let upstream: Upstream;
let stopped: boolean;

beforeEach(async () => {
  stopped = false;
  [gateway, upstream] = await Promise.all([startGatewayUnderTest(), startUpstream()]);
});

afterEach(async () => {
  if (!stopped) await gateway.stop();
  await upstream.stop();
});

async function read(credential: string) {
  const response = await request(`${gateway.urls.live}/v1/payments/pay_1`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  const body = (await response.body.json()) as { code?: string };
  return { status: response.statusCode, code: body.code, headers: response.headers };
}

async function isReady(): Promise<boolean> {
  return (await fetch(`${gateway.opsUrl}/readyz`)).status === 200;
}

describe('without NATS', () => {
  test('known keys and instances work until the keys are too old', async () => {
    const credential = await gateway.putKey('live', { application_id: await gateway.putApplication() });
    await gateway.settled();
    await gateway.announce(upstream.url);
    expect((await read(credential)).status).toBe(200);
    await gateway.infra.nats.kill();

    gateway.clock.advance(MAX_STALENESS_MS - 1_000);
    expect((await read(credential)).status).toBe(200);
    expect(await isReady()).toBe(true);

    gateway.clock.advance(60_000);
    expect(await read(credential)).toMatchObject({
      status: 503,
      code: 'unavailable',
      headers: { 'retry-after': '5' },
    });
    expect(await isReady()).toBe(false);

    await gateway.infra.nats.start();
    await eventually('the gateway is ready again', isReady);
    expect((await read(credential)).status).toBe(200);
  });
});

describe('with a short PRINCIPALS_MAX_STALENESS', () => {
  test('keys are confirmed before they are too old', async () => {
    const strict = await startGatewayUnderTest({ env: { PRINCIPALS_MAX_STALENESS: '8s' } });
    try {
      await strict.putApplication();
      await strict.settled();
      strict.clock.advance(8_001);
      const isConfirmed = async () =>
        !(await (await fetch(`${strict.opsUrl}/readyz`)).text()).includes('too long');
      await eventually('NATS has confirmed the keys', isConfirmed, { timeoutMs: 8_000 });
    } finally {
      await strict.stop();
    }
  });
});

describe('after NATS lost its store while a key was revoked', () => {
  test('the key is rejected after the bucket is created again, and other keys work meanwhile', async () => {
    const applicationId = await gateway.putApplication();
    const credential = await gateway.putKey('live', { application_id: applicationId });
    await gateway.settled();
    await gateway.announce(upstream.url);
    expect((await read(credential)).status).toBe(200);
    const entryKey = keyEntryKey(parseApiKey(credential)?.lookupId ?? '');
    const entry = await gateway.bucket.get(entryKey);
    const other = await gateway.putKey('live', { application_id: applicationId });
    await gateway.settled();

    await gateway.infra.nats.kill();
    await gateway.infra.nats.deleteStore();
    await gateway.infra.nats.start();
    await eventually('the test is connected again', () => gateway.bus.isConnected());
    const remade = await openBucket(gateway.bus, PRINCIPALS_BUCKET, { create: true });
    const revoked = { ...(entry?.value as object), version: 2, status: 'revoked' };
    await remade.create(entryKey, gateway.signEntry(entryKey, revoked));

    await eventually('the key is rejected', async () => (await read(credential)).status === 401);
    // The new bucket does not contain the other key and their application yet.
    expect((await read(other)).status).toBe(200);
    await remade.create(COMPLETE_ENTRY_KEY, true);
    await eventually(
      'what the complete bucket lacks is gone',
      async () => (await read(other)).status === 401,
    );
  });
});

test('payments at capacity receives no more requests: they are rejected immediately, and those in flight complete', async () => {
  const credential = await gateway.putKey('live', { application_id: await gateway.putApplication() });
  await gateway.settled();
  await gateway.announce(upstream.url);
  const further = 20;
  const held: (() => void)[] = [];
  let isHolding = true;
  upstream.behave((...exchange) => {
    if (isHolding) held.push(() => respondWithPayment(...exchange));
    else respondWithPayment(...exchange);
  });
  const callers = new Agent({ connections: null });
  const rejected: string[] = [];
  const responses = Array.from({ length: MAX_PENDING_PER_INSTANCE + further }, async () => {
    const { statusCode, body } = await request(`${gateway.urls.live}/v1/payments/pay_1`, {
      headers: { authorization: `Bearer ${credential}` },
      dispatcher: callers,
    });
    const text = await body.text();
    if (statusCode === 503) rejected.push(text);
    return statusCode;
  });
  await eventually('what is too much is rejected', () => rejected.length === further);
  isHolding = false;
  for (const answer of held) answer();
  const statuses = await Promise.all(responses);
  expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_PENDING_PER_INSTANCE);
  expect(rejected[0]).toContain('at capacity');
  await callers.close();
});

describe('before the keys are loaded', () => {
  test('every request gets a 503, and the gateway is not ready', async () => {
    const site = writeSite({ 'index.html': '<h1>Home</h1>' });
    onTestFinished(() => rmSync(site, { recursive: true }));
    const key = `1:${Buffer.alloc(32, 1).toString('base64')}`;
    const alone = await startGateway(
      readGatewayConfig({
        NATS_URL: 'nats://127.0.0.1:1',
        API_KEY_PEPPERS: key,
        INTERNAL_SIGNING_KEYS: key,
        SIGNING_KEYS: gateway.issuerKeys.privateKeys.gateway,
        SIGNER_PUBLIC_KEYS: gateway.issuerKeys.publicKeys,
        LIVE_PORT: '0',
        SANDBOX_PORT: '0',
        ADMIN_PORT: '0',
        ...PUBLISHED_URLS,
        USAGE_SPOOL_DIR: gateway.usageSpoolDir,
        DOCS_DIR: site,
      }),
      { logger: createLogger({ service: 'test', level: 'silent' }), clock: gateway.clock },
    );
    const response = await fetch(`${alone.liveUrl}/v1/payments/pay_1`, {
      headers: { authorization: 'Bearer x' },
    });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
    const readiness = await fetch(`${alone.opsUrl}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toMatchObject({
      reasons: ['API keys are not loaded yet', 'no payments instance has announced itself yet'],
    });
    expect((await fetch(`${alone.opsUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${alone.liveUrl}/docs`)).status).toBe(200);
    await alone.stop();
  });
});

test('the metrics count requests by operation and status class, failures of payments by reason, and instances', async () => {
  const credential = await gateway.putKey('live', { application_id: await gateway.putApplication() });
  await gateway.settled();
  await gateway.announce(upstream.url);
  await read(credential);
  upstream.behave((_request, response) => response.writeHead(500).end());
  await read(credential);
  const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
  const sampleOf = (name: string, ...labels: string[]) =>
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
      ?.split(' ')[1];
  const labels = ['listener="live"', 'operation="read_payment"'];
  expect(sampleOf('tollgate_gateway_requests_total', ...labels, 'status_class="2xx"')).toBe('1');
  expect(
    Number(sampleOf('tollgate_gateway_requests_total', ...labels, 'status_class="5xx"')),
  ).toBeGreaterThan(0);
  expect(Number(sampleOf('tollgate_gateway_request_duration_seconds_count', ...labels))).toBeGreaterThan(1);
  expect(sampleOf('tollgate_gateway_upstream_failures_total', 'reason="invalid-response"')).toBe('1');
  expect(sampleOf('tollgate_gateway_payments_instances')).toBe('1');
});

test('a graceful stop finishes the request in flight and accepts no new connection', async () => {
  const credential = await gateway.putKey('live', { application_id: await gateway.putApplication() });
  await gateway.settled();
  await gateway.announce(upstream.url);
  let finish: () => void = () => undefined;
  upstream.behave((_request, response) => {
    finish = () => response.writeHead(200, { 'content-type': 'application/json' }).end(PAYMENT_BODY);
  });
  const inFlight = read(credential);
  await eventually('the request is in flight', () => upstream.received.length === 1);

  const stopping = gateway.stop();
  stopped = true;
  await eventually('no new connection is taken', async () =>
    fetch(gateway.urls.live).then(
      () => false,
      () => true,
    ),
  );
  finish();
  expect((await inFlight).status).toBe(200);
  await stopping;
});

import { applicationEntryKey } from '@tollgate/contracts/applications/principal';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { eventually } from '@tollgate/test-kit/eventually';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { startUpstream, type Upstream } from './support/upstream.ts';

const LIVE_ONLY = { live: true, sandbox: false };
const PAYMENT = '{"amount":100,"currency":"EUR"}';

let gateway: GatewayUnderTest;
let upstream: Upstream;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGatewayUnderTest(), startUpstream()]);
  await gateway.announce(upstream.url);
});

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

async function send(
  environment: Environment,
  credential: string,
  { path = '', headers = {}, body = PAYMENT }: { path?: string; headers?: object; body?: string } = {},
) {
  const response = await request(`${gateway.urls[environment]}/v1/payments${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json', ...headers },
    body,
  });
  const problem = (await response.body.json()) as { code?: string; errors?: object[] };
  return {
    status: response.statusCode,
    code: problem.code,
    errors: problem.errors,
    headers: response.headers,
  };
}

async function keyFor(environment: Environment, entry: Parameters<GatewayUnderTest['putApplication']>[0]) {
  const credential = await gateway.putKey(environment, {
    application_id: await gateway.putApplication(entry),
  });
  await gateway.settled();
  return credential;
}

describe('an application that requires idempotency keys in live', () => {
  let live: string;
  beforeAll(async () => {
    live = await keyFor('live', { require_idempotency_key: LIVE_ONLY });
  });

  test('an application that requires idempotency keys in live cannot create a live payment without one', async () => {
    const before = upstream.received.length;
    expect(await send('live', live)).toMatchObject({
      status: 400,
      code: 'idempotency-key-required',
      errors: [{ header: 'Idempotency-Key', code: 'missing' }],
      headers: { 'x-should-retry': 'false', ratelimit: expect.any(String) },
    });
    expect(upstream.received).toHaveLength(before);
  });

  test('an application that requires idempotency keys in live learns that before its body is read', async () => {
    const response = await send('live', live, { headers: { 'content-type': 'text/plain' }, body: '{' });
    expect(response.code).toBe('idempotency-key-required');
  });

  test('an application that requires idempotency keys in live learns about a missing scope first', async () => {
    const application_id = await gateway.putApplication({ require_idempotency_key: LIVE_ONLY });
    const reader = await gateway.putKey('live', { application_id, scopes: ['payment:read'] });
    await gateway.settled();
    expect(await send('live', reader)).toMatchObject({ code: 'insufficient-scope' });
  });

  test('an application that requires idempotency keys in live creates a live payment with one', async () => {
    expect(await send('live', live, { headers: { 'idempotency-key': 'order-1' } })).toMatchObject({
      code: undefined,
    });
    expect(upstream.received.at(-1)?.headers['idempotency-key']).toBe('order-1');
  });

  test('an application that requires idempotency keys in live cancels a live payment without one', async () => {
    expect((await send('live', live, { path: '/pay_1/cancel', body: '{}' })).code).toBeUndefined();
  });

  test('an application that requires idempotency keys in live creates a sandbox payment without one', async () => {
    const sandbox = await keyFor('sandbox', { require_idempotency_key: LIVE_ONLY });
    expect((await send('sandbox', sandbox)).code).toBeUndefined();
  });
});

test('a changed requirement takes effect while the gateway runs', async () => {
  const applicationId = await gateway.putApplication();
  const credential = await gateway.putKey('sandbox', { application_id: applicationId });
  await gateway.settled();
  expect((await send('sandbox', credential)).code).toBeUndefined();
  const entryKey = applicationEntryKey(applicationId);
  await gateway.replaceEntry(entryKey, (entry) => ({
    ...entry,
    version: 2,
    require_idempotency_key: { live: false, sandbox: true },
  }));
  await eventually(
    'creating without a key is rejected',
    async () => (await send('sandbox', credential)).code === 'idempotency-key-required',
    { timeoutMs: 1_000 },
  );
});

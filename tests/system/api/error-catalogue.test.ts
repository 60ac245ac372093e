import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { archiveApplication, createKey, revokeKey, setLimits } from '@tollgate/contracts/applications/rpc';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { ERRORS, type ErrorCode } from '@tollgate/contracts/platform/errors';
import { isId } from '@tollgate/contracts/platform/ids';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, type ApiResponse, apiClient } from '../../support/api-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const run = promisify(execFile);

interface Case {
  code: ErrorCode;
  when: string;
  send: () => Promise<ApiResponse>;
  headers?: Record<string, string | RegExp>;
  body?: Record<string, unknown>;
}

let platform: SharedPlatform;
let team: TestTeam;
let application: TestApplication;
let api: ApiClient;
let anonymous: ApiClient;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  application = await platform.createApplication(team);
  api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  anonymous = apiClient(platform.baseUrl.sandbox, null);
});
afterAll(() => platform?.leave());

const valid = { amount: 1, currency: 'EUR', payment_method: 'pm_hold' };
const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.request('POST', '/v1/payments', { body, headers });
const at = (environment: Environment, credential: string) =>
  apiClient(platform.baseUrl[environment], credential);
const invalidToken = { 'www-authenticate': 'Bearer error="invalid_token"' };

/** Creates a key with the given restrictions, and waits until the gateway knows it. */
async function newKey(options: { scopes?: ['payment:read']; allowed_cidrs?: string[]; expires_at?: string }) {
  const { secret, ...key } = await team.owner.call(createKey, {
    application_id: application.id,
    name: 'restricted',
    environment: 'sandbox',
    ...options,
  });
  const credential = shownOnce(secret);
  await reached(credential);
  return { ...key, secret: credential };
}

async function reached(credential: string): Promise<void> {
  await eventually('the key has reached the gateway', async () => {
    const { body } = await at('sandbox', credential).request('GET', '/v1/payments/x');
    // On a busy machine, it may have expired meanwhile.
    return body['code'] !== 'invalid-api-key' || String(body['detail']).includes('expired');
  });
}

async function payment(): Promise<string> {
  return (await api.create(valid)).body.id;
}

const cases: Case[] = [
  { code: 'malformed-request', when: 'the body is not JSON', send: () => post('{"amount":') },
  {
    code: 'malformed-request',
    when: 'a member appears twice',
    send: () => post('{"amount":1,"amount":2,"currency":"EUR"}'),
  },
  {
    code: 'invalid-request',
    when: 'fields are missing, unknown or of a wrong type',
    send: () => post({ amount: '1', colour: 'red' }),
    body: {
      errors: expect.arrayContaining([
        expect.objectContaining({ pointer: '/amount', code: 'wrong-type' }),
        expect.objectContaining({ pointer: '/currency', code: 'missing' }),
        expect.objectContaining({ pointer: '/colour', code: 'unknown' }),
      ]),
    },
  },
  {
    code: 'invalid-idempotency-key',
    when: 'the key is longer than 255 characters',
    send: () => api.request('POST', '/v1/payments', { body: valid, idempotencyKey: 'k'.repeat(256) }),
    body: { errors: [expect.objectContaining({ header: 'Idempotency-Key' })] },
  },
  {
    code: 'idempotency-key-required',
    when: 'a live payment is created without a key',
    send: () => at('live', application.keys.live).request('POST', '/v1/payments', { body: valid }),
    body: { errors: [expect.objectContaining({ header: 'Idempotency-Key', code: 'missing' })] },
  },
  {
    code: 'unauthenticated',
    when: 'no key is sent',
    send: () => anonymous.request('GET', '/v1/payments/x'),
    headers: { 'www-authenticate': 'Bearer' },
  },
  {
    code: 'invalid-api-key',
    when: 'the key is unknown',
    send: () => at('sandbox', 'tg_sandbox_nonsense').request('GET', '/v1/payments/x'),
    headers: invalidToken,
  },
  {
    code: 'invalid-api-key',
    when: 'the key is of the other environment',
    send: () => at('live', application.keys.sandbox).request('GET', '/v1/payments/x'),
    headers: invalidToken,
  },
  {
    code: 'invalid-api-key',
    when: 'the key is revoked',
    send: async () => {
      const key = await newKey({});
      await team.owner.call(revokeKey, { key_id: key.id });
      const client = at('sandbox', key.secret);
      await eventually(
        'it is rejected',
        async () => (await client.request('GET', '/v1/payments/x')).status === 401,
      );
      return client.request('GET', '/v1/payments/x');
    },
    headers: invalidToken,
    body: { detail: expect.stringContaining('revoked') },
  },
  {
    code: 'invalid-api-key',
    when: 'the key has expired',
    send: async () => {
      const key = await newKey({ expires_at: new Date(Date.now() + 2_000).toISOString() });
      const client = at('sandbox', key.secret);
      await eventually(
        'it expired',
        async () => (await client.request('GET', '/v1/payments/x')).status === 401,
      );
      return client.request('GET', '/v1/payments/x');
    },
    headers: invalidToken,
    body: { detail: expect.stringContaining('expired') },
  },
  {
    code: 'insufficient-scope',
    when: 'the key lacks the scope',
    send: async () => {
      const key = await newKey({ scopes: ['payment:read'] });
      return at('sandbox', key.secret).request('POST', '/v1/payments', { body: valid });
    },
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="payment:create"' },
    body: { required_scope: 'payment:create' },
  },
  {
    code: 'ip-not-allowed',
    when: 'the key may only be used from elsewhere',
    send: async () => {
      const key = await newKey({ allowed_cidrs: ['192.0.2.0/24'] });
      return at('sandbox', key.secret).request('GET', '/v1/payments/x');
    },
    headers: { 'www-authenticate': 'Bearer' },
  },
  {
    code: 'application-disabled',
    when: 'the application is archived',
    send: async () => {
      const archived = await platform.createApplication(team);
      await team.owner.call(archiveApplication, { application_id: archived.id });
      const client = at('sandbox', archived.keys.sandbox);
      await eventually(
        'it is rejected',
        async () => (await client.request('GET', '/v1/payments/x')).status === 403,
      );
      return client.request('GET', '/v1/payments/x');
    },
    headers: { 'www-authenticate': 'Bearer' },
  },
  {
    code: 'payment-not-found',
    when: 'the id is unknown',
    send: () => api.request('GET', '/v1/payments/pay_x'),
  },
  { code: 'route-not-found', when: 'the path is unknown', send: () => api.request('GET', '/v2/payments') },
  {
    code: 'method-not-allowed',
    when: 'the method is another',
    send: () => api.request('DELETE', '/v1/payments'),
    headers: { allow: 'POST' },
  },
  {
    code: 'not-acceptable',
    when: 'JSON is not accepted',
    send: () => api.request('GET', '/v1/payments/x', { headers: { accept: 'text/html' } }),
  },
  {
    code: 'content-too-large',
    when: 'the body exceeds 128 KiB',
    send: () => post({ ...valid, purpose: 'x'.repeat(128 * 1024) }),
  },
  {
    code: 'unsupported-media-type',
    when: 'the body is a form',
    send: () => post('amount=1', { 'content-type': 'application/x-www-form-urlencoded' }),
  },
  {
    code: 'payment-not-cancelable',
    when: 'the payment has settled',
    send: async () => {
      const { body } = await api.create({ ...valid, payment_method: 'pm_succeed' });
      await eventually('it settled', async () => (await api.read(body.id)).body.status === 'succeeded');
      return api.request('POST', `/v1/payments/${body.id}/cancel`);
    },
    body: { payment_status: 'succeeded' },
  },
  {
    code: 'idempotency-key-reused',
    when: 'the key came with another request',
    send: async () => {
      await api.create(valid, 'reused');
      return api.request('POST', '/v1/payments', { body: { ...valid, amount: 2 }, idempotencyKey: 'reused' });
    },
  },
  {
    code: 'unsupported-currency',
    when: 'it is no currency',
    send: () => post({ ...valid, currency: 'XTS' }),
  },
  { code: 'amount-out-of-range', when: 'it is zero', send: () => post({ ...valid, amount: 0 }) },
  {
    code: 'amount-out-of-range',
    when: 'it is too large',
    send: () => post({ ...valid, amount: 1_000_000_000_000 }),
  },
  {
    code: 'card-data-not-allowed',
    when: 'a text holds a card number',
    send: () => post({ ...valid, metadata: { note: 'card 4242 4242 4242 4242' } }),
  },
  {
    code: 'rate-limited',
    when: 'the burst is used up',
    send: async () => {
      const limited = await platform.createApplication(team);
      const limit = { requests_per_second: 1, burst: 1 };
      await team.owner.call(setLimits, {
        application_id: limited.id,
        limits: { live: limit, sandbox: limit },
      });
      const client = at('sandbox', limited.keys.sandbox);
      await eventually(
        'the limit holds',
        async () => (await client.request('GET', '/v1/payments/x')).status === 429,
      );
      return client.request('GET', '/v1/payments/x');
    },
    headers: {
      'retry-after': '1',
      'ratelimit-policy': '"application";q=1;w=1',
      ratelimit: /^"application";r=0;t=1$/,
    },
  },
];

/** Errors covered by other tests: the gateway's tests against misbehaving upstreams, `faults/`, and the admin API. */
const SHOWN_ELSEWHERE: ErrorCode[] = [
  'conflict',
  'unsupported-transfer-encoding',
  'internal',
  'upstream-error',
  'unavailable',
  'upstream-timeout',
  'invalid-signature',
  'forbidden',
  'not-found',
  'precondition-failed',
  'precondition-required',
  'sign-in-failed',
  'reauthentication-required',
  'second-factor-required',
  'second-factor-setup-required',
  'sso-failed',
  'sso-required',
  'invalid-session',
  'invalid-api-token',
  'last-owner',
  'too-many-attempts',
  'reply-too-large',
  'query-timeout',
];

describe('every error of the public API', () => {
  it.each(cases)('$code when $when', async ({ code, send, headers = {}, body = {} }) => {
    const response = await send();
    const { status, title, retryable } = ERRORS[code];
    expect(response.status).toBe(status);
    expect(response.body).toEqual({
      type: `${platform.docsBaseUrl}/errors/${code}`,
      title,
      status,
      detail: expect.any(String),
      code,
      request_id: response.headers.get('x-request-id'),
      retryable,
      ...(response.body['errors'] === undefined ? {} : { errors: expect.any(Array) }),
      ...body,
    });
    expect(isId('request', response.headers.get('x-request-id') ?? '')).toBe(true);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-should-retry')).toBe(String(retryable));
    for (const [name, expected] of Object.entries(headers)) {
      expect(response.headers.get(name)).toEqual(
        typeof expected === 'string' ? expected : expect.stringMatching(expected),
      );
    }
  });

  it('every error of the public API has a case here or is covered elsewhere', () => {
    const shown = new Set([...cases.map(({ code }) => code), ...SHOWN_ELSEWHERE]);
    expect([...shown].sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it('every error of the public API has its page in the docs at the address in `type`', async () => {
    await run(process.execPath, [join(CHECKOUT_DIR, 'packages/docs-site/src/main.ts'), '--if-changed']);
    for (const code of Object.keys(ERRORS)) {
      const response = await fetch(`${platform.docsBaseUrl}/errors/${code}`);
      expect([code, response.status]).toEqual([code, 200]);
      expect(await response.text()).toContain(code);
    }
  });

  it('every error of the public API leaves the payment unchanged', async () => {
    const id = await payment();
    await api.request('POST', `/v1/payments/${id}/cancel`, { body: { cancellation_reason: 'bored' } });
    expect((await api.read(id)).body).toMatchObject({ status: 'pending', version: 1 });
  });
});

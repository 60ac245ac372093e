import { crc32 } from 'node:zlib';
import { applicationEntryKey, keyEntryKey } from '@tollgate/contracts/applications/principal';
import { newId } from '@tollgate/contracts/platform/ids';
import { generateApiKey, parseApiKey } from '@tollgate/security/api-key';
import { eventually } from '@tollgate/test-kit/eventually';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILED_AUTHENTICATION_LINES_PER_SECOND } from '../src/request/access-log.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { startUpstream, type Upstream } from './support/upstream.ts';

let gateway: GatewayUnderTest;
let upstream: Upstream;
let applicationId: string;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGatewayUnderTest({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } }),
    startUpstream(),
  ]);
  applicationId = await gateway.putApplication();
  await gateway.announce(upstream.url);
});

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

async function use(
  credential: string,
  { environment = 'live', forwardedFor }: { environment?: 'live' | 'sandbox'; forwardedFor?: string } = {},
) {
  const response = await request(`${gateway.urls[environment]}/v1/payments/pay_1`, {
    headers: {
      authorization: `Bearer ${credential}`,
      ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    },
  });
  const body = (await response.body.json()) as { code?: string; detail?: string };
  return { status: response.statusCode, code: body.code, detail: body.detail };
}

/** Same length and valid checksum, but another secret: what an attacker sends who knows the lookup id from a log. */
function withAnotherSecret(credential: string): string {
  for (;;) {
    const other = generateApiKey('live').credential;
    const forged = credential.slice(0, 'tg_live_'.length + 17) + other.slice('tg_live_'.length + 17, -6);
    const checked = addChecksum(forged);
    if (checked !== credential) return checked;
  }
}

function addChecksum(unchecked: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let rest = crc32(unchecked);
  let encoded = '';
  for (let index = 0; index < 6; index++) {
    encoded = digits.charAt(rest % 62) + encoded;
    rest = Math.floor(rest / 62);
  }
  const credential = unchecked + encoded;
  if (!parseApiKey(credential)) throw new Error('the forged key has a wrong checksum');
  return credential;
}

test('an API key that is active is accepted in its environment, even with a lower-case scheme', async () => {
  const live = await gateway.putKey('live', { application_id: applicationId });
  const sandbox = await gateway.putKey('sandbox', { application_id: applicationId });
  await gateway.settled();
  expect((await use(live)).status).toBe(200);
  expect((await use(sandbox, { environment: 'sandbox' })).status).toBe(200);
  const { statusCode } = await request(`${gateway.urls.live}/v1/payments/pay_1`, {
    headers: { authorization: `bearer  ${live} ` },
  });
  expect(statusCode).toBe(200);
});

test.each(['live', 'sandbox'] as const)(
  'an API key of %s is rejected at the other address with a hint',
  async (environment) => {
    const credential = await gateway.putKey(environment, { application_id: applicationId });
    await gateway.settled();
    const other = environment === 'live' ? 'sandbox' : 'live';
    expect(await use(credential, { environment: other })).toMatchObject({
      status: 401,
      code: 'invalid-api-key',
      detail: expect.stringContaining(`This ${environment} key is not valid`),
    });
  },
);

test('an API key is known on the ops port from its lookup id alone, which counts as no request', async () => {
  const active = await gateway.putKey('live', { application_id: applicationId });
  const revoked = await gateway.putKey('live', { application_id: applicationId, status: 'revoked' });
  const expired = await gateway.putKey('sandbox', {
    application_id: applicationId,
    expires_at: new Date(gateway.clock.now()).toISOString(),
  });
  await gateway.settled();
  const received = upstream.received.length;
  const statusOf = async (credential: string) => {
    const lookupId = parseApiKey(credential)?.lookupId ?? '';
    return (await request(`${gateway.opsUrl}/api-keys/${lookupId}`)).statusCode;
  };
  expect(await statusOf(active)).toBe(204);
  expect(await statusOf(revoked)).toBe(404);
  expect(await statusOf(expired)).toBe(404);
  expect(await statusOf(generateApiKey('live').credential)).toBe(404);
  expect(upstream.received.length).toBe(received);
});

test('an API key that is revoked is rejected with the reason', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId, status: 'revoked' });
  await gateway.settled();
  expect(await use(credential)).toMatchObject({
    status: 401,
    code: 'invalid-api-key',
    detail: 'This API key was revoked.',
  });
});

test('an API key that is revoked while the gateway runs is rejected from then on', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId });
  await gateway.settled();
  expect((await use(credential)).status).toBe(200);
  const entryKey = keyEntryKey(parseApiKey(credential)?.lookupId ?? '');
  await gateway.replaceEntry(entryKey, (entry) => ({ ...entry, version: 2, status: 'revoked' }));
  await eventually('the key is rejected', async () => (await use(credential)).status === 401, {
    timeoutMs: 1_000,
  });
});

test('an API key without an entry is rejected', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId });
  await gateway.settled();
  const entryKey = keyEntryKey(parseApiKey(credential)?.lookupId ?? '');
  await gateway.bucket.delete(entryKey, (await gateway.bucket.get(entryKey))?.revision ?? 0);
  await gateway.settled();
  expect(await use(credential)).toMatchObject({ status: 401, detail: 'Unknown API key.' });
});

test('an API key is accepted until its expiry and rejected from that instant on', async () => {
  const expiresAt = gateway.clock.now() + 1_000;
  const credential = await gateway.putKey('live', {
    application_id: applicationId,
    expires_at: new Date(expiresAt).toISOString(),
  });
  await gateway.settled();
  gateway.clock.set(expiresAt - 1);
  expect((await use(credential)).status).toBe(200);
  gateway.clock.set(expiresAt);
  expect(await use(credential)).toMatchObject({ status: 401, detail: 'This API key has expired.' });
});

test('an API key with a wrong secret does not reveal the key’s state', async () => {
  const states = [
    await gateway.putKey('live', { application_id: applicationId }),
    await gateway.putKey('live', { application_id: applicationId, status: 'revoked' }),
    await gateway.putKey('live', { application_id: applicationId, expires_at: '2020-01-01T00:00:00Z' }),
    generateApiKey('live').credential,
  ];
  await gateway.settled();
  for (const credential of states) {
    expect(await use(withAnotherSecret(credential))).toEqual({
      status: 401,
      code: 'invalid-api-key',
      detail: 'Unknown API key.',
    });
  }
});

test('an API key with a typo is rejected by its checksum', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId });
  const mistyped = credential.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  expect(await use(mistyped)).toMatchObject({ detail: 'The API key is incomplete or mistyped.' });
});

test('an API key without its application is rejected', async () => {
  const credential = await gateway.putKey('live', { application_id: newId('application') });
  await gateway.settled();
  expect(await use(credential)).toMatchObject({ status: 401, code: 'invalid-api-key' });
});

test('an API key under an unknown pepper is rejected', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId, pepper_version: '9' });
  await gateway.settled();
  expect(await use(credential)).toMatchObject({ status: 401, detail: 'Unknown API key.' });
  expect(gateway.logged()).toContain('API_KEY_PEPPERS lacks a version');
});

test.each([{ digest: 'none' }, { scopes: [7] }, { allowed_cidrs: ['everywhere'] }, { status: 'unknown' }])(
  'an API key with an invalid entry is rejected: %j',
  async (wrong) => {
    const credential = await gateway.putKey('live', {
      application_id: applicationId,
      ...(wrong as object),
    });
    await gateway.settled();
    expect((await use(credential)).status).toBe(401);
  },
);

test('an API key of a later release keeps the scopes that this release knows', async () => {
  const credential = await gateway.putKey('live', {
    application_id: applicationId,
    ...({ scopes: ['payment:refund', 'payment:read'], owner: 'team 7' } as object),
  });
  await gateway.settled();
  expect((await use(credential)).status).toBe(200);
});

test('an API key is rejected when its application has no valid entry', async () => {
  const broken = newId('application');
  const entryKey = applicationEntryKey(broken);
  const entry = { version: 1, status: 'active' };
  await gateway.bucket.create(entryKey, gateway.signEntry(entryKey, entry));
  const credential = await gateway.putKey('live', { application_id: broken });
  await gateway.settled();
  expect((await use(credential)).status).toBe(401);
});

test('an API key is rejected when applications did not sign its entry', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId });
  const entryKey = keyEntryKey(parseApiKey(credential)?.lookupId ?? '');
  const stored = await gateway.bucket.get(entryKey);
  const forged = { ...(stored?.value as object), version: 2, scopes: [] };
  await gateway.bucket.update(entryKey, forged, stored?.revision ?? 0);
  await gateway.settled();
  expect(await use(credential)).toMatchObject({ status: 401, code: 'invalid-api-key' });
  const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
  expect(metrics).toMatch(/tollgate_unverified_messages_total\{kind="principal",reason="altered"[^}]*\} 1/);
});

test('an API key is rejected when its entry is for the other environment than the credential says', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId });
  const entryKey = keyEntryKey(parseApiKey(credential)?.lookupId ?? '');
  await gateway.replaceEntry(entryKey, (entry) => ({ ...entry, version: 2, environment: 'sandbox' }));
  await gateway.settled();
  for (const environment of ['live', 'sandbox'] as const) {
    expect(await use(credential, { environment })).toMatchObject({
      status: 401,
      detail: 'Unknown API key.',
    });
  }
});

test('an API key that was revoked is not restored by its entry of an earlier time', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId });
  const entryKey = keyEntryKey(parseApiKey(credential)?.lookupId ?? '');
  const active = (await gateway.bucket.get(entryKey))?.value;
  await gateway.replaceEntry(entryKey, (entry) => ({ ...entry, version: 2, status: 'revoked' }));
  const revision = (await gateway.bucket.get(entryKey))?.revision ?? 0;
  await gateway.settled();
  await gateway.bucket.update(entryKey, active, revision);
  await gateway.settled();
  expect(await use(credential)).toMatchObject({ status: 401, detail: 'This API key was revoked.' });
});

test('an API key has the scopes that both the application and the key have', async () => {
  const narrow = await gateway.putApplication({ scopes: ['payment:create'] });
  const credential = await gateway.putKey('live', { application_id: narrow });
  await gateway.settled();
  expect(await use(credential)).toMatchObject({ status: 403, code: 'insufficient-scope' });
});

test('an API key that was accepted before is compared with its new entry as soon as the entry changes', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId });
  await gateway.settled();
  expect((await use(credential)).status).toBe(200);
  const entryKey = keyEntryKey(parseApiKey(credential)?.lookupId ?? '');
  const digest = '0'.repeat(64);
  await gateway.replaceEntry(entryKey, (entry) => ({ ...entry, version: 2, digest }));
  await gateway.settled();
  expect(await use(credential)).toMatchObject({ status: 401, detail: 'Unknown API key.' });
});

test('an API key that was accepted before is not accepted with another secret', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId });
  await gateway.settled();
  expect((await use(credential)).status).toBe(200);
  expect(await use(withAnotherSecret(credential))).toMatchObject({
    status: 401,
    detail: 'Unknown API key.',
  });
  expect((await use(credential)).status).toBe(200);
});

test('an API key that was accepted before has the scopes and the status of its application as soon as they change', async () => {
  const changing = await gateway.putApplication();
  const credential = await gateway.putKey('live', { application_id: changing });
  await gateway.settled();
  expect((await use(credential)).status).toBe(200);
  const entryKey = applicationEntryKey(changing);
  await gateway.replaceEntry(entryKey, (entry) => ({ ...entry, version: 2, scopes: ['payment:create'] }));
  await gateway.settled();
  expect(await use(credential)).toMatchObject({ status: 403, code: 'insufficient-scope' });
  await gateway.replaceEntry(entryKey, (entry) => ({ ...entry, version: 3, status: 'archived' }));
  await gateway.settled();
  expect(await use(credential)).toMatchObject({ status: 403, code: 'application-disabled' });
});

test('an API key is never logged, except for its lookup id', async () => {
  const credential = await gateway.putKey('live', { application_id: applicationId });
  await gateway.settled();
  await use(credential);
  const lookupId = parseApiKey(credential)?.lookupId ?? '';
  await eventually('the request is logged', () => gateway.logged().includes(lookupId));
  expect(gateway.logged()).not.toContain(credential.slice(-38));
});

test.each([
  ['192.0.2.9', 200],
  ['198.51.100.1', 403],
  ['192.0.2.9, 127.0.0.5', 200],
  // One of our proxies saw only the rightmost untrusted address; the caller could have sent those before it.
  ['192.0.2.9, 198.51.100.1', 403],
  ['192.0.2.9, nonsense', 403],
  ['192.0.2.9:51008', 200],
  ['::FFFF:192.0.2.9', 200],
  ['[::ffff:192.0.2.9]:443', 200],
  ['', 403],
])(
  'the allowed addresses of a key are checked behind a trusted proxy that forwards for %j: %s',
  async (forwardedFor, status) => {
    const credential = await gateway.putKey('live', {
      application_id: applicationId,
      allowed_cidrs: ['192.0.2.0/24'],
    });
    await gateway.settled();
    expect((await use(credential, { forwardedFor })).status).toBe(status);
  },
);

test('the rate limit counts per application and environment, not per key', async () => {
  const limit = { requests_per_second: 1, burst: 3 };
  const limited = await gateway.putApplication({ limits: { live: limit, sandbox: limit } });
  const keys = [
    await gateway.putKey('live', { application_id: limited }),
    await gateway.putKey('live', { application_id: limited }),
  ] as const;
  const sandboxKey = await gateway.putKey('sandbox', { application_id: limited });
  await gateway.settled();
  const statuses = [];
  for (const credential of [keys[0], keys[1], keys[0], keys[1]])
    statuses.push((await use(credential)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await use(sandboxKey, { environment: 'sandbox' })).status).toBe(200);
});

test('the rate limit is not consumed from an address that the key does not allow', async () => {
  const limit = { requests_per_second: 1, burst: 1 };
  const limited = await gateway.putApplication({ limits: { live: limit, sandbox: limit } });
  const stolen = await gateway.putKey('live', { application_id: limited, allowed_cidrs: ['192.0.2.0/24'] });
  const own = await gateway.putKey('live', { application_id: limited });
  await gateway.settled();
  for (let count = 0; count < 5; count++) expect((await use(stolen)).status).toBe(403);
  expect((await use(own)).status).toBe(200);
});

describe('a failed authentication', () => {
  const FAILED = 'authentication failed';
  const logged = () =>
    gateway
      .logged()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; level: string; count?: number });
  const failures = () => logged().filter(({ msg }) => msg === FAILED);

  test('a failed authentication is logged with the lookup id and the address of the client, without the secret', async () => {
    gateway.clock.advance(60_000);
    const forged = withAnotherSecret(await gateway.putKey('live', { application_id: applicationId }));
    await gateway.settled();
    await use(forged, { forwardedFor: '192.0.2.77' });
    await use('sk_live_of_another_system', { forwardedFor: '192.0.2.78' });
    const [known, unknown] = failures().slice(-2);
    expect(known).toMatchObject({
      level: 'warn',
      code: 'invalid-api-key',
      lookup_id: parseApiKey(forged)?.lookupId,
      address: '192.0.2.77',
    });
    expect(unknown).toMatchObject({ level: 'warn', address: '192.0.2.78' });
    expect(unknown).not.toHaveProperty('lookup_id');
    const text = gateway.logged();
    expect(text).not.toContain(forged.slice('tg_live_'.length + 17));
    expect(text).not.toContain('sk_live_of_another_system');
  });

  test('a failed authentication is only counted beyond the lines of its second', async () => {
    gateway.clock.advance(60_000);
    const before = failures().length;
    const flood = FAILED_AUTHENTICATION_LINES_PER_SECOND + 7;
    await Promise.all(Array.from({ length: flood }, () => use('nonsense')));
    expect(failures().length - before).toBe(FAILED_AUTHENTICATION_LINES_PER_SECOND);
    gateway.clock.advance(1_000);
    await use('nonsense');
    expect(logged().at(-2)).toMatchObject({ level: 'warn', count: 7 });
    expect(logged().at(-1)).toMatchObject({ msg: FAILED });
  });
});

import { generateKeyPairSync, sign } from 'node:crypto';
import { reportLeakedToken } from '@tollgate/contracts/accounts/rpc';
import { reportLeakedKey } from '@tollgate/contracts/applications/rpc';
import {
  SECRET_SCANNING_HEADERS,
  SECRET_SCANNING_PATH,
} from '@tollgate/contracts/applications/secret-scanning';
import { Problem } from '@tollgate/contracts/platform/problem';
import { generateApiKey } from '@tollgate/security/api-key';
import { digestApiToken, generateApiToken } from '@tollgate/security/api-token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSecretScanningKeys } from '../src/secret-scanning/public-keys.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';
import { buildUnconnectedPublicApp } from './support/unconnected-apps.ts';

const scanner = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: typeof scanner.publicKey) => key.export({ type: 'spki', format: 'pem' }).toString();
const configuration = (...keys: { key_identifier?: unknown; key?: unknown; is_current?: boolean }[]) =>
  JSON.stringify({ public_keys: keys });
const VALID = configuration({ key_identifier: 'one', key: pemOf(scanner.publicKey), is_current: true });

let gateway: GatewayUnderTest;
let services: Services;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ env: { SECRET_SCANNING_PUBLIC_KEYS: VALID } });
  services = await startServices(gateway.bus);
});
afterAll(async () => {
  await services?.stop();
  await gateway?.stop();
});

async function send(alerts: unknown, environment: 'live' | 'sandbox' = 'live') {
  const body = Buffer.from(JSON.stringify(alerts));
  const response = await fetch(`${gateway.urls[environment]}${SECRET_SCANNING_PATH}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      [SECRET_SCANNING_HEADERS.keyIdentifier]: 'one',
      [SECRET_SCANNING_HEADERS.signature]: sign('sha256', body, scanner.privateKey).toString('base64'),
    },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test.each(['live', 'sandbox'] as const)(
  'alerts of a secret scanner reach the services as digests, on the %s listener',
  async (listener) => {
    await services.serve(reportLeakedKey, () => ({ is_known: true }));
    await services.serve(reportLeakedToken, () => ({ is_known: false }));
    const key = generateApiKey('sandbox');
    const token = generateApiToken();
    const { status, body } = await send(
      [
        { token: key.credential, type: 'k', url: 'https://example.com', source: 'commit', new_field: 1 },
        { token: token.credential, type: 't', url: '' },
        { token: key.credential, type: 'k', url: 'https://example.com/again' },
      ],
      listener,
    );
    expect(status).toBe(200);
    expect(body).toEqual([
      { token_raw: key.credential, token_type: 'k', label: 'true_positive' },
      { token_raw: token.credential, token_type: 't', label: 'false_positive' },
      { token_raw: key.credential, token_type: 'k', label: 'true_positive' },
    ]);
    expect(services.received(reportLeakedKey).map(({ request }) => request)).toEqual([
      {
        lookup_id: key.lookupId,
        digests: { 1: expect.stringMatching(/^[0-9a-f]{64}$/) },
        url: 'https://example.com',
        source: 'commit',
      },
    ]);
    expect(services.received(reportLeakedToken).map(({ request }) => request)).toEqual([
      {
        lookup_id: token.lookupId,
        digest: digestApiToken(token.credential).toString('hex'),
        url: null,
        source: null,
      },
    ]);
    expect(gateway.logged()).not.toContain(key.credential);
    expect(gateway.logged()).not.toContain(token.credential);
  },
);

test('alerts of a secret scanner get a 503 when a report fails, and the others are carried out', async () => {
  const [broken, fine] = [generateApiKey('live'), generateApiKey('live')];
  await services.serve(reportLeakedKey, ({ lookup_id }) => {
    if (lookup_id === broken.lookupId) throw new Problem('unavailable', 'Down.', { retryAfterS: 1 });
    return { is_known: true };
  });
  const alerts = [broken, fine].map(({ credential }) => ({ token: credential, type: 'k' }));
  const { status, body } = await send(alerts);
  expect(status).toBe(503);
  expect(body).toMatchObject({ code: 'unavailable', retryable: true });
  expect(services.received(reportLeakedKey)).toHaveLength(2);
  expect(gateway.logged()).not.toContain(broken.credential);
});

test.each([[{}], [[{ type: 'k' }]], [[{ token: 1, type: 'k' }]], ['x']])(
  'alerts of a secret scanner that are not valid are rejected: %j',
  async (alerts) => {
    expect((await send(alerts)).body).toMatchObject({ code: 'invalid-request' });
  },
);

test('alerts of a secret scanner are limited by address, before their signature is verified', async () => {
  const post = () =>
    fetch(`${gateway.urls.sandbox}${SECRET_SCANNING_PATH}`, { method: 'POST' }).then(async (response) => {
      await response.body?.cancel();
      return response.status;
    });
  const statuses = new Set<number>();
  for (let count = 0; count < 60; count++) statuses.add(await post());
  expect([...statuses]).toEqual([403, 429]);
  gateway.clock.advance(10_000);
  expect(await post()).toBe(403);
});

test('alerts of a secret scanner are not accepted by a gateway without keys', async () => {
  const response = await buildUnconnectedPublicApp().inject({
    method: 'POST',
    url: SECRET_SCANNING_PATH,
    headers: { host: 'a' },
  });
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ code: 'route-not-found' });
});

describe('the configured keys', () => {
  test('the configured keys are read in the form in which GitHub publishes them', () => {
    expect([...parseSecretScanningKeys(VALID).keys()]).toEqual(['one']);
  });

  const ofCurve = (namedCurve: string) => pemOf(generateKeyPairSync('ec', { namedCurve }).publicKey);
  test.each([
    ['no JSON', pemOf(scanner.publicKey), 'must be JSON'],
    ['no key', configuration(), 'must be JSON'],
    ['a key without an identifier', configuration({ key: pemOf(scanner.publicKey) }), '`key_identifier`'],
    ['a key of another curve', configuration({ key_identifier: 'a', key: ofCurve('P-384') }), 'P-256'],
    ['text in place of a key', configuration({ key_identifier: 'a', key: 'x' }), 'P-256'],
    [
      'an identifier twice',
      configuration(...[1, 2].map(() => ({ key_identifier: 'a', key: pemOf(scanner.publicKey) }))),
      'twice',
    ],
  ])('the configured keys are rejected with %s', (_what, text, reason) => {
    expect(() => parseSecretScanningKeys(text)).toThrow(reason);
  });
});

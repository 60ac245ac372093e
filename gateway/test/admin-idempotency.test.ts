import * as applications from '@tollgate/contracts/applications/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminClient, adminClient } from './support/admin-client.ts';
import { exampleApplication } from './support/examples.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';

const application = exampleApplication();
const CREATE = { body: { name: 'Shop', scopes: ['payment:read'] } };

let gateway: GatewayUnderTest;
let services: Services;
let admin: AdminClient;
/** Keys that the service received. */
let keys: (string | null)[] = [];

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = await startServices(gateway.bus);
  admin = adminClient(gateway.adminUrl, services.signIn());
  await services.serve(applications.createApplication, (_request, { idempotentCall }) => {
    const key = idempotentCall?.key ?? null;
    if (keys.includes(key) && key !== null) idempotentCall?.markReplayed();
    keys.push(key);
    return application;
  });
});
afterAll(async () => {
  await services.stop();
  await gateway.stop();
});

const create = (idempotencyKey: string) =>
  admin('POST /applications', { ...CREATE, headers: { 'idempotency-key': idempotencyKey } });

test('the key reaches the service without quotes, and a replayed response says so', async () => {
  keys = [];
  const first = await create('order-1');
  expect(first.status).toBe(201);
  expect(first.headers).not.toHaveProperty('idempotent-replayed');
  const repeated = await create('"order-1"');
  expect(repeated).toMatchObject({
    status: 201,
    body: application,
    headers: {
      'idempotent-replayed': 'true',
      location: first.headers['location'],
      etag: first.headers['etag'],
    },
  });
  expect(keys).toEqual(['order-1', 'order-1']);
});

test.each(['', 'a b', 'k'.repeat(256), '"a'])(
  'the key %j is rejected before the service is called',
  async (key) => {
    keys = [];
    expect(await create(key)).toMatchObject({
      status: 400,
      body: {
        code: 'invalid-idempotency-key',
        errors: [
          {
            header: 'Idempotency-Key',
            code: 'invalid',
            detail: 'Must be 1 to 255 visible ASCII characters.',
          },
        ],
      },
    });
    expect(keys).toEqual([]);
  },
);

test('the key of another request is rejected', async () => {
  await services.serve(applications.createKey, () => {
    throw new Problem('idempotency-key-reused', 'This Idempotency-Key was already used.');
  });
  const response = await admin(`POST /applications/${application.id}/keys`, {
    body: { name: 'Server', environment: 'sandbox' },
    headers: { 'idempotency-key': 'order-1' },
  });
  expect(response).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
});

test('a request with an unknown outcome may be repeated only with a key, on a route that takes one', async () => {
  const fail = () => {
    throw new Problem('internal', 'The database failed.');
  };
  await services.serve(applications.rotateKey, fail);
  await services.serve(applications.revokeKey, fail);
  const shouldRetry = async (step: string, headers: Record<string, string>) => {
    const body = step === 'rotate' ? { overlap_s: 0 } : {};
    const response = await admin(`POST /keys/${newId('apiKey')}/${step}`, { body, headers });
    expect(response.body).toMatchObject({ code: 'internal' });
    return response.headers['x-should-retry'];
  };
  const key = { 'idempotency-key': 'order-1' };
  expect(await shouldRetry('rotate', key)).toBe('true');
  expect(await shouldRetry('rotate', {})).toBe('false');
  expect(await shouldRetry('revoke', key)).toBe('false');
});

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import type { AdminCaller } from '../../support/platform/admin-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

/** Requests appear after about two seconds, and later on a busy machine. */
const LOGGED_WITHIN = { timeoutMs: 30_000, intervalMs: 100 };

let platform: SharedPlatform;
let team: TestTeam;
let owner: AdminCaller;
let application: TestApplication;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  owner = platform.admin.as(team.owner.session);
});
afterAll(() => platform?.leave());
beforeEach(async () => {
  application = await platform.createApplication(team);
});

const api = () => apiClient(platform.baseUrl.sandbox, application.keys.sandbox);

/** The log entries of these responses, in this order, once all are there. */
async function loggedOf(responses: { headers: Headers }[], environment: Environment = 'sandbox') {
  const ids = responses.map(({ headers }) => headers.get('x-request-id') as string);
  const list = async () => {
    const filter = { environment, application_id: application.id };
    const { data } = (await owner.call(ADMIN_ROUTES.listRequests, filter)).body;
    return ids.flatMap((id) => data.find((request) => request.id === id) ?? []);
  };
  await eventually('all are logged', async () => (await list()).length === ids.length, LOGGED_WITHIN);
  return list();
}

it('the request log has every request with its key, its error, and its payment', async () => {
  const created = await api().create();
  const { id } = created.body;
  const responses = [
    created,
    await api().create({ amount: 0, currency: 'EUR' }),
    await api().read(id),
    await api().read(newId('payment')),
  ];
  const requests = await loggedOf(responses);
  const filter = { environment: 'sandbox', application_id: application.id } as const;
  const from = async (client_address: string) =>
    (await owner.call(ADMIN_ROUTES.listRequests, { ...filter, client_address })).body.data.length;
  expect(await from('192.0.2.1')).toBe(0);
  expect(await from(requests[0]?.client_address as string)).toBeGreaterThanOrEqual(responses.length);
  const ofApplication = {
    environment: 'sandbox',
    application_id: application.id,
    key_id: application.keyIds.sandbox,
    client_address: expect.stringMatching(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/),
    duration_ms: expect.any(Number),
  };
  expect(requests).toMatchObject([
    { ...ofApplication, operation: 'create_payment', status: 201, code: null, payment_id: id },
    {
      ...ofApplication,
      operation: 'create_payment',
      status: 422,
      code: 'amount-out-of-range',
      errors: [{ pointer: '/amount', code: 'out-of-range' }],
      payment_id: null,
    },
    { ...ofApplication, operation: 'read_payment', status: 200, payment_id: id },
    { ...ofApplication, operation: 'read_payment', status: 404, code: 'payment-not-found' },
  ]);
});

it('the request log shows rejected requests to the team of the key: of another environment, and revoked', async () => {
  const { sandbox: key } = application.keys;
  const rejected = {
    status: 401,
    code: 'invalid-api-key',
    outcome: null,
    key_id: application.keyIds.sandbox,
  };
  const atLive = await apiClient(platform.baseUrl.live, key).read(newId('payment'));
  expect(await loggedOf([atLive], 'live')).toMatchObject([rejected]);

  await owner.call(ADMIN_ROUTES.revokeKey, { key_id: application.keyIds.sandbox });
  const responses = [];
  do responses.push(await api().read(newId('payment')));
  while (responses.at(-1)?.status !== 401);
  expect((await loggedOf(responses)).at(-1)).toMatchObject(rejected);
});

it('the request log contains no values of bodies, headers, and queries, and only ids from paths', async () => {
  const secret = `secret${newId('payment').slice(4)}`;
  const headers = { 'x-secret': secret, cookie: secret, 'user-agent': secret, 'idempotency-key': secret };
  const body = { amount: 5, currency: 'EUR', purpose: secret, reference: secret, metadata: { a: secret } };
  const requests = await loggedOf([
    await api().request('POST', '/v1/payments', { body, headers }),
    await api().request('GET', `/v1/payments/${secret}?secret=${secret}`, { headers }),
    await api().request('GET', `/v1/payments/${secret}`, { headers }),
  ]);
  expect(requests).toHaveLength(3);
  expect(JSON.stringify(requests)).not.toContain(secret);
  expect(JSON.stringify(requests)).not.toContain(application.keys.sandbox.slice(-20));
});

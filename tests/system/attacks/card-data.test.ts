import { randomUUID } from 'node:crypto';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import type { AdminCaller, AdminResponse } from '../../support/platform/admin-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';

/** The digits apart by no-break spaces, so that no two of them stand together. */
const CARD = [...'4242424242424242'].join('\u00a0');
const PAYMENT = { amount: 100, currency: 'EUR', payment_method: 'pm_hold' };

let platform: SharedPlatform;
let application: TestApplication;
let owner: AdminCaller;
let api: ApiClient;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  const team = await platform.createTeam();
  application = await platform.createApplication(team);
  owner = platform.admin.as(team.owner.session);
  api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
});
afterAll(() => platform?.leave());

describe('storing a card number', () => {
  it.each([
    ['in the purpose of a payment', { purpose: CARD }, '/purpose'],
    ['in metadata', { metadata: { note: `card ${CARD} cvc 123` } }, '/metadata'],
    ['as a UUID', { reference: '42424242-4242-4242-0000-000000000000' }, '/reference'],
    ['with a security code behind', { purpose: '4242424242424242123' }, '/purpose'],
    ['in Arabic digits', { purpose: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢' }, '/purpose'],
  ])('%s is rejected', async (_where, fields, pointer) => {
    const { status, body } = await api.create({ ...PAYMENT, ...fields }, randomUUID());
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'card-data-not-allowed', errors: [{ pointer, code: 'card-number' }] });
  });

  it('storing a card number in the idempotency key of a payment is rejected', async () => {
    const { status, body } = await api.create(PAYMENT, '4242.4242.4242.4242');
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid-idempotency-key', errors: [{ code: 'card-number' }] });
  });

  it('storing a card number in an idempotency key of the admin API is rejected', async () => {
    const response = await owner.call(
      ADMIN_ROUTES.createApplication,
      { name: 'Shop', scopes: [] },
      { headers: { [HEADERS.idempotencyKey]: '4242-4242-4242-4242' } },
    );
    expect(response.problem).toMatchObject({ code: 'invalid-idempotency-key' });
  });

  const scopes = { scopes: [] };
  const inApplication = () => ({ application_id: application.id });
  const attempts: [where: string, pointer: string, send: () => Promise<AdminResponse<unknown>>][] = [
    [
      'the name of an application',
      '/name',
      () => owner.call(ADMIN_ROUTES.createApplication, { ...scopes, name: CARD }),
    ],
    [
      'a label of an application',
      '/labels',
      () => owner.call(ADMIN_ROUTES.createApplication, { ...scopes, name: 'Shop', labels: { note: CARD } }),
    ],
    [
      'the name of an API key',
      '/name',
      () => owner.call(ADMIN_ROUTES.createKey, { ...inApplication(), environment: 'sandbox', name: CARD }),
    ],
    [
      'the name of an API token',
      '/name',
      () => owner.call(ADMIN_ROUTES.createToken, { name: CARD, role: 'viewer' }),
    ],
    [
      'the description of a webhook endpoint',
      '/description',
      () =>
        owner.call(ADMIN_ROUTES.createEndpoint, {
          ...inApplication(),
          environment: 'sandbox',
          url: 'http://127.0.0.1:4000/',
          event_types: ['payment.succeeded'],
          description: CARD,
        }),
    ],
  ];
  it.each(attempts)('storing a card number in %s is rejected', async (_where, pointer, send) => {
    const { status, problem } = await send();
    expect(status).toBe(400);
    expect(problem).toMatchObject({ code: 'invalid-request', errors: [{ pointer, code: 'card-number' }] });
  });
});

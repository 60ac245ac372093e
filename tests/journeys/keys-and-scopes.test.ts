import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../support/api-client.ts';
import type { AdminCaller } from '../support/platform/admin-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../support/platform/shared-platform.ts';
import type { TestApplication } from '../support/platform/test-application.ts';

const OVERLAP_S = 600;

let platform: SharedPlatform;
let owner: AdminCaller;
let application: TestApplication;
/** The credential of a key that may only read payments. */
let reader: { id: string; credential: string };

const api = (credential: string) => apiClient(platform.baseUrl.sandbox, credential);
/** 404 shows that the key is accepted: the payment does not exist. */
const statusWith = async (credential: string) => (await api(credential).read('x')).status;
const reaches = (credential: string, status: number) =>
  eventually(`requests with the key get ${status}`, async () => (await statusWith(credential)) === status);

beforeAll(async () => {
  platform = await joinSharedPlatform();
  const team = await platform.createTeam();
  owner = platform.admin.as(team.owner.session);
  application = await platform.createApplication(team);
  const { body } = await owner.call(ADMIN_ROUTES.createKey, {
    application_id: application.id,
    name: 'Reads only',
    environment: 'sandbox',
    scopes: ['payment:read'],
  });
  reader = { id: body.id, credential: shownOnce(body.secret) };
  await reaches(reader.credential, 404);
});
afterAll(() => platform?.leave());

it('a key with one scope reads a payment, and gets 403 for every other operation', async () => {
  const payment = await api(application.keys.sandbox).create({
    amount: 100,
    currency: 'EUR',
    payment_method: 'pm_hold',
  });
  const limited = api(reader.credential);
  expect((await limited.read(payment.body.id)).body).toEqual(payment.body);
  expect(await limited.create()).toMatchObject({
    status: 403,
    body: { code: 'insufficient-scope', required_scope: 'payment:create' },
  });
  expect(await limited.cancel(payment.body.id)).toMatchObject({
    status: 403,
    body: { code: 'insufficient-scope', required_scope: 'payment:cancel' },
  });
  expect((await limited.read(payment.body.id)).body).toEqual(payment.body);
});

it('a rotated key works beside its successor during the overlap, until it is revoked', async () => {
  const { body } = await owner.call(ADMIN_ROUTES.rotateKey, { key_id: reader.id, overlap_s: OVERLAP_S });
  const successor = shownOnce(body.secret);
  await reaches(successor, 404);
  expect(await statusWith(reader.credential)).toBe(404);
  expect((await api(successor).create()).status).toBe(403);

  await owner.call(ADMIN_ROUTES.revokeKey, { key_id: reader.id });
  await reaches(reader.credential, 401);
  expect(await api(reader.credential).read('x')).toMatchObject({ body: { code: 'invalid-api-key' } });
  expect(await statusWith(successor)).toBe(404);
});

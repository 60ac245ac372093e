import { rotateKey } from '@tollgate/contracts/applications/rpc';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

let platform: SharedPlatform;
let team: TestTeam;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
});
afterAll(() => platform?.leave());

async function sandbox(): Promise<{ api: ApiClient; application: TestApplication }> {
  const application = await platform.createApplication(team);
  return { application, api: apiClient(platform.baseUrl.sandbox, application.keys.sandbox) };
}

it('an idempotency key creates one payment and returns fifty equal responses for fifty concurrent requests', async () => {
  const { api } = await sandbox();
  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      api.create({ amount: 7, currency: 'EUR', payment_method: 'pm_hold' }, 'k-50'),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(201));
  expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  const another = await api.create({ amount: 7, currency: 'EUR' }, 'k-51');
  expect(another.body.id).not.toBe(responses[0]?.body.id);
});

it('an idempotency key is rejected with another request, and matches whether quoted or bare and in any member order', async () => {
  const { api } = await sandbox();
  const first = await api.create({ amount: 7, currency: 'EUR' }, 'k');
  const replay = await api.create({ currency: 'EUR', amount: 7 }, '"k"');
  expect([replay.status, replay.body.id]).toEqual([201, first.body.id]);
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
  const other = await api.create({ amount: 8, currency: 'EUR' }, 'k');
  expect(other.status).toBe(422);
  expect(other.body).toMatchObject({ code: 'idempotency-key-reused' });
});

it('an idempotency key replays the original response after the payment has settled', async () => {
  const { api } = await sandbox();
  const created = await api.create({ amount: 7, currency: 'EUR' }, 'settles');
  await eventually('it settled', async () => (await api.read(created.body.id)).body.status === 'succeeded');
  const replay = await api.create({ amount: 7, currency: 'EUR' }, 'settles');
  expect(replay.status).toBe(201);
  expect(replay.body).toEqual(created.body);
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
});

it('an idempotency key belongs to the application, not to the API key: a retry with the rotated key is replayed', async () => {
  const { api, application } = await sandbox();
  const created = await api.create({ amount: 7, currency: 'EUR' }, 'rotates');
  const rotated = await team.owner.call(rotateKey, {
    key_id: application.keyIds.sandbox,
    overlap_s: 0,
  });
  const renewed = apiClient(platform.baseUrl.sandbox, shownOnce(rotated.secret));
  await eventually(
    'the new key has reached the gateway',
    async () => (await renewed.read('x')).status === 404,
  );
  const replay = await renewed.create({ amount: 7, currency: 'EUR' }, 'rotates');
  expect(replay.body).toEqual(created.body);
});

it('an idempotency key of a cancellation replays the canceled payment, and is independent of the key of a creation', async () => {
  const { api } = await sandbox();
  const { body } = await api.create({ amount: 7, currency: 'EUR', payment_method: 'pm_hold' }, 'same');
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => api.cancel(body.id, { cancellation_reason: 'duplicate' }, 'same')),
  );
  expect(new Set(answers.map((response) => `${response.status} ${JSON.stringify(response.body)}`)).size).toBe(
    1,
  );
  expect(answers[0]).toMatchObject({ status: 200, body: { status: 'canceled', version: 2 } });
  const reused = await api.cancel(body.id, { cancellation_reason: 'fraudulent' }, 'same');
  expect([reused.status, (reused.body as unknown as { code: string }).code]).toEqual([
    422,
    'idempotency-key-reused',
  ]);
});

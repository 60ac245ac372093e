import { createKey, revokeKey } from '@tollgate/contracts/applications/rpc';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { report } from '../../support/report.ts';

const REVOCATIONS = 100;
/** Sent one after the other, so that it is the same on a busy machine: a few milliseconds on an idle one. */
const MAX_ACCEPTED = 2;

let platform: Platform;
let application: TestApplication;

beforeAll(async () => {
  platform = await startPlatform();
  application = await platform.createApplication();
});
afterAll(() => platform.stop());

async function newKey() {
  const request = { application_id: application.id, name: 'short-lived', environment: 'sandbox' } as const;
  const { id, secret } = await platform.call(createKey, request);
  const key = { id, secret: shownOnce(secret) };
  await eventually('the key is accepted', async () => (await statusOf(key.secret)) === 404, {
    intervalMs: 1,
  });
  return key;
}

/** 404 for an accepted key (payment "x" does not exist), 401 for a rejected one. */
async function statusOf(credential: string): Promise<number> {
  return (await apiClient(platform.baseUrl.sandbox, credential).read('x')).status;
}

it(`a revoked key is rejected by a running gateway after at most ${MAX_ACCEPTED} requests since the reply of the RPC`, async () => {
  const accepted: number[] = [];
  for (let index = 0; index < REVOCATIONS; index++) {
    const key = await newKey();
    await platform.call(revokeKey, { key_id: key.id });
    let count = 0;
    while ((await statusOf(key.secret)) !== 401) count += 1;
    accepted.push(count);
  }
  const late = accepted.filter((count) => count > 0);
  report(
    `${late.length} of ${REVOCATIONS} revoked keys were accepted again, at most ${Math.max(...accepted)} times`,
  );
  expect(Math.max(...accepted)).toBeLessThanOrEqual(MAX_ACCEPTED);
  expect(late.length).toBeLessThan(REVOCATIONS / 10);
}, 120_000);

it('a valid key still authenticates while applications and MongoDB are stopped', async () => {
  const key = await newKey();
  await platform.processes.applications.kill();
  await platform.infra.mongodb.kill();
  try {
    const api = apiClient(platform.baseUrl.sandbox, key.secret);
    const [accepted, refused] = [
      await api.create(),
      await apiClient(platform.baseUrl.sandbox, `${key.secret}x`).create(),
    ];
    expect(accepted.status).toBe(503);
    expect(accepted.headers.get('ratelimit')).not.toBeNull();
    expect(refused.status).toBe(401);
  } finally {
    await platform.infra.mongodb.start();
    await platform.processes.applications.start();
  }
  await eventually('payments are accepted again', async () => {
    return (await apiClient(platform.baseUrl.sandbox, key.secret).create()).status === 201;
  });
}, 60_000);

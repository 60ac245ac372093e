import { createKey, revokeKey } from '@tollgate/contracts/rpc/applications';
import { eventually } from '@tollgate/test-kit/eventually';
import { startInfra } from '@tollgate/test-kit/infra';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { report } from '../../support/report.ts';

const MAX_DELAY_MS = 5_000;

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

describe('NATS killed and its store deleted', () => {
  it('a key revoked meanwhile is rejected within 5 s of the restart, and other keys keep working', async () => {
    const application = await platform.createApplication();
    const key = await platform.call(createKey, {
      application_id: application.id,
      name: 'doomed',
      environment: 'sandbox',
    });
    const doomed = apiClient(platform.baseUrl.sandbox, key.secret);
    const other = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
    await eventually('the key is accepted', async () => (await doomed.read('x')).status === 404);

    await platform.infra.nats.deleteStore();
    // The revocation must reach MongoDB but not the gateway's NATS, so an instance with a NATS of its own revokes the
    // key.
    const elsewhere = await startInfra({ nats: true });
    const applications = await platform.startApplicationsBeside(elsewhere.natsUrl);
    await applications.call(revokeKey, { key_id: key.id });
    await applications.stop();
    await elsewhere.stop();
    expect((await doomed.read('x')).status).toBe(404);
    expect((await other.create()).status).toBe(201);

    await platform.infra.nats.start();
    const returnedAt = performance.now();
    await eventually('the revoked key is rejected', async () => (await doomed.read('x')).status === 401, {
      timeoutMs: MAX_DELAY_MS,
    });
    report(`rejected ${(performance.now() - returnedAt).toFixed(0)} ms after NATS's return`);
    expect((await other.create()).status).toBe(201);
  }, 60_000);
});

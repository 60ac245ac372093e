import { createKey, revokeKey } from '@tollgate/contracts/rpc/applications';
import { shownOnce } from '@tollgate/contracts/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { report } from '../../support/report.ts';

const REVOCATIONS = 200;
const MAX_REVOCATION_DELAY_MS = 100;

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

function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}

describe('a revoked key', () => {
  it(`is rejected by a running gateway within ${MAX_REVOCATION_DELAY_MS} ms of the RPC's reply`, async () => {
    const delaysMs: number[] = [];
    for (let index = 0; index < REVOCATIONS; index++) {
      const key = await newKey();
      await platform.call(revokeKey, { key_id: key.id });
      const respondedAt = performance.now();
      // When the last accepted request was sent. The delay is 0 when the first request is rejected.
      let acceptedAt = respondedAt;
      for (;;) {
        const sentAt = performance.now();
        if ((await statusOf(key.secret)) === 401) break;
        acceptedAt = sentAt;
      }
      delaysMs.push(acceptedAt - respondedAt);
    }
    delaysMs.sort((a, b) => a - b);
    const [p50, p99, max] = [percentile(delaysMs, 0.5), percentile(delaysMs, 0.99), percentile(delaysMs, 1)];
    report(
      `${REVOCATIONS} revocations: last accepted request p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms after the response`,
    );
    expect(max).toBeLessThan(MAX_REVOCATION_DELAY_MS);
  }, 120_000);
});

describe('a valid key', () => {
  it('still authenticates while applications and MongoDB are stopped', async () => {
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
});

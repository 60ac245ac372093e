import { openBucket } from '@tollgate/bus/kv';
import { type BucketMirror, mirrorBucket } from '@tollgate/bus/kv-mirror';
import { member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import { keyEntryKey, PRINCIPALS_BUCKET } from '@tollgate/contracts/applications/principal';
import * as contract from '@tollgate/contracts/applications/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { startPartitionProxy } from '@tollgate/test-kit/partition-proxy';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { revokeKey } from '../src/keys/revoke-key.ts';
import { service as applications } from '../src/service.ts';
import { createApplication, createKey, type Harness, type Service, startHarness } from './harness.ts';

/** A gateway must receive all changes within this time after NATS is back. */
const CONVERGENCE_MS = 5_000;
/** Less than the timeouts of the projection (3 s) and of a request to NATS (5 s). */
const CONVERGENCE_AFTER_RECONNECT_MS = 2_000;

let harness: Harness;
let service: Service;
let mirror: BucketMirror;
let mirrored = new Map<string, unknown>();

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  mirror = mirrorBucket(harness.client, PRINCIPALS_BUCKET, {
    onSnapshot: (entries) => {
      mirrored = new Map(entries);
    },
    onEntry: (name, value) => (value === null ? mirrored.delete(name) : mirrored.set(name, value)),
    logger: harness.logger,
  });
});
afterAll(async () => {
  await mirror.stop();
  await harness.stop();
});

async function createKeys() {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const kept = await createKey(harness, actor, application);
  const lost = await createKey(harness, actor, application);
  await eventually(
    'the mirror has both keys',
    () => statusOf(kept) === 'active' && statusOf(lost) === 'active',
  );
  return { actor, kept, lost };
}

function statusOf(key: { lookup_id: string }): string | undefined {
  return (mirrored.get(keyEntryKey(key.lookup_id)) as { status: string } | undefined)?.status;
}

/**
 * Loses the bucket, and waits until the service has filled a new one. It does not poll the bucket for an entry: nats-server 2.9 crashes
 * on a read from a stream that is being created.
 */
async function refilledAfter(lose: () => Promise<unknown>, timeoutMs: number): Promise<void> {
  const before = harness.logLines.length;
  await lose();
  await eventually(
    'the bucket is filled again',
    () => {
      const lines = harness.logLines.slice(before);
      const lost = lines.findIndex((line) => line.includes('NATS lost the principals bucket'));
      return lost >= 0 && lines.slice(lost).some((line) => line.includes('principals reconciled'));
    },
    { timeoutMs },
  );
}

it.each(['keeps', 'loses'])(
  'a gateway that mirrors the bucket receives within 5 s of NATS’s return a revocation made during an outage, when NATS %s its store',
  async (store) => {
    const { actor, kept, lost } = await createKeys();
    expect(service.reasonsNotReady()).toEqual([]);
    await (store === 'loses' ? harness.infra.nats.deleteStore() : harness.infra.nats.kill());
    await eventually('the service states why it is not ready', () =>
      service.reasonsNotReady().includes('NATS is not connected'),
    );
    const revocation = revokeKey(service.app.context, actor, { key_id: lost.id });
    // A caller that revokes a key must not get a success while gateways cannot know of it.
    await expect(revocation).rejects.toMatchObject({ details: { code: 'unavailable' } });
    expect(statusOf(lost)).toBe('active');

    await harness.infra.nats.start();
    const startedAt = performance.now();
    await eventually(
      'the mirror has the revocation and the other key',
      () => statusOf(lost) === 'revoked' && statusOf(kept) === 'active',
      { timeoutMs: CONVERGENCE_MS },
    );
    process.stdout.write(
      `revocation mirrored ${Math.round(performance.now() - startedAt)} ms after NATS's return (it ${store} its store)\n`,
    );

    await eventually('the service is ready again', () => service.reasonsNotReady().length === 0);
    const revoke = () => harness.call(actor, contract.revokeKey, { key_id: kept.id });
    await eventually('another revocation is complete', async () => {
      return (await revoke().catch(() => null))?.status === 'revoked';
    });
    expect(await harness.keyEntry(kept)).toMatchObject({ status: 'revoked' });
  },
);

it.each(['is deleted', 'is deleted and made again, empty, by someone else'])(
  'the service refills the bucket within seconds when it %s while NATS keeps running',
  async (how) => {
    const { kept, lost } = await createKeys();
    await refilledAfter(async () => {
      await harness.client.nats.request(`$JS.API.STREAM.DELETE.KV_${PRINCIPALS_BUCKET}`);
      if (how !== 'is deleted') await openBucket(harness.client, PRINCIPALS_BUCKET, { create: true });
    }, CONVERGENCE_MS);
    for (const key of [kept, lost]) expect(await harness.keyEntry(key)).toMatchObject({ status: 'active' });
  },
);

it('the service refills the bucket when MongoDB comes back after NATS', async () => {
  const { kept } = await createKeys();
  await refilledAfter(async () => {
    await harness.infra.mongodb.kill();
    await harness.infra.nats.deleteStore();
    await harness.infra.nats.start();
    await eventually('the service is connected to NATS', () => service.bus.isConnected());
    await harness.infra.mongodb.start();
  }, 30_000);
  await eventually('the test is connected to NATS', () => harness.client.isConnected());
  expect(await harness.keyEntry(kept)).toMatchObject({ status: 'active' });
});

it('a gateway receives a revocation that was in flight when the connection of the service broke, at its reconnect', async () => {
  const { actor, lost } = await createKeys();
  // Otherwise it could write the revocation.
  await service.stop();
  const proxy = await startPartitionProxy(harness.infra.natsUrl);
  onTestFinished(() => proxy.stop());
  const env = { ...harness.processEnv, NATS_URL: proxy.url };
  const { app, bus } = await harness.start(applications, env, {});
  await eventually('the bucket is filled', () => app.reconciler.hasReconciled());

  proxy.partition('silent');
  const sent = bus.nats.stats().outMsgs;
  const revocation = rejection(revokeKey(app.context, actor, { key_id: lost.id }));
  await eventually('a request is in flight', async () => {
    const stored = await app.context.apiKeys.find(actor.team_id, lost.id);
    return stored?.revoked_at != null && bus.nats.stats().outMsgs > sent;
  });
  const reconnected = Promise.withResolvers<number>();
  bus.onReconnect(() => reconnected.resolve(performance.now()));
  proxy.partition('closed');
  await eventually('the service notices', () => !bus.isConnected());
  proxy.heal();
  const reconnectedAt = await reconnected.promise;
  await eventually('the mirror has the revocation', () => statusOf(lost) === 'revoked');
  const convergedAfterMs = performance.now() - reconnectedAt;
  process.stdout.write(
    `revocation mirrored ${Math.round(convergedAfterMs)} ms after the reconnect of the service\n`,
  );
  expect(convergedAfterMs).toBeLessThan(CONVERGENCE_AFTER_RECONNECT_MS);
  expect(await revocation).toMatchObject({ code: 'unavailable' });
});

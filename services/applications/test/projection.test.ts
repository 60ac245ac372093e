import type { Bucket } from '@tollgate/bus/kv';
import { member } from '@tollgate/bus/test/member';
import {
  applicationEntryKey,
  COMPLETE_ENTRY_KEY,
  type KeyEntry,
  keyEntryKey,
  PRINCIPALS_BUCKET,
} from '@tollgate/contracts/applications/principal';
import * as contract from '@tollgate/contracts/applications/rpc';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { createSignatureVerifier } from '@tollgate/security/signature';
import { parseSignerPublicKeys } from '@tollgate/security/signing-keys';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyEntry as keyAuditEntry } from '../src/audit-entry.ts';
import { type ApiKey, revoked, rotated } from '../src/keys/api-key.ts';
import { keyEntry, TOMBSTONE_MS } from '../src/principals/principal-entry.ts';
import { createPrincipalProjection } from '../src/principals/principal-projection.ts';
import { createPrincipalSource } from '../src/principals/principal-source.ts';
import { createPrincipalsBucket } from '../src/principals/principals-bucket.ts';
import { createPrincipalReconciler, RECONCILE_INTERVAL_MS } from '../src/principals/reconcile-principals.ts';
import { createRestoreFromBucket } from '../src/principals/restore-from-bucket.ts';
import { serveApplicationsRpc } from '../src/rpc.ts';
import { createApplication, createKey, type Harness, type Service, startHarness } from './harness.ts';

let harness: Harness;
let service: Service;
let bucket: Bucket;
let rpc: { stop(): Promise<void> };

beforeAll(async () => {
  harness = await startHarness();
  // Only served, not started: no reconciliation runs unless a test calls it.
  service = await harness.startService({ isStarted: false });
  rpc = serveApplicationsRpc(service.bus, service.app.context, harness);
  await service.app.reconciler.reconcileIfDue();
  bucket = await harness.bucket();
});
afterAll(async () => {
  await rpc.stop();
  await harness.stop();
});

async function createTestKey() {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const key = await createKey(harness, actor, application);
  const revoke = () => harness.call(actor, contract.revokeKey, { key_id: key.id });
  const read = async () => {
    const found = await service.app.context.apiKeys.find(actor.team_id, key.id);
    if (!found) throw new Error('The key is gone.');
    return found;
  };
  return { actor, application, key, entryKey: keyEntryKey(key.lookup_id), revoke, read };
}

/** Writes a key as an earlier backup of the database has it. */
async function restore(backup: ApiKey): Promise<void> {
  await service.connection
    .collection<{ _id: string }>('api_keys')
    .updateOne(
      { _id: backup._id },
      { $set: { version: backup.version, name: backup.name, revoked_at: null } },
    );
}

async function reconcile(): Promise<number | null> {
  service.app.reconciler.reconcileSoon();
  return service.app.reconciler.reconcileIfDue();
}

/** Stores a change like a use case that ends before it publishes the key. */
function change(key: ApiKey, action: AuditAction, decide: (before: ApiKey, now: Date) => ApiKey) {
  const { context } = service.app;
  const { _id, team_id } = key;
  return changeAudited(
    context,
    context.apiKeys,
    { _id, team_id },
    decide,
    keyAuditEntry(action, SYSTEM_AUTHOR),
  );
}

/** What a projection needs besides its source. */
function projectionDeps() {
  return {
    bucket: createPrincipalsBucket(service.bus),
    restoreFromBucket: createRestoreFromBucket({
      ...service.app.context,
      signer: harness.issuerKeys.signers.applications,
      clock: harness.clock,
    }),
    signer: harness.issuerKeys.signers.applications,
    verifier: createSignatureVerifier(parseSignerPublicKeys(harness.issuerKeys.publicKeys)),
    logger: harness.logger,
  };
}

/** A projection that pauses between its read of MongoDB and its write to the bucket, until the test resumes it. */
function createPausedProjection() {
  const hasRead = Promise.withResolvers<void>();
  const mayWrite = Promise.withResolvers<void>();
  const { applications, apiKeys, peppers } = service.app.context;
  const deps = {
    applications,
    apiKeys,
    peppers,
    bucket: createPrincipalsBucket(service.bus),
    clock: harness.clock,
  };
  const source = createPrincipalSource(deps);
  const pausing = {
    async read(entryKeys: string[]) {
      const entries = await source.read(entryKeys);
      hasRead.resolve();
      await mayWrite.promise;
      return entries;
    },
    raiseVersion: source.raiseVersion,
  };
  const projection = createPrincipalProjection({ ...projectionDeps(), source: pausing });
  return { projection, hasRead: hasRead.promise, goOn: mayWrite.resolve };
}

it.each([
  ['would have made the entry', (entryKey: string, revision: number) => bucket.delete(entryKey, revision)],
  [
    'would have replaced the entry',
    async (entryKey: string, revision: number) =>
      void (await bucket.update(entryKey, { version: 0 }, revision)),
  ],
])(
  'a late writer that read before a revocation and writes after it does not restore the key, when it %s',
  async (_case, corrupt) => {
    const { entryKey, revoke } = await createTestKey();
    const intact = await bucket.get(entryKey);
    await corrupt(entryKey, intact?.revision ?? 0);

    const late = createPausedProjection();
    const writing = late.projection.project([entryKey]);
    await late.hasRead;
    await revoke();
    late.goOn();
    await writing;
    expect(await bucket.get(entryKey)).toMatchObject({ value: { status: 'revoked', version: 2 } });
  },
);

it('a late writer that read an older state of MongoDB than the bucket holds writes nothing', async () => {
  const { entryKey, revoke, read } = await createTestKey();
  const old = keyEntry(await read(), harness.peppers);
  await revoke();
  const projection = createPrincipalProjection({
    ...projectionDeps(),
    source: { read: async () => new Map([[entryKey, old]]), raiseVersion: async () => undefined },
  });
  expect(await projection.project([entryKey])).toBe(0);
  expect(await bucket.get(entryKey)).toMatchObject({ value: { status: 'revoked' } });
});

it('a change after a backup of MongoDB was restored takes effect on a key whose entry is ahead', async () => {
  const { actor, key, entryKey, read, revoke } = await createTestKey();
  const backup = await read();
  for (const name of ['One', 'Two', 'Three']) {
    await harness.call(actor, contract.updateKey, { key_id: key.id, name });
  }
  expect(await bucket.get(entryKey)).toMatchObject({ value: { version: 4 } });
  await restore(backup);

  await revoke();

  expect(await bucket.get(entryKey)).toMatchObject({ value: { status: 'revoked', version: 5 } });
  expect(await read()).toMatchObject({ version: 5 });
});

it('a change after a backup of MongoDB was restored takes effect with the next reconciliation when NATS did not take it at once', async () => {
  const { actor, key, entryKey, read } = await createTestKey();
  const backup = await read();
  for (const name of ['One', 'Two']) {
    await harness.call(actor, contract.updateKey, { key_id: key.id, name });
  }
  await restore(backup);
  const source = createPrincipalSource({ ...service.app.context, clock: harness.clock });
  let isDown = true;
  const deps = projectionDeps();
  const get: typeof deps.bucket.get = (name) =>
    isDown ? Promise.reject(new Error('NATS is down')) : deps.bucket.get(name);
  const projection = createPrincipalProjection({ ...deps, source, bucket: { ...deps.bucket, get } });
  await change(backup, 'key.updated', (before) => ({ ...before, version: 2, scopes: [] }));

  await expect(projection.projectChange([entryKey])).rejects.toThrow('NATS is down');
  isDown = false;
  await projection.project([entryKey]);

  expect(await bucket.get(entryKey)).toMatchObject({ value: { scopes: [], version: 4 } });
});

it('a change after a backup of MongoDB was restored that revoked a key takes effect with the next reconciliation, after any crash', async () => {
  const { actor, key, entryKey, read } = await createTestKey();
  const backup = await read();
  for (const name of ['One', 'Two']) {
    await harness.call(actor, contract.updateKey, { key_id: key.id, name });
  }
  await restore(backup);
  await change(backup, 'key.revoked', (before, now) => revoked(before, null, now));

  await reconcile();

  expect(await bucket.get(entryKey)).toMatchObject({ value: { status: 'revoked', version: 4 } });
});

it('a change after a backup of MongoDB was restored takes effect on an application whose entry is ahead', async () => {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const { applications } = service.app.context;
  const backup = await applications.find(actor.team_id, application.id);
  for (const name of ['One', 'Two', 'Three']) {
    await harness.call(actor, contract.renameApplication, { application_id: application.id, name });
  }
  await service.connection
    .collection<{ _id: string }>('applications')
    .updateOne({ _id: application.id }, { $set: { name: backup?.name, version: backup?.version } });

  await harness.call(actor, contract.setScopes, { application_id: application.id, scopes: [] });

  expect(await harness.applicationEntry(application)).toMatchObject({ scopes: [], version: 5 });
});

describe('a restore of MongoDB', () => {
  const published: AuditEntry[] = [];
  beforeAll(() => {
    harness.client.nats.subscribe('audit.>', {
      callback: (_error, message) => void published.push(message.json()),
    });
  });

  /** The newest audit entry of the key or application. */
  async function auditOf(id: string): Promise<AuditEntry | undefined> {
    await service.audit.drain();
    await harness.client.nats.flush();
    return published.findLast(({ target }) => target.id === id);
  }

  it('a restore of MongoDB keeps a key revoked, in the database and in a bucket that is rebuilt from it', async () => {
    const { key, entryKey, read, revoke } = await createTestKey();
    const backup = await read();
    await revoke();
    await restore(backup);

    expect(await reconcile()).toBe(0);

    expect(await read()).toMatchObject({ version: 2, revoked_at: expect.any(Date) });
    expect(await auditOf(key.id)).toMatchObject({
      action: 'key.revoked',
      actor: { type: 'system' },
      changes: { revoked_at: { before: null, after: expect.any(String) } },
    });
    await bucket.delete(entryKey, (await bucket.get(entryKey))?.revision ?? 0);
    await reconcile();
    expect(await bucket.get(entryKey)).toMatchObject({ value: { status: 'revoked', version: 2 } });
  });

  it('a restore of MongoDB keeps a key revoked when a member changes it before the next reconciliation', async () => {
    const { actor, key, entryKey, read, revoke } = await createTestKey();
    const backup = await read();
    await revoke();
    await restore(backup);

    await harness.call(actor, contract.updateKey, { key_id: key.id, name: 'Renamed' }).catch(() => undefined);

    await reconcile();
    expect(await bucket.get(entryKey)).toMatchObject({ value: { status: 'revoked' } });
    expect(await read()).toMatchObject({ revoked_at: expect.any(Date) });
  });

  it('a restore of MongoDB keeps the expiry, addresses, and scopes of a key', async () => {
    const { actor, key, read } = await createTestKey();
    const backup = await read();
    const expiresAt = new Date(harness.clock.now() + 3_600_000);
    await harness.call(actor, contract.updateKey, {
      key_id: key.id,
      expires_at: expiresAt.toISOString(),
      allowed_cidrs: ['192.0.2.0/24'],
      scopes: ['payment:read'],
    });
    const { _id, ...fields } = { ...backup, outbox: [] };
    await service.connection.collection<{ _id: string }>('api_keys').updateOne({ _id }, { $set: fields });

    await reconcile();

    expect(await read()).toMatchObject({
      version: 2,
      expires_at: expiresAt,
      allowed_cidrs: ['192.0.2.0/24'],
      scopes: ['payment:read'],
    });
  });

  it('a restore of MongoDB keeps an application archived', async () => {
    const actor = member('admin');
    const application = await createApplication(harness, actor);
    await harness.call(actor, contract.archiveApplication, { application_id: application.id });
    await service.connection
      .collection<{ _id: string }>('applications')
      .updateOne({ _id: application.id }, { $set: { status: 'active', version: 1 } });

    await reconcile();

    expect(await service.app.context.applications.find(actor.team_id, application.id)).toMatchObject({
      status: 'archived',
      version: 2,
    });
    expect(await auditOf(application.id)).toMatchObject({ action: 'application.archived' });
  });

  it('a restore of MongoDB causes no audit entry when only the name was lost', async () => {
    const { actor, key, read } = await createTestKey();
    const backup = await read();
    await harness.call(actor, contract.updateKey, { key_id: key.id, name: 'Renamed' });
    await restore(backup);

    await reconcile();

    expect(await read()).toMatchObject({ version: 2, name: backup.name });
    expect((await auditOf(key.id))?.actor.type).not.toBe('system');
  });
});

it('a reconciliation writes only differences', async () => {
  const [changed, untouched] = [await createTestKey(), await createTestKey()];
  await reconcile();
  const revision = (await bucket.get(untouched.entryKey))?.revision;
  const before = await changed.read();
  await change(before, 'key.revoked', (key, now) => revoked(key, null, now));

  expect(await reconcile()).toBe(1);
  expect(await bucket.get(changed.entryKey)).toMatchObject({ value: { status: 'revoked', version: 2 } });
  expect(await reconcile()).toBe(0);
  expect((await bucket.get(untouched.entryKey))?.revision).toBe(revision);
});

it('a reconciliation of an instance that starts writes what was stored before', async () => {
  const { entryKey, read } = await createTestKey();
  const before = await read();
  await change(before, 'key.revoked', (key, now) => revoked(key, null, now));
  expect((await bucket.get(entryKey))?.value).toMatchObject({ status: 'active' });
  const started = await harness.startService();
  expect((await bucket.get(entryKey))?.value).toMatchObject({ status: 'revoked' });
  await started.stop();
});

it('a reconciliation runs at startup and every few minutes, and not in between', async () => {
  const { reconciler } = (await harness.startService({ isStarted: false })).app;
  expect(await reconciler.reconcileIfDue()).toBe(0);
  expect(await reconciler.reconcileIfDue()).toBeNull();
  harness.clock.advance(RECONCILE_INTERVAL_MS - 1);
  expect(await reconciler.reconcileIfDue()).toBeNull();
  harness.clock.advance(1);
  expect(await reconciler.reconcileIfDue()).toBe(0);
});

it('a reconciliation restores deleted entries, and removes entries without a document', async () => {
  const { application, key, entryKey } = await createTestKey();
  const names = [entryKey, applicationEntryKey(application.id)];
  for (const name of names) await bucket.delete(name, (await bucket.get(name))?.revision ?? 0);
  const stranger = { ...((await harness.keyEntry(key)) as KeyEntry), version: 9 };
  await bucket.create(keyEntryKey('Z'.repeat(16)), stranger);

  expect(await reconcile()).toBe(3);
  expect(await harness.keyEntry(key)).toMatchObject({ id: key.id, status: 'active' });
  expect(await harness.applicationEntry(application)).toMatchObject({ status: 'active' });
  expect(await bucket.get(keyEntryKey('Z'.repeat(16)))).toBeNull();
});

it('a reconciliation restores a revocation that a foreign writer undid', async () => {
  const { entryKey, revoke } = await createTestKey();
  const before = await bucket.get(entryKey);
  await revoke();
  const after = await bucket.get(entryKey);
  await bucket.update(entryKey, before?.value, after?.revision ?? 0);
  await reconcile();
  expect(await bucket.get(entryKey)).toMatchObject({ value: { status: 'revoked', version: 2 } });
});

it('a reconciliation replaces an entry that it did not sign, and signs nothing that it contains', async () => {
  const { entryKey, key } = await createTestKey();
  const stored = await bucket.get(entryKey);
  const forged = { ...(stored?.value as object), version: 99, owner: 'team_stranger' };
  await bucket.update(entryKey, forged, stored?.revision ?? 0);
  expect(await reconcile()).toBe(1);
  const entry = await harness.keyEntry(key);
  expect(entry).toMatchObject({ id: key.id, version: 1 });
  expect(entry).not.toHaveProperty('owner');
});

it('a reconciliation keeps the entry of a revoked key without a document, because a restore may be in progress', async () => {
  const { key, entryKey, revoke } = await createTestKey();
  await revoke();
  const collection = service.connection.collection<{ _id: string }>('api_keys');
  const document = await collection.findOne({ _id: key.id });
  if (!document) throw new Error('The key has no document.');
  await collection.deleteOne({ _id: key.id });
  expect(await reconcile()).toBe(0);
  expect(await bucket.get(entryKey)).toMatchObject({ value: { status: 'revoked', version: 2 } });
  await collection.insertOne(document);
});

it('a reconciliation replaces an entry that is not a valid principal', async () => {
  const { entryKey, key } = await createTestKey();
  await bucket.update(entryKey, 'nonsense', (await bucket.get(entryKey))?.revision ?? 0);
  expect(await reconcile()).toBe(1);
  expect(await harness.keyEntry(key)).toMatchObject({ id: key.id });
});

it('a reconciliation keeps the entry of a revoked key for 30 days, then removes it', async () => {
  const { key, revoke } = await createTestKey();
  await revoke();
  harness.clock.advance(TOMBSTONE_MS - 1);
  await reconcile();
  expect(await harness.keyEntry(key)).toMatchObject({ status: 'revoked' });
  harness.clock.advance(1);
  await reconcile();
  expect(await harness.keyEntry(key)).toBeNull();
  expect(await reconcile()).toBe(0);
});

it('a reconciliation finishes a rotation that a crash interrupted', async () => {
  const { actor, application, read } = await createTestKey();
  const before = await read();
  const credential = { lookup_id: 'R'.repeat(16), digest: 'c'.repeat(64), pepper_version: '1' };
  const old = await change(before, 'key.rotated', (key, now) => rotated(key, credential, 60_000, now));

  const restarted = await harness.startService({ isStarted: false });
  expect(await restarted.app.reconciler.reconcileIfDue()).toBe(2);
  const { data } = await harness.call(actor, contract.listKeys, { application_id: application.id });
  expect(data.map(({ id }) => id).sort()).toEqual([before._id, old.successor?._id].sort());
  expect(await bucket.get(keyEntryKey('R'.repeat(16)))).toMatchObject({ value: { status: 'active' } });
  expect(await restarted.app.context.apiKeys.findAllRotating(10)).toEqual([]);
  await restarted.app.context.apiKeys.completeRotation(old);
  expect(await reconcile()).toBe(0);
});

it('a reconciliation does not mark a bucket as complete that another instance recreated in the meantime', async () => {
  const [first, second] = [await createTestKey(), await createTestKey()];
  const anew = createPrincipalsBucket(service.bus);
  let isFirstRun = true;
  const source = {
    ...createPrincipalSource({ ...service.app.context, clock: harness.clock }),
    async *listEntryKeys() {
      yield [first.entryKey];
      if (isFirstRun) {
        isFirstRun = false;
        await harness.client.nats.request(`$JS.API.STREAM.DELETE.KV_${PRINCIPALS_BUCKET}`);
        await anew.ensure();
      }
      yield [second.entryKey];
    },
  };
  const deps = { ...service.app.context, ...projectionDeps(), source, bucket: anew };
  const reconciler = createPrincipalReconciler({
    ...deps,
    projection: createPrincipalProjection(deps),
    clock: harness.clock,
  });

  await expect(reconciler.reconcileIfDue()).rejects.toThrow('recreated');
  expect(await bucket.get(COMPLETE_ENTRY_KEY)).toBeNull();
  expect(await reconciler.reconcileIfDue()).toBe(1);
  expect(await bucket.get(COMPLETE_ENTRY_KEY)).not.toBeNull();
  for (const { entryKey } of [first, second]) expect(await bucket.get(entryKey)).not.toBeNull();
  await reconcile();
});

it('a reconciliation on two instances at once leaves each entry at the state of MongoDB', async () => {
  const keys = [await createTestKey(), await createTestKey(), await createTestKey()];
  const other = await harness.startService({ isStarted: false });
  for (const { entryKey } of keys) await bucket.delete(entryKey, (await bucket.get(entryKey))?.revision ?? 0);
  await Promise.all([reconcile(), other.app.reconciler.reconcileIfDue()]);
  for (const { key } of keys) expect(await harness.keyEntry(key)).toMatchObject({ id: key.id, version: 1 });
});

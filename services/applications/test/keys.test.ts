import { afterAWhile, member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { APPLICATION_LIMITS, type Application } from '@tollgate/contracts/applications/application';
import * as contract from '@tollgate/contracts/applications/rpc';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { digestApiKey, parseApiKey } from '@tollgate/security/api-key';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, createKey, type Harness, type Service, startHarness } from './harness.ts';

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());

function timeIn(ms: number): string {
  return new Date(harness.clock.now() + ms).toISOString();
}

async function applicationWithKey(fields: Parameters<typeof createKey>[3] = {}) {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const key = await createKey(harness, actor, application, fields);
  const ref = { key_id: key.id };
  const readKey = (id: string) => harness.call(actor, contract.getKey, { key_id: id });
  return { actor, application, key, ref, readKey };
}

/** Creates as many keys as an application with one key can still have. */
async function fillWithKeys(actor: Actor, application: Application): Promise<void> {
  const room = APPLICATION_LIMITS.activeKeysPerApplication - 1;
  await Promise.all(Array.from({ length: room }, () => createKey(harness, actor, application)));
}

it('a new key comes with a credential that gateways can check when the reply arrives', async () => {
  const { actor, application, key } = await applicationWithKey({
    environment: 'live',
    scopes: ['payment:read'],
    expires_at: timeIn(HOUR_MS),
    allowed_cidrs: ['10.1.2.3/8', '::ffff:10.0.0.0/104', '2001:DB8::1'],
  });
  expect(parseApiKey(key.secret)).toEqual({ environment: 'live', lookupId: key.lookup_id });
  expect(await harness.keyEntry(key)).toEqual({
    version: 1,
    id: key.id,
    application_id: application.id,
    environment: 'live',
    digest: digestApiKey(key.secret, harness.peppers.current.key).toString('hex'),
    pepper_version: '1',
    pepper_fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    scopes: ['payment:read'],
    allowed_cidrs: ['10.0.0.0/8', '2001:db8::1/128'],
    expires_at: timeIn(HOUR_MS),
    status: 'active',
    signature: expect.objectContaining({ issuer: 'applications' }),
  });
  const { secret: _secret, ...shown } = key;
  const { data } = await harness.call(actor, contract.listKeys, { application_id: application.id });
  expect(data).toEqual([shown]);
});

it('a new key without scopes has all scopes of the application, now and later', async () => {
  const { key } = await applicationWithKey();
  expect(key.scopes).toBeNull();
  expect(await harness.keyEntry(key)).toMatchObject({ scopes: SCOPE_NAMES });
});

it('a new key is rejected with a pointer to each invalid field', async () => {
  const { actor, application } = await applicationWithKey();
  const call = createKey(harness, actor, application, {
    scopes: ['payment:read', 'payment:cancel'],
    expires_at: timeIn(0),
    allowed_cidrs: ['10.0.0.0/8', 'everywhere'],
  });
  const { code, errors } = await rejection(call);
  expect(code).toBe('invalid-request');
  expect(errors?.map(({ pointer }) => pointer)).toEqual(['/scopes/1', '/expires_at', '/allowed_cidrs/1']);
});

it(`a new key is rejected beyond ${APPLICATION_LIMITS.activeKeysPerApplication} active ones, and accepted again after one is revoked`, async () => {
  const { actor, application, ref } = await applicationWithKey();
  await fillWithKeys(actor, application);
  expect(await rejection(createKey(harness, actor, application))).toMatchObject({ code: 'conflict' });
  await harness.call(actor, contract.revokeKey, ref);
  await createKey(harness, actor, application);
});

describe('an edit', () => {
  it("an edit is in the gateways' bucket when the reply arrives, and leaves other fields unchanged", async () => {
    const { actor, key, ref, readKey } = await applicationWithKey({ scopes: ['payment:read'] });
    const { secret: _secret, ...before } = key;
    const edit = (fields: object) => harness.call(actor, contract.updateKey, { ...ref, ...fields });

    const narrowed = { allowed_cidrs: ['10.1.2.3/8'], expires_at: timeIn(HOUR_MS), name: ' Worker ' };
    const expected = { allowed_cidrs: ['10.0.0.0/8'], expires_at: timeIn(HOUR_MS) };
    expect(await edit(narrowed)).toEqual({ ...before, ...expected, name: 'Worker', version: 2 });
    expect(await harness.keyEntry(key)).toMatchObject({ ...expected, scopes: ['payment:read'], version: 2 });

    const widened = { scopes: null, expires_at: null, allowed_cidrs: [] };
    expect(await edit(widened)).toEqual({ ...before, ...widened, name: 'Worker', version: 3 });
    expect(await harness.keyEntry(key)).toMatchObject({
      scopes: SCOPE_NAMES,
      expires_at: null,
      allowed_cidrs: [],
      version: 3,
    });
    expect(await readKey(key.id)).toMatchObject({ version: 3 });
  });

  it('an edit that changes nothing keeps the version', async () => {
    const { actor, key, ref } = await applicationWithKey({ expires_at: timeIn(HOUR_MS) });
    const { name, scopes, allowed_cidrs, expires_at } = key;
    for (const same of [{}, { name, scopes, allowed_cidrs, expires_at }]) {
      const reply = await harness.call(actor, contract.updateKey, { ...ref, ...same });
      expect(reply).toMatchObject({ version: 1 });
    }
  });

  it('an edit is rejected with a pointer to each invalid field', async () => {
    const { actor, ref } = await applicationWithKey();
    const call = harness.call(actor, contract.updateKey, {
      ...ref,
      scopes: ['payment:read', 'payment:cancel'],
      expires_at: timeIn(0),
      allowed_cidrs: ['everywhere'],
    });
    const { code, errors } = await rejection(call);
    expect(code).toBe('invalid-request');
    expect(errors?.map(({ pointer }) => pointer)).toEqual(['/scopes/1', '/expires_at', '/allowed_cidrs/0']);
    const blank = harness.call(actor, contract.updateKey, { ...ref, name: ' ' });
    expect(await rejection(blank)).toMatchObject({ errors: [{ pointer: '/name' }] });
  });

  it('an edit is rejected for a caller that read an older version', async () => {
    const { actor, ref } = await applicationWithKey();
    const rename = (name: string) => harness.call(actor, contract.updateKey, { ...ref, if_version: 1, name });
    expect(await rename('Worker')).toMatchObject({ version: 2 });
    expect(await rejection(rename('Other'))).toMatchObject({ code: 'precondition-failed' });
  });

  it('an edit is rejected for a key that is revoked, expired, or rotated, and never revives it', async () => {
    const revive = (one: Awaited<ReturnType<typeof applicationWithKey>>) =>
      harness.call(one.actor, contract.updateKey, { ...one.ref, expires_at: timeIn(10 * HOUR_MS) });
    const revoked = await applicationWithKey();
    await harness.call(revoked.actor, contract.revokeKey, revoked.ref);
    const rotated = await applicationWithKey();
    await harness.call(rotated.actor, contract.rotateKey, { ...rotated.ref, overlap_s: 3600 });
    const expired = await applicationWithKey({ expires_at: timeIn(1) });
    harness.clock.advance(1);
    for (const ended of [revoked, rotated, expired]) {
      const before = await harness.keyEntry(ended.key);
      expect(await rejection(revive(ended))).toMatchObject({ code: 'conflict' });
      expect(await harness.keyEntry(ended.key)).toEqual(before);
    }
  });

  it('concurrent with a revocation never leaves the key active', async () => {
    for (let round = 0; round < 10; round++) {
      const { actor, key, ref, readKey } = await applicationWithKey();
      await Promise.allSettled([
        harness.call(actor, contract.updateKey, { ...ref, name: 'Worker', expires_at: timeIn(HOUR_MS) }),
        harness.call(actor, contract.revokeKey, ref),
      ]);
      expect(await readKey(key.id)).toMatchObject({ status: 'revoked' });
      expect(await harness.keyEntry(key)).toMatchObject({ status: 'revoked' });
    }
  });
});

it("a revocation is in the gateways' bucket when the reply arrives", async () => {
  const { actor, key, ref } = await applicationWithKey();
  const response = await harness.call(actor, contract.revokeKey, { ...ref, reason: 'leaked' });
  expect(response).toMatchObject({ status: 'revoked', revocation_reason: 'leaked', version: 2 });
  expect(await harness.keyEntry(key)).toMatchObject({ status: 'revoked', version: 2 });
});

it('a revocation can be repeated, and keeps the first reason', async () => {
  const { actor, ref } = await applicationWithKey();
  const first = await harness.call(actor, contract.revokeKey, { ...ref, reason: 'leaked' });
  harness.clock.advance(1000);
  expect(await harness.call(actor, contract.revokeKey, { ...ref, reason: 'other' })).toEqual(first);
});

it('a member without a recent authentication gets no new live key, by creation or rotation', async () => {
  const { actor, application, key, ref, readKey } = await applicationWithKey({ environment: 'live' });
  const earlier = afterAWhile(actor, harness.clock.now());
  const create = createKey(harness, earlier, application, { environment: 'live' });
  expect(await rejection(create)).toMatchObject({ code: 'reauthentication-required' });
  const rotate = harness.call(earlier, contract.rotateKey, { ...ref, overlap_s: 0 });
  expect(await rejection(rotate)).toMatchObject({ code: 'reauthentication-required' });
  expect(await readKey(key.id)).toMatchObject({ rotated_to: null, status: 'active' });
});

it('a member without a recent authentication creates and rotates sandbox keys, and revokes live keys', async () => {
  const { actor, application, ref } = await applicationWithKey({ environment: 'live' });
  const earlier = afterAWhile(actor, harness.clock.now());
  const { id } = await createKey(harness, earlier, application);
  await harness.call(earlier, contract.rotateKey, { key_id: id, overlap_s: 0 });
  await harness.call(earlier, contract.revokeKey, ref);
});

describe('a rotation', () => {
  it('a rotation creates a key with the same permissions, and keeps the old one active for the overlap', async () => {
    const { actor, key, ref, readKey } = await applicationWithKey({
      scopes: ['payment:read'],
      allowed_cidrs: ['10.0.0.0/8'],
    });
    const successor = await harness.call(actor, contract.rotateKey, { ...ref, overlap_s: 3600 });
    const { name, environment, scopes, allowed_cidrs, expires_at } = key;
    expect(successor).toMatchObject({
      name,
      environment,
      scopes,
      allowed_cidrs,
      expires_at,
      status: 'active',
    });
    expect(successor.secret).not.toBe(key.secret);
    expect(await harness.keyEntry(successor)).toMatchObject({ id: successor.id, status: 'active' });
    expect(await harness.keyEntry(key)).toMatchObject({ expires_at: timeIn(HOUR_MS), version: 2 });

    harness.clock.advance(HOUR_MS - 1);
    expect(await readKey(key.id)).toMatchObject({ status: 'active', rotated_to: successor.id });
    harness.clock.advance(1);
    expect(await readKey(key.id)).toMatchObject({ status: 'expired' });
    expect(await readKey(successor.id)).toMatchObject({ status: 'active' });
  });

  it('a rotation without an overlap ends the old key immediately', async () => {
    const { actor, key, ref, readKey } = await applicationWithKey();
    await harness.call(actor, contract.rotateKey, { ...ref, overlap_s: 0 });
    expect(await readKey(key.id)).toMatchObject({ status: 'expired' });
    expect(await harness.keyEntry(key)).toMatchObject({ expires_at: timeIn(0) });
  });

  it('a rotation never extends the lifetime of a key', async () => {
    const { actor, key, ref } = await applicationWithKey({ expires_at: timeIn(HOUR_MS) });
    const successor = await harness.call(actor, contract.rotateKey, { ...ref, overlap_s: 7200 });
    expect(successor.expires_at).toBe(key.expires_at);
    expect(await harness.keyEntry(key)).toMatchObject({ expires_at: key.expires_at });
  });

  it('a rotation is rejected for a key that is revoked, expired, or already rotated', async () => {
    const rotate = (one: Awaited<ReturnType<typeof applicationWithKey>>) =>
      harness.call(one.actor, contract.rotateKey, { ...one.ref, overlap_s: 3600 });
    const revoked = await applicationWithKey();
    await harness.call(revoked.actor, contract.revokeKey, revoked.ref);
    const rotated = await applicationWithKey();
    await rotate(rotated);
    const expired = await applicationWithKey({ expires_at: timeIn(1) });
    harness.clock.advance(1);
    for (const ended of [revoked, rotated, expired]) {
      expect(await rejection(rotate(ended))).toMatchObject({ code: 'conflict' });
    }
  });

  it('a rotation succeeds once among many concurrent ones, and the others leave no key behind', async () => {
    const { actor, application, key, ref } = await applicationWithKey();
    const rotations = await Promise.allSettled(
      Array.from({ length: 20 }, () => harness.call(actor, contract.rotateKey, { ...ref, overlap_s: 3600 })),
    );
    const won = rotations.flatMap((rotation) => (rotation.status === 'fulfilled' ? [rotation.value] : []));
    const lost = rotations.flatMap((rotation) =>
      rotation.status === 'rejected' ? [rotation.reason.details.code] : [],
    );
    expect(won).toHaveLength(1);
    expect(new Set(lost)).toEqual(new Set(['conflict']));
    const { data } = await harness.call(actor, contract.listKeys, { application_id: application.id });
    expect(data.map(({ id }) => id).sort()).toEqual([key.id, won[0]?.id].sort());
  });

  it('concurrent with a revocation never leaves the old key active', async () => {
    for (let round = 0; round < 10; round++) {
      const { actor, key, ref, readKey } = await applicationWithKey();
      await Promise.allSettled([
        harness.call(actor, contract.rotateKey, { ...ref, overlap_s: 3600 }),
        harness.call(actor, contract.revokeKey, ref),
      ]);
      expect(await readKey(key.id)).toMatchObject({ status: 'revoked' });
      expect(await harness.keyEntry(key)).toMatchObject({ status: 'revoked' });
    }
  });

  it('a rotation is possible when the application has the maximum number of keys', async () => {
    const { actor, application, ref } = await applicationWithKey();
    await fillWithKeys(actor, application);
    await harness.call(actor, contract.rotateKey, { ...ref, overlap_s: 3600 });
    expect(await rejection(createKey(harness, actor, application))).toMatchObject({ code: 'conflict' });
  });
});

it('a credential is never stored, projected, audited, or logged', async () => {
  const { actor, key, ref } = await applicationWithKey();
  const successor = await harness.call(actor, contract.rotateKey, { ...ref, overlap_s: 0 });
  await harness.call(actor, contract.revokeKey, { ...ref, key_id: successor.id });
  const documents = [];
  for (const collection of await service.connection.listCollections()) {
    documents.push(...(await service.connection.collection(collection.name).find().toArray()));
  }
  const bucket = await harness.bucket();
  const entries = await Promise.all((await bucket.keys()).map((name) => bucket.get(name)));
  const everything = JSON.stringify([documents, entries, harness.logLines]);
  expect(everything).toContain(key.lookup_id);
  for (const { secret } of [key, successor]) expect(everything).not.toContain(secret?.slice(-38, -6));
});

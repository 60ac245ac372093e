import { member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/applications/rpc';
import type { Role } from '@tollgate/contracts/platform/roles';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createApplication,
  createKey,
  type Harness,
  PLACE_OF_LEAK,
  reportLeak,
  startHarness,
} from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
});
afterAll(() => harness.stop());

async function keyOfTeam(policy?: 'revoke' | 'flag') {
  const actor = member('admin');
  if (policy) await harness.call(actor, contract.setLeakedKeyPolicy, { policy });
  const application = await createApplication(harness, actor);
  const key = await createKey(harness, actor, application);
  return {
    actor,
    key,
    read: () => harness.call(actor, contract.getKey, { key_id: key.id }),
    unhandled: async () =>
      (await harness.call(actor, contract.listKeys, { leak: 'unhandled' })).data.map(({ id }) => id),
  };
}

it('a leaked key is revoked by default, and gateways know it when the report is confirmed', async () => {
  const { key, read, unhandled } = await keyOfTeam();
  expect(await reportLeak(harness, key.secret)).toBe(true);
  expect(await harness.keyEntry(key)).toMatchObject({ status: 'revoked' });
  expect(await read()).toMatchObject({
    status: 'revoked',
    revocation_reason: expect.stringContaining('in public'),
    leaked: { url: PLACE_OF_LEAK, source: 'commit', handled_at: null },
  });
  expect(await unhandled()).toEqual([key.id]);
});

it('a leaked key keeps working under the policy "flag"', async () => {
  const { key, read } = await keyOfTeam('flag');
  await reportLeak(harness, key.secret);
  expect(await harness.keyEntry(key)).toMatchObject({ status: 'active' });
  expect(await read()).toMatchObject({ status: 'active', leaked: { handled_at: null } });
});

it('a leaked key is reported once: further reports change nothing, also under another policy', async () => {
  const { actor, key, read } = await keyOfTeam('flag');
  await reportLeak(harness, key.secret);
  const handled = await harness.call(actor, contract.handleLeak, { key_id: key.id });
  await harness.call(actor, contract.setLeakedKeyPolicy, { policy: 'revoke' });
  expect(await reportLeak(harness, key.secret, { url: 'https://example.com/other' })).toBe(true);
  expect(await read()).toEqual(handled);
});

it('a leaked key that many reports name at the same time is recorded once', async () => {
  const { key, read } = await keyOfTeam();
  await Promise.all(Array.from({ length: 4 }, () => reportLeak(harness, key.secret)));
  expect((await read()).version).toBe(2);
});

it('a leaked key needs no more attention when a member handles the leak or revokes the key', async () => {
  const [handled, revoked] = [await keyOfTeam('flag'), await keyOfTeam('flag')];
  for (const { key } of [handled, revoked]) await reportLeak(harness, key.secret);
  await harness.call(handled.actor, contract.handleLeak, { key_id: handled.key.id });
  await harness.call(revoked.actor, contract.revokeKey, { key_id: revoked.key.id });
  for (const { unhandled, read } of [handled, revoked]) {
    expect(await unhandled()).toEqual([]);
    expect((await read()).leaked?.handled_at).toEqual(expect.any(String));
  }
});

it('a leaked key can be rotated, and its successor has no leak', async () => {
  const { actor, key } = await keyOfTeam('flag');
  await reportLeak(harness, key.secret);
  const rotated = { key_id: key.id, overlap_s: 60 };
  expect((await harness.call(actor, contract.rotateKey, rotated)).leaked).toBeNull();
});

it.each<[string, Record<string, string>]>([
  ['without a digest', {}],
  ['with the digest of another secret', { 1: 'ab'.repeat(32) }],
  ['with a digest that is cut off', { 1: 'ab' }],
  ['with a digest under an unknown pepper', { other: 'ab'.repeat(32) }],
])('a leaked key is unknown to a report %s', async (_proof, digests) => {
  const { key, read } = await keyOfTeam();
  expect(await reportLeak(harness, key.secret, { digests })).toBe(false);
  expect(await read()).toMatchObject({ status: 'active', leaked: null });
});

it('the policy for leaked keys is "revoke" until it is set, and belongs to one team', async () => {
  const actor = member('admin');
  expect(await harness.call(actor, contract.getLeakedKeyPolicy, {})).toEqual({
    policy: 'revoke',
    version: 1,
  });
  const set = await harness.call(actor, contract.setLeakedKeyPolicy, { policy: 'flag', if_version: 1 });
  expect(set).toEqual({ policy: 'flag', version: 2 });
  expect(await harness.call(actor, contract.getLeakedKeyPolicy, {})).toEqual(set);
  expect(await harness.call(member('viewer'), contract.getLeakedKeyPolicy, {})).toMatchObject({
    version: 1,
  });
});

it('the policy for leaked keys is not overwritten by a member who read an earlier version', async () => {
  const actor = member('admin');
  const set = (policy: 'revoke' | 'flag') =>
    harness.call(actor, contract.setLeakedKeyPolicy, { policy, if_version: 1 });
  await set('flag');
  expect((await rejection(set('revoke'))).code).toBe('precondition-failed');
});

it.each<Role>(['viewer', 'developer'])(
  'the policy for leaked keys is not set by a member with the role %s',
  async (role) => {
    const call = harness.call(member(role), contract.setLeakedKeyPolicy, { policy: 'flag' });
    expect((await rejection(call)).code).toBe('forbidden');
  },
);

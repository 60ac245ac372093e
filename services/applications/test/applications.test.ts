import { member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { Application } from '@tollgate/contracts/applications/application';
import { DEFAULT_LIMITS } from '@tollgate/contracts/applications/rate-limit';
import * as contract from '@tollgate/contracts/applications/rpc';
import type { Static } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApplication, createKey, type Harness, startHarness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
});
afterAll(() => harness.stop());

it("an application is created for the actor's team with the default limits, and gateways know it when the reply arrives", async () => {
  const actor = member('developer');
  const application = await createApplication(harness, actor);
  expect(application).toMatchObject({
    name: 'Shop',
    status: 'active',
    version: 1,
    limits: DEFAULT_LIMITS,
    labels: {},
    require_idempotency_key: { live: true, sandbox: false },
    created_at: new Date(harness.clock.now()).toISOString(),
  });
  expect(await harness.applicationEntry(application)).toEqual({
    version: 1,
    team_id: actor.team_id,
    status: 'active',
    scopes: ['payment:create', 'payment:read'],
    limits: DEFAULT_LIMITS,
    require_idempotency_key: { live: true, sandbox: false },
    deleted_at: null,
    signature: expect.objectContaining({ issuer: 'applications' }),
  });
});

it('an application is created by one call with limits, labels, and the idempotency key requirement', async () => {
  const fields = {
    limits: { ...DEFAULT_LIMITS, live: { requests_per_second: 7, burst: 9 } },
    labels: { team: 'checkout', env: 'prod' },
    require_idempotency_key: { live: false, sandbox: true },
  };
  const application = await createApplication(harness, member('admin'), fields);
  expect(application).toMatchObject({ ...fields, version: 1 });
  const { labels: _labels, ...projected } = fields;
  expect(await harness.applicationEntry(application)).toMatchObject({ ...projected, version: 1 });
});

it.each([
  ['an upper-case key', { Env: 'prod' }],
  ['a key with a colon', { 'env:eu': 'prod' }],
  ['a key of 41 characters', { ['k'.repeat(41)]: '' }],
  ['a value of 101 characters', { env: 'v'.repeat(101) }],
  ['a control character', { env: 'a\nb' }],
  ['21 labels', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, '']))],
])('an application cannot have labels with %s', async (_what, labels) => {
  const call = createApplication(harness, member('developer'), { labels });
  expect(await rejection(call)).toMatchObject({ code: 'invalid-request' });
});

it('an application gets other labels as a whole', async () => {
  const actor = member('developer');
  const { id } = await createApplication(harness, actor, { labels: { env: 'test', team: 'checkout' } });
  const labels = { env: 'prod', url: 'https://shop.example/a:b', flag: '' };
  const set = () => harness.call(actor, contract.setLabels, { application_id: id, if_version: 1, labels });
  const changed = await set();
  expect(changed).toMatchObject({ version: 2 });
  expect(changed.labels).toEqual(labels);
  expect(await harness.call(actor, contract.getApplication, { application_id: id })).toEqual(changed);
  expect(await rejection(set())).toMatchObject({ code: 'precondition-failed' });
});

it('an application cannot have a blank name', async () => {
  const call = harness.call(member('developer'), contract.createApplication, { name: ' \t', scopes: [] });
  expect(await rejection(call)).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/name' }] });
});

it('an application can be renamed, but not to a blank name', async () => {
  const actor = member('developer');
  const { id, ...created } = await createApplication(harness, actor);
  const rename = (name: string) =>
    harness.call(actor, contract.renameApplication, { application_id: id, if_version: 1, name });
  expect(await rejection(rename(' '))).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/name' }],
  });
  const renamed = { ...created, id, name: 'Store', version: 2 };
  expect(await rename('Store')).toEqual(renamed);
  expect(await harness.call(actor, contract.getApplication, { application_id: id })).toEqual(renamed);
  expect(await rejection(rename('Third'))).toMatchObject({ code: 'precondition-failed' });
});

it('an application shows every change to gateways before the reply', async () => {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const ref = { application_id: application.id };
  const limits = { ...DEFAULT_LIMITS, sandbox: { requests_per_second: 3, burst: 4 } };

  await harness.call(actor, contract.setScopes, { ...ref, scopes: ['payment:read'] });
  expect(await harness.applicationEntry(application)).toMatchObject({
    version: 2,
    scopes: ['payment:read'],
  });
  await harness.call(actor, contract.setLimits, { ...ref, limits });
  expect(await harness.applicationEntry(application)).toMatchObject({ version: 3, limits });
  const requirement = { require_idempotency_key: { live: false, sandbox: true } };
  await harness.call(actor, contract.setIdempotencyKeyRequirement, { ...ref, ...requirement });
  expect(await harness.applicationEntry(application)).toMatchObject({ version: 4, ...requirement });
  await harness.call(actor, contract.archiveApplication, ref);
  expect(await harness.applicationEntry(application)).toMatchObject({ version: 5, status: 'archived' });
  await harness.call(actor, contract.restoreApplication, ref);
  expect(await harness.applicationEntry(application)).toMatchObject({ version: 6, status: 'active' });
});

it('an application keeps its version when a request changes nothing', async () => {
  const actor = member('developer');
  const { id } = await createApplication(harness, actor);
  const ref = { application_id: id };
  await harness.call(actor, contract.renameApplication, { ...ref, name: ' Shop ' });
  await harness.call(actor, contract.setScopes, { ...ref, scopes: ['payment:read', 'payment:create'] });
  await harness.call(actor, contract.setLabels, { ...ref, labels: {} });
  await harness.call(actor, contract.setIdempotencyKeyRequirement, {
    ...ref,
    require_idempotency_key: { live: true, sandbox: false },
  });
  await harness.call(actor, contract.restoreApplication, ref);
  expect(await harness.call(actor, contract.getApplication, ref)).toMatchObject({ version: 1 });
});

it('an application is not changed by a caller that read an older version', async () => {
  const actor = member('developer');
  const { id } = await createApplication(harness, actor);
  const setScopes = (version: number) =>
    harness.call(actor, contract.setScopes, {
      application_id: id,
      if_version: version,
      scopes: ['payment:read'],
    });
  expect(await setScopes(1)).toMatchObject({ version: 2 });
  expect(await rejection(setScopes(1))).toMatchObject({ code: 'precondition-failed' });
  expect(await rejection(setScopes(3))).toMatchObject({ code: 'precondition-failed' });
});

it('an application accepts exactly one of many changes that start from the same version', async () => {
  const actor = member('admin');
  const { id } = await createApplication(harness, actor);
  const changes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      harness.call(actor, contract.setLimits, {
        application_id: id,
        if_version: 1,
        limits: { ...DEFAULT_LIMITS, live: { requests_per_second: index + 1, burst: 1 } },
      }),
    ),
  );
  const won = changes.flatMap((change) => (change.status === 'fulfilled' ? [change.value] : []));
  expect(won).toHaveLength(1);
  expect(await harness.call(actor, contract.getApplication, { application_id: id })).toEqual(won[0]);
});

it('an application loses none of many concurrent changes that name no version', async () => {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const ref = { application_id: application.id };
  await Promise.all([
    harness.call(actor, contract.setScopes, { ...ref, scopes: ['payment:cancel'] }),
    harness.call(actor, contract.setLimits, {
      ...ref,
      limits: { ...DEFAULT_LIMITS, live: { requests_per_second: 9, burst: 9 } },
    }),
    harness.call(actor, contract.archiveApplication, ref),
  ]);
  const expected = { version: 4, status: 'archived', scopes: ['payment:cancel'] };
  expect(await harness.call(actor, contract.getApplication, ref)).toMatchObject(expected);
  expect(await harness.applicationEntry(application)).toMatchObject(expected);
});

it('an application cannot get keys while it is archived', async () => {
  const actor = member('developer');
  const application = await createApplication(harness, actor);
  const ref = { application_id: application.id };
  const key = await createKey(harness, actor, application);
  const rotate = () => harness.call(actor, contract.rotateKey, { key_id: key.id, overlap_s: 60 });
  await harness.call(actor, contract.archiveApplication, ref);
  for (const call of [() => createKey(harness, actor, application), rotate]) {
    const { code, detail } = await rejection(call());
    expect([code, detail]).toEqual(['conflict', expect.stringContaining('archived')]);
  }
  expect((await harness.call(actor, contract.listKeys, ref)).data.map(({ id }) => id)).toEqual([key.id]);
  await harness.call(actor, contract.restoreApplication, ref);
  expect(await rotate()).toMatchObject({ status: 'active' });
});

it('a key is found by its lookup id and by the beginning of it, within its team', async () => {
  const actor = member('developer');
  const application = await createApplication(harness, actor);
  const { id, lookup_id } = await createKey(harness, actor, application);
  await createKey(harness, actor, application);
  const find = async (searcher: typeof actor, lookup_id: string) =>
    (await harness.call(searcher, contract.listKeys, { lookup_id })).data.map((key) => key.id);
  expect(await find(actor, lookup_id)).toEqual([id]);
  expect(await find(actor, lookup_id.slice(0, 9))).toEqual([id]);
  expect(await find(actor, lookup_id.slice(1))).toEqual([]);
  expect(await find(member('developer'), lookup_id)).toEqual([]);
});

it('a list can be paged to its end and back, newest first, without gaps or repeats', async () => {
  const actor = member('developer');
  const ids: string[] = [];
  for (let count = 0; count < 7; count++) ids.unshift((await createApplication(harness, actor)).id);
  ids.sort().reverse();
  const list = (cursor?: string | null) =>
    harness.call(actor, contract.listApplications, { limit: 3, ...(cursor && { cursor }) });
  const idsOf = (page: Awaited<ReturnType<typeof list>>) => page.data.map(({ id }) => id);

  const first = await list();
  const second = await list(first.next_cursor);
  const third = await list(second.next_cursor);
  expect([first, second, third].map(idsOf)).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  expect([first.previous_cursor, third.next_cursor]).toEqual([null, null]);

  const back = await list(third.previous_cursor);
  const start = await list(back.previous_cursor);
  expect([back, start].map(idsOf)).toEqual([ids.slice(3, 6), ids.slice(0, 3)]);
  expect(start.previous_cursor).toBeNull();
  expect(idsOf(await list(start.next_cursor))).toEqual(ids.slice(3, 6));
});

it('a list can be limited to applications of one status', async () => {
  const actor = member('developer');
  const [active, archived] = [
    await createApplication(harness, actor),
    await createApplication(harness, actor),
  ];
  await harness.call(actor, contract.archiveApplication, { application_id: archived.id });
  const list = async (status?: Application['status']) => {
    const { data } = await harness.call(actor, contract.listApplications, status ? { status } : {});
    return data.map(({ id }) => id).sort();
  };
  expect(await list('active')).toEqual([active.id]);
  expect(await list('archived')).toEqual([archived.id]);
  expect(await list()).toEqual([active.id, archived.id].sort());
});

it('a list can be limited to applications with a label, or with a text in their name in any case', async () => {
  const actor = member('developer');
  const create = (name: string, labels: Record<string, string>) =>
    createApplication(harness, actor, { name, labels });
  const shop = await create('Shop (EU)', { env: 'prod', region: 'eu' });
  const bishop = await create('Bishop', { env: 'test', region: 'eu' });
  const umlaut = await create('ÜBERSICHT', { env: 'product' });
  const list = async (filter: Static<typeof contract.listApplications.request>) => {
    const { data } = await harness.call(actor, contract.listApplications, filter);
    return data.map(({ id }) => id).sort();
  };
  expect(await list({ label: 'env:prod' })).toEqual([shop.id]);
  expect(await list({ label: 'region:eu' })).toEqual([shop.id, bishop.id].sort());
  expect(await list({ label: 'region:eu', name: 'bi' })).toEqual([bishop.id]);
  expect(await list({ label: 'region:e' })).toEqual([]);
  expect(await list({ name: 'sHoP' })).toEqual([shop.id, bishop.id].sort());
  expect(await list({ name: 'p (e' })).toEqual([shop.id]);
  expect(await list({ name: 'über' })).toEqual([umlaut.id]);
  expect(await list({ name: '.*' })).toEqual([]);
  await harness.call(actor, contract.setLabels, { application_id: shop.id, labels: { env: 'test' } });
  expect(await list({ label: 'env:prod' })).toEqual([]);
  expect(await list({ label: 'env:test' })).toEqual([shop.id, bishop.id].sort());
});

it('a list by label can be paged', async () => {
  const actor = member('developer');
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    await createApplication(harness, actor);
    ids.unshift((await createApplication(harness, actor, { labels: { env: 'prod', tier: '1' } })).id);
  }
  const filter = { label: 'env:prod', limit: 2 };
  const first = await harness.call(actor, contract.listApplications, filter);
  const cursor = first.next_cursor as string;
  const second = await harness.call(actor, contract.listApplications, { ...filter, cursor });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.sort().reverse());
  expect(second.next_cursor).toBeNull();
});

it.each(['', 'env', 'Env:prod', 'env:a\nb'])(
  'a list rejects a filter that is no label: "%s"',
  async (label) => {
    const call = harness.call(member('viewer'), contract.listApplications, { label });
    expect(await rejection(call)).toMatchObject({ errors: [{ pointer: '/label' }] });
  },
);

it('a list can be limited to keys by environment, status, application, and name', async () => {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const key = (environment: 'live' | 'sandbox', fields = {}) =>
    createKey(harness, actor, application, { environment, ...fields });
  const [live, sandbox] = [await key('live'), await key('sandbox')];
  const expired = await key('live', { expires_at: new Date(harness.clock.now() + 1_000).toISOString() });
  const revoked = await key('live');
  await harness.call(actor, contract.revokeKey, { key_id: revoked.id });
  harness.clock.advance(2_000);
  const other = await createApplication(harness, actor);
  const otherKey = await createKey(harness, actor, other, { name: 'Batch worker' });
  const list = async (filter: Static<typeof contract.listKeys.request>) => {
    const { data } = await harness.call(actor, contract.listKeys, filter);
    return data.map(({ id }) => id).sort();
  };
  const ref = { application_id: application.id };
  expect(await list({ ...ref, environment: 'live' })).toEqual([live.id, expired.id, revoked.id].sort());
  expect(await list({ ...ref, status: 'active' })).toEqual([live.id, sandbox.id].sort());
  expect(await list({ ...ref, environment: 'sandbox', status: 'active' })).toEqual([sandbox.id]);
  expect(await list({ status: 'expired' })).toEqual([expired.id]);
  expect(await list({ status: 'revoked' })).toEqual([revoked.id]);
  expect(await list({ environment: 'sandbox' })).toEqual([sandbox.id, otherKey.id].sort());
  expect(await list({ name: 'BATCH' })).toEqual([otherKey.id]);
  expect(await list({})).toHaveLength(5);
});

it('a list can be limited to active keys that expire before a time', async () => {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const inMs = (ms: number) => new Date(harness.clock.now() + ms).toISOString();
  const expiring = (ms: number, environment: 'live' | 'sandbox' = 'live') =>
    createKey(harness, actor, application, { environment, expires_at: inMs(ms) });
  const [expired, soon, sandbox, revoked] = [
    await expiring(1_000),
    await expiring(60_000),
    await expiring(60_000, 'sandbox'),
    await expiring(60_000),
  ];
  await expiring(120_000);
  await createKey(harness, actor, application);
  await harness.call(actor, contract.revokeKey, { key_id: revoked.id });
  harness.clock.advance(2_000);
  const list = async (filter: Static<typeof contract.listKeys.request>) => {
    const { data } = await harness.call(actor, contract.listKeys, {
      expires_before: inMs(90_000),
      ...filter,
    });
    return data.map(({ id }) => id);
  };
  expect(await list({})).toEqual([sandbox.id, soon.id]);
  expect(await list({ environment: 'live' })).toEqual([soon.id]);
  expect(await list({ status: 'revoked' })).toEqual([]);
  expect(await list({ expires_before: inMs(0) })).toEqual([]);
  expect(await list({ status: 'expired' })).not.toContain(expired.id);
});

it('a list does not shift under a cursor when an item is added', async () => {
  const actor = member('developer');
  const application = await createApplication(harness, actor);
  const ref = { application_id: application.id };
  const [oldest] = [
    await createKey(harness, actor, application),
    await createKey(harness, actor, application),
  ];
  const { next_cursor } = await harness.call(actor, contract.listKeys, { ...ref, limit: 1 });
  await createKey(harness, actor, application);
  const page = await harness.call(actor, contract.listKeys, {
    ...ref,
    limit: 1,
    cursor: next_cursor as string,
  });
  expect(page).toMatchObject({ data: [{ id: oldest?.id }], next_cursor: null });
});

it.each(['', 'x', Buffer.from('next:everything').toString('base64url')])(
  'a list rejects a cursor that no page returned: "%s"',
  async (cursor) => {
    const call = harness.call(member('viewer'), contract.listApplications, { cursor });
    expect(await rejection(call)).toMatchObject({
      code: 'invalid-request',
      errors: [{ pointer: '/cursor' }],
    });
  },
);

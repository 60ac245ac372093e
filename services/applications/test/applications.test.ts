import { member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { Application } from '@tollgate/contracts/application';
import { DEFAULT_LIMITS } from '@tollgate/contracts/rate-limit';
import * as contract from '@tollgate/contracts/rpc/applications';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, createKey, type Harness, startHarness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
  await harness.startService();
});
afterAll(() => harness.stop());

describe('an application', () => {
  it("is created for the actor's team with the default limits, and gateways know it when the reply arrives", async () => {
    const actor = member('developer');
    const application = await createApplication(harness, actor);
    expect(application).toMatchObject({
      name: 'Shop',
      status: 'active',
      version: 1,
      limits: DEFAULT_LIMITS,
      created_at: new Date(harness.clock.now()).toISOString(),
    });
    expect(await harness.applicationEntry(application)).toEqual({
      version: 1,
      team_id: actor.team_id,
      status: 'active',
      scopes: ['payment:create', 'payment:read'],
      limits: DEFAULT_LIMITS,
    });
  });

  it('cannot have a blank name', async () => {
    const call = harness.call(member('developer'), contract.createApplication, { name: ' \t', scopes: [] });
    expect(await rejection(call)).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/name' }] });
  });

  it('can be renamed, but not to a blank name', async () => {
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

  it('shows every change to gateways before the reply', async () => {
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
    await harness.call(actor, contract.archiveApplication, ref);
    expect(await harness.applicationEntry(application)).toMatchObject({ version: 4, status: 'archived' });
    await harness.call(actor, contract.restoreApplication, ref);
    expect(await harness.applicationEntry(application)).toMatchObject({ version: 5, status: 'active' });
  });

  it('keeps its version when a request changes nothing', async () => {
    const actor = member('developer');
    const { id } = await createApplication(harness, actor);
    const ref = { application_id: id };
    await harness.call(actor, contract.renameApplication, { ...ref, name: ' Shop ' });
    await harness.call(actor, contract.setScopes, { ...ref, scopes: ['payment:read', 'payment:create'] });
    await harness.call(actor, contract.restoreApplication, ref);
    expect(await harness.call(actor, contract.getApplication, ref)).toMatchObject({ version: 1 });
  });

  it('is not changed by a caller that read an older version', async () => {
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

  it('accepts exactly one of many changes that start from the same version', async () => {
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

  it('loses none of many concurrent changes that name no version', async () => {
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

  it('cannot get keys while it is archived', async () => {
    const actor = member('developer');
    const application = await createApplication(harness, actor);
    const ref = { application_id: application.id };
    const key = await createKey(harness, actor, application);
    const rotate = () => harness.call(actor, contract.rotateKey, { key_id: key.id, overlap_s: 60 });
    await harness.call(actor, contract.archiveApplication, ref);
    for (const call of [createKey(harness, actor, application), rotate()]) {
      const { code, detail } = await rejection(call);
      expect([code, detail]).toEqual(['conflict', expect.stringContaining('archived')]);
    }
    expect((await harness.call(actor, contract.listKeys, ref)).data.map(({ id }) => id)).toEqual([key.id]);
    await harness.call(actor, contract.restoreApplication, ref);
    expect(await rotate()).toMatchObject({ status: 'active' });
  });
});

describe('a list', () => {
  it('can be paged to its end and back, newest first, without gaps or repeats', async () => {
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

  it('can be limited to applications of one status', async () => {
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

  it('can be limited to keys of one environment and to active keys', async () => {
    const actor = member('admin');
    const application = await createApplication(harness, actor);
    const key = (environment: 'live' | 'sandbox', fields = {}) =>
      createKey(harness, actor, application, { environment, ...fields });
    const [live, sandbox] = [await key('live'), await key('sandbox')];
    const expired = await key('live', { expires_at: new Date(harness.clock.now() + 1_000).toISOString() });
    const revoked = await key('live');
    await harness.call(actor, contract.revokeKey, { key_id: revoked.id });
    harness.clock.advance(2_000);
    const list = async (filter: { environment?: 'live' | 'sandbox'; status?: 'active' }) => {
      const { data } = await harness.call(actor, contract.listKeys, {
        application_id: application.id,
        ...filter,
      });
      return data.map(({ id }) => id).sort();
    };
    expect(await list({ environment: 'live' })).toEqual([live.id, expired.id, revoked.id].sort());
    expect(await list({ status: 'active' })).toEqual([live.id, sandbox.id].sort());
    expect(await list({ environment: 'sandbox', status: 'active' })).toEqual([sandbox.id]);
  });

  it('does not shift under a cursor when an item is added', async () => {
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
    'rejects a cursor that no page returned: "%s"',
    async (cursor) => {
      const call = harness.call(member('viewer'), contract.listApplications, { cursor });
      expect(await rejection(call)).toMatchObject({
        code: 'invalid-request',
        errors: [{ pointer: '/cursor' }],
      });
    },
  );
});

import { type ConsumedMessage, consume } from '@tollgate/bus/consumer';
import { member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import * as contract from '@tollgate/contracts/applications/rpc';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deleted } from '../src/applications/application.ts';
import { LONGEST_CREATION_MS } from '../src/applications/delete-application.ts';
import { applicationEntry } from '../src/audit-entry.ts';
import { TOMBSTONE_MS } from '../src/principals/principal-entry.ts';
import { serveApplicationsRpc } from '../src/rpc.ts';
import {
  archiveForDeletion,
  createApplication,
  createKey,
  type Harness,
  type Service,
  startHarness,
} from './harness.ts';

let harness: Harness;
let service: Service;
let rpc: { stop(): Promise<void> };
let consumer: { stop(): Promise<void> };
const messages: ConsumedMessage<AuditEntry>[] = [];

beforeAll(async () => {
  harness = await startHarness();
  // Only served, not started: no reconciliation runs unless a test calls it.
  service = await harness.startService({ isStarted: false });
  rpc = serveApplicationsRpc(service.bus, service.app.context, harness);
  await reconcile();
  consumer = consume(harness.client, {
    stream: 'AUDIT',
    durable: 'deletion-test',
    logger: harness.logger,
    schema: AuditEntry,
    handle: async (message) => void messages.push(message),
  });
});
afterAll(async () => {
  await consumer?.stop();
  await rpc?.stop();
  await harness?.stop();
});
afterEach(() => {
  harness.uses.beforeReply = async () => undefined;
});

async function reconcile(): Promise<void> {
  service.app.reconciler.reconcileSoon();
  await service.app.reconciler.reconcileIfDue();
}

const stored = (collection: 'applications' | 'api_keys') =>
  service.connection.collection<{ _id: string; outbox: unknown[] }>(collection);

/** An application with an active and a revoked key. */
async function anApplication() {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const [active, revoked] = [
    await createKey(harness, actor, application, { environment: 'live' }),
    await createKey(harness, actor, application),
  ];
  await harness.call(actor, contract.revokeKey, { key_id: revoked.id });
  const ref = { application_id: application.id };
  return { actor, application, active, revoked, ref, keys: [active, revoked] };
}

async function anArchivedApplication() {
  const created = await anApplication();
  await archiveForDeletion(harness, created.actor, created.application.id);
  await confirmEntries(created.actor);
  return created;
}

/** Resolves once the audit log has all entries of the team. */
async function confirmEntries({ team_id }: Actor): Promise<void> {
  await eventually('the audit log has all entries', async () => {
    await service.audit.sweep();
    const counts = (['applications', 'api_keys'] as const).map((collection) =>
      stored(collection).countDocuments({ team_id, 'outbox.0': { $exists: true } }),
    );
    return (await Promise.all(counts)).every((count) => count === 0);
  });
}

const remove = (actor: Actor, application_id: string, more: { if_version?: number } = {}) =>
  harness.call(actor, contract.deleteApplication, { application_id, ...more });

/** Expects that nothing of the application is left but the entry that keeps it deleted. */
async function expectDeleted({
  actor,
  application,
  keys,
  ref,
}: Awaited<ReturnType<typeof anApplication>>): Promise<void> {
  expect(await rejection(harness.call(actor, contract.getApplication, ref))).toMatchObject({
    code: 'not-found',
  });
  for (const key of keys) expect(await harness.keyEntry(key)).toBeNull();
  expect(await stored('api_keys').countDocuments({ application_id: application.id })).toBe(0);
  expect(await harness.applicationEntry(application)).toMatchObject({
    status: 'archived',
    deleted_at: expect.any(String),
  });
}

it('a deleted application is not found, like its keys, and leaves an audit entry', async () => {
  const created = await anArchivedApplication();
  const { actor, application, active, ref } = created;
  expect(await remove(actor, application.id)).toEqual({});

  await expectDeleted(created);
  for (const call of [
    () => remove(actor, application.id),
    () => harness.call(actor, contract.restoreApplication, ref),
    () => harness.call(actor, contract.getKey, { key_id: active.id }),
  ])
    expect(await rejection(call())).toMatchObject({ code: 'not-found' });
  const lists = [
    await harness.call(actor, contract.listApplications, {}),
    await harness.call(actor, contract.listApplications, { status: 'archived' }),
    await harness.call(actor, contract.listKeys, {}),
  ];
  expect(lists.map(({ data }) => data)).toEqual([[], [], []]);

  const entries = () =>
    messages.map(({ body }) => body).filter(({ action }) => action === 'application.deleted');
  await eventually('the audit entry arrives', () =>
    entries().some(({ target }) => target.id === application.id),
  );
  expect(entries().find(({ target }) => target.id === application.id)).toMatchObject({
    actor: { type: 'member', id: actor.type === 'member' ? actor.member_id : null },
    application_id: application.id,
    target: { type: 'application', name: application.name },
    changes: { deleted_at: { before: null, after: new Date(harness.clock.now()).toISOString() } },
  });
});

it('a deleted application leaves nothing after 30 days', async () => {
  const { actor, application } = await anArchivedApplication();
  await remove(actor, application.id);
  await confirmEntries(actor);
  harness.clock.advance(TOMBSTONE_MS - 1);
  await reconcile();
  expect(await harness.applicationEntry(application)).not.toBeNull();
  harness.clock.advance(1);
  await reconcile();
  expect(await harness.applicationEntry(application)).toBeNull();
  expect(await stored('applications').findOne({ _id: application.id })).toBeNull();
});

it('a deleted application loses its keys if the process ends after the first write', async () => {
  const created = await anArchivedApplication();
  const { actor, application } = created;
  const { context } = service.app;
  await changeAudited(
    context,
    context.applications,
    { _id: application.id, team_id: actor.team_id },
    deleted,
    applicationEntry('application.deleted', actorAuthor(actor)),
  );

  await reconcile();
  await expectDeleted(created);
});

it('a deleted application keeps its document until the audit log has its entry, and a key its document', async () => {
  const { actor, application, active } = await anArchivedApplication();
  const key = await stored('api_keys').findOne({ _id: active.id });
  await stored('api_keys').updateOne({ _id: active.id }, { $set: { outbox: [{ id: 'unconfirmed' }] } });
  await remove(actor, application.id);
  await stored('applications').updateOne(
    { _id: application.id },
    { $set: { outbox: [{ id: 'unconfirmed' }] } },
  );
  expect(await stored('api_keys').countDocuments({ application_id: application.id })).toBe(1);

  harness.clock.advance(TOMBSTONE_MS);
  await reconcile();
  expect(await harness.keyEntry(active)).toBeNull();
  expect(await stored('applications').findOne({ _id: application.id })).not.toBeNull();
  for (const [collection, id] of [
    ['applications', application.id],
    ['api_keys', key?._id ?? ''],
  ] as const)
    await stored(collection).updateOne({ _id: id }, { $set: { outbox: [] } });
  await reconcile();
  expect(await stored('api_keys').countDocuments({ application_id: application.id })).toBe(0);
  expect(await stored('applications').findOne({ _id: application.id })).toBeNull();
});

it('a deleted application stays deleted when MongoDB is restored from a backup in which it is active', async () => {
  const created = await anApplication();
  const { actor, application } = created;
  const backup = {
    application: await stored('applications').findOne({ _id: application.id }),
    keys: await stored('api_keys').find({ application_id: application.id }).toArray(),
  };
  await archiveForDeletion(harness, actor, application.id);
  await remove(actor, application.id);
  await stored('applications').replaceOne({ _id: application.id }, { ...backup.application, outbox: [] });
  await stored('api_keys').deleteMany({ application_id: application.id });
  await stored('api_keys').insertMany(backup.keys.map((key) => ({ ...key, outbox: [] })));

  await reconcile();
  await expectDeleted(created);
  await eventually('the audit log receives the entry', () =>
    messages.some(
      ({ body: { action, actor: author, target } }) =>
        action === 'application.deleted' && author.type === 'system' && target.id === application.id,
    ),
  );
});

describe('an application is not deleted', () => {
  const expectRejected = async (
    { actor, application, ref, keys }: Awaited<ReturnType<typeof anApplication>>,
    problem: object,
    more: { if_version?: number } = {},
  ) => {
    expect(await rejection(remove(actor, application.id, more))).toMatchObject(problem);
    expect(await harness.call(actor, contract.getApplication, ref)).toMatchObject({ id: application.id });
    expect((await harness.call(actor, contract.listKeys, ref)).data).toHaveLength(keys.length);
  };

  it('an application is not deleted while it is active', async () => {
    const created = await anApplication();
    harness.clock.advance(LONGEST_CREATION_MS);
    await expectRejected(created, {
      code: 'conflict',
      detail: 'The application is not archived. Archive it before you delete it.',
    });
  });

  it.each([
    ['payments', 'The application has payments, so it cannot be deleted. It stays archived.'],
    ['endpoints', 'The application has webhook endpoints. Delete them before the application.'],
  ] as const)('an application is not deleted while it has %s', async (use, detail) => {
    const created = await anArchivedApplication();
    harness.uses[use].add(created.application.id);
    await expectRejected(created, { code: 'conflict', detail });
  });

  it('an application is not deleted before a request from before the archival can have created its last payment', async () => {
    const created = await anApplication();
    await harness.call(created.actor, contract.archiveApplication, created.ref);
    const from = new Date(harness.clock.now() + LONGEST_CREATION_MS).toISOString();
    harness.clock.advance(LONGEST_CREATION_MS - 1);
    await expectRejected(created, {
      code: 'conflict',
      detail: expect.stringContaining(`You can delete the application from ${from}.`),
    });
    harness.clock.advance(1);
    await remove(created.actor, created.application.id);
  });

  it('an application is not deleted while payments or webhooks cannot reply', async () => {
    const created = await anArchivedApplication();
    harness.uses.beforeReply = () => Promise.reject(new Problem('unavailable', 'No database.'));
    await expectRejected(created, { code: 'unavailable' });
    harness.uses.beforeReply = () => Promise.reject(new Error('A bug.'));
    await expectRejected(created, { code: 'unavailable' });
  });

  it('an application is not deleted by a caller that read an older version', async () => {
    await expectRejected(await anArchivedApplication(), { code: 'precondition-failed' }, { if_version: 1 });
  });

  it('an application is not deleted if it is restored during the check', async () => {
    const created = await anArchivedApplication();
    harness.uses.beforeReply = () => harness.call(created.actor, contract.restoreApplication, created.ref);
    await expectRejected(created, { code: 'conflict', detail: expect.stringContaining('is not archived') });
  });
});

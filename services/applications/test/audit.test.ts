import { type ConsumedMessage, consume } from '@tollgate/bus/consumer';
import { member } from '@tollgate/bus/test/member';
import { DEFAULT_LIMITS } from '@tollgate/contracts/applications/rate-limit';
import * as contract from '@tollgate/contracts/applications/rpc';
import { AUDIT_ACTIONS, AuditEntry } from '@tollgate/contracts/audit/audit';
import { createMessageVerifier } from '@tollgate/security/message-verifier';
import { parseSignerPublicKeys } from '@tollgate/security/signing-keys';
import { eventually } from '@tollgate/test-kit/eventually';
import Value from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { archiveApplication, setLabels } from '../src/applications/change-application.ts';
import { createApplication as insertApplication } from '../src/applications/create-application.ts';
import {
  createApplication,
  createKey,
  type Harness,
  PLACE_OF_LEAK,
  reportLeak,
  type Service,
  startHarness,
} from './harness.ts';

let harness: Harness;
let service: Service;
let consumer: { stop(): Promise<void> };
const messages: ConsumedMessage<AuditEntry>[] = [];

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  consumer = consume(harness.client, {
    stream: 'AUDIT',
    durable: 'audit-test',
    logger: harness.logger,
    schema: AuditEntry,
    handle: async (message) => void messages.push(message),
  });
});
afterAll(async () => {
  await consumer.stop();
  await harness.stop();
});

function entriesOf(teamId: string): AuditEntry[] {
  return messages.map(({ body }) => body).filter((entry) => entry.team_id === teamId);
}

async function waitingEntries(): Promise<number> {
  const { connection } = service;
  const counts = ['applications', 'api_keys'].map((name) =>
    connection.collection(name).countDocuments({ 'outbox.0': { $exists: true } }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

it('the audit log receives one entry for each change, and none for a request that changes nothing', async () => {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const ref = { application_id: application.id };
  const limits = { ...DEFAULT_LIMITS, live: { requests_per_second: 5, burst: 5 } };
  for (let time = 0; time < 2; time++) {
    await harness.call(actor, contract.renameApplication, { ...ref, name: 'Store' });
    await harness.call(actor, contract.setScopes, { ...ref, scopes: ['payment:read'] });
    await harness.call(actor, contract.setLimits, { ...ref, limits });
    await harness.call(actor, contract.setLabels, { ...ref, labels: { env: 'prod' } });
    await harness.call(actor, contract.setIdempotencyKeyRequirement, {
      ...ref,
      require_idempotency_key: { live: true, sandbox: true },
    });
  }
  const key = await createKey(harness, actor, application, { environment: 'live' });
  for (let time = 0; time < 2; time++)
    await harness.call(actor, contract.updateKey, { key_id: key.id, name: 'Worker', scopes: [] });
  const successor = await harness.call(actor, contract.rotateKey, {
    key_id: key.id,
    overlap_s: 60,
  });
  for (let time = 0; time < 2; time++) {
    await harness.call(actor, contract.revokeKey, { key_id: successor.id, reason: 'leaked' });
    await harness.call(actor, contract.archiveApplication, ref);
  }
  for (let time = 0; time < 2; time++) await harness.call(actor, contract.restoreApplication, ref);
  for (let time = 0; time < 2; time++) {
    await harness.call(actor, contract.setLeakedKeyPolicy, { policy: 'flag' });
    await reportLeak(harness, key.secret);
    await harness.call(actor, contract.handleLeak, { key_id: key.id });
  }

  await eventually('every entry is published and cleared', async () => (await waitingEntries()) === 0);
  // Once this marker is consumed, everything published before it is consumed as well.
  const marker = await createApplication(harness, member('admin', actor.team_id));
  await eventually('the marker arrives', () =>
    entriesOf(actor.team_id).some((entry) => entry.target.id === marker.id),
  );

  const entries = entriesOf(actor.team_id).filter((entry) => entry.target.id !== marker.id);
  // Without the expiry of a key, which time causes (expiring-keys.test.ts), and the deletion (delete-application.test.ts).
  const ownActions = Object.keys(AUDIT_ACTIONS).filter(
    (action) =>
      /^(application|key)\.|leaked_key/.test(action) &&
      !['key.expiring', 'application.deleted'].includes(action),
  );
  expect(entries.map(({ action }) => action).sort()).toEqual(ownActions.sort());
  for (const entry of entries) {
    expect(Value.Check(AuditEntry, entry)).toBe(true);
    expect(entry).toMatchObject({
      ...(entry.action === 'key.leaked'
        ? { actor: { type: 'system', id: null }, context: { ip: null } }
        : { actor: { type: 'member', id: actor.member_id }, context: { ip: actor.address } }),
      environment: entry.target.type === 'key' ? 'live' : null,
    });
  }
  const changesOf = (action: string) => entries.find((entry) => entry.action === action)?.changes;
  expect(changesOf('application.scopes_changed')).toEqual({
    scopes: { before: ['payment:create', 'payment:read'], after: ['payment:read'] },
  });
  expect(changesOf('application.renamed')).toEqual({ name: { before: 'Shop', after: 'Store' } });
  expect(changesOf('application.labels_changed')).toEqual({
    labels: { before: {}, after: { env: 'prod' } },
  });
  expect(changesOf('application.idempotency_key_requirement_changed')).toEqual({
    require_idempotency_key: {
      before: { live: true, sandbox: false },
      after: { live: true, sandbox: true },
    },
  });
  expect(changesOf('key.updated')).toEqual({
    name: { before: 'Server', after: 'Worker' },
    scopes: { before: null, after: [] },
  });
  expect(changesOf('key.leaked')).toEqual({
    leaked: { before: null, after: expect.objectContaining({ url: PLACE_OF_LEAK, handled_at: null }) },
  });
  expect(changesOf('team.leaked_key_policy_changed')).toEqual({
    leaked_key_policy: { before: 'revoke', after: 'flag' },
  });
  expect(changesOf('key.rotated')).toMatchObject({ rotated_to: { before: null, after: successor.id } });
  expect(changesOf('key.revoked')).toMatchObject({ revocation_reason: { before: null, after: 'leaked' } });
});

it('the audit log states the action in the subject', async () => {
  const actor = member('admin');
  await createApplication(harness, actor);
  await eventually('the entry arrives', () => entriesOf(actor.team_id).length === 1);
  const message = messages.find(({ body }) => (body as AuditEntry).team_id === actor.team_id);
  expect(message?.subject).toBe('audit.application.created');
});

it('the audit log receives an entry that a crash left behind once, however many instances sweep at the same time', async () => {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  await eventually('the first entry arrives', () => entriesOf(actor.team_id).length === 1);
  const [first] = entriesOf(actor.team_id);
  await eventually('the outbox is cleared', async () => (await waitingEntries()) === 0);

  const idle = await harness.startService({ isStarted: false });
  const left = { ...first, id: first?.id.replace(/.$/, (end) => (end === '0' ? '1' : '0')) };
  await service.connection
    .collection<{ _id: string }>('applications')
    .updateOne({ _id: application.id }, { $set: { outbox: [left] } });
  await Promise.all([service.audit.sweep(), idle.audit.sweep()]);
  expect(await waitingEntries()).toBe(0);

  const marker = await createApplication(harness, member('admin', actor.team_id));
  await eventually('the marker arrives', () =>
    entriesOf(actor.team_id).some((entry) => entry.target.id === marker.id),
  );
  expect(entriesOf(actor.team_id).filter((entry) => entry.id === left.id)).toHaveLength(1);
});

it('the audit log receives the entries of changes made while NATS was unavailable, as they were signed', async () => {
  const actor = member('admin');
  const application = await createApplication(harness, actor);
  const ref = { application_id: application.id };
  const { context } = service.app;
  const unavailable = { details: { code: 'unavailable' } };
  await harness.infra.nats.stop();
  await eventually('the service notices', () => !service.bus.isConnected());
  // No labels are an empty object, in both entries.
  await insertApplication(context, actor, { name: 'Shop', scopes: ['payment:read'] }, null);
  const labels = { env: 'prod' };
  await expect(setLabels(context, actor, { ...ref, labels })).rejects.toMatchObject(unavailable);
  await expect(archiveApplication(context, actor, ref)).rejects.toMatchObject(unavailable);
  await harness.infra.nats.start();
  const received = () => messages.filter(({ body }) => body.team_id === actor.team_id);
  await eventually('the entries arrive', () => new Set(received().map(({ body }) => body.id)).size === 4);

  const rejectionOf = createMessageVerifier('audit_entry', {
    findPublicKey: parseSignerPublicKeys(harness.issuerKeys.publicKeys),
    countUnverified: () => undefined,
  });
  const rejected = received().filter((message) => rejectionOf(message.received) !== null);
  expect(rejected.map(({ body }) => body.action)).toEqual([]);
  await eventually('the bucket has the change', async () => {
    return (await harness.applicationEntry(application))?.status === 'archived';
  });
});

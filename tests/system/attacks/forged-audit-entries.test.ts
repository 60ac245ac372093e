import { parsePublicKey } from '@tollgate/audit-log/keys';
import { splitLines } from '@tollgate/audit-log/split-lines';
import { verifyExport } from '@tollgate/audit-log/verify-export';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { renameApplication } from '@tollgate/contracts/applications/rpc';
import type { AuditAction, AuditEntry, SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Issuer } from '@tollgate/contracts/platform/signature';
import { auditSubject } from '@tollgate/contracts/platform/streams';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { createSigner } from '@tollgate/security/signature';
import { parseSigningKeys } from '@tollgate/security/signing-keys';
import { eventually } from '@tollgate/test-kit/eventually';
import { type StoredDocuments, withStoredDocuments } from '@tollgate/test-kit/stored-documents';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { countUnverified } from '../../support/platform/unverified-messages.ts';

/** The sweep of an outbox runs every 5 s. */
const SWEPT = { timeoutMs: 60_000 };

/** A platform of its own, because these tests stop the audit service. */
let platform: Platform;
/** The attacker may publish anything to NATS, and may write to every database. */
let attacker: Bus;

beforeAll(async () => {
  platform = await startPlatform();
  attacker = await connectBus({ url: platform.infra.natsUrl, name: 'attacker' });
});
afterAll(async () => {
  await attacker?.close();
  await platform?.stop();
});

const inDatabase = <Result>(service: string, use: (documents: StoredDocuments) => Promise<Result>) =>
  withStoredDocuments(platform.infra.mongodbUrl, `tollgate_${service}`, use);

const records = () => inDatabase('audit', (documents) => documents.list('records'));
const recordIds = async () => (await records()).map((record) => String(record['_id']));

const unverified = (reason: string) =>
  countUnverified(platform.processes.audit.opsUrl, 'audit_entry', reason);

async function outboxOf(applicationId: string): Promise<SignedAuditEntry[]> {
  const documents = await inDatabase('applications', (found) => found.list('applications'));
  return documents.find((document) => String(document['_id']) === applicationId)?.['outbox'] ?? [];
}

function anEntry(action: AuditAction): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: new Date().toISOString(),
    team_id: platform.team.id,
    environment: null,
    actor: { type: 'member', id: platform.owner.id, name: 'The owner', session_id: null },
    action,
    target: { type: 'application', id: newId('application'), name: 'Shop' },
    application_id: null,
    changes: {},
    context: { ip: null, user_agent: null, request_id: null },
  };
}

function signedBy(issuer: Issuer, entry: AuditEntry): SignedAuditEntry {
  return signAuditEntry(createSigner(parseSigningKeys(issuer, platform.signing[issuer])), entry);
}

async function publish(entry: AuditEntry): Promise<string> {
  await createPublisher(attacker).publish(auditSubject(entry.action), entry, { messageId: newId('request') });
  return entry.id;
}

async function expectIntactLog(): Promise<void> {
  const api = platform.admin.as(platform.owner.session);
  const log = await api.fetch(`${AUDIT_EXPORT_PATH}?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`);
  const { body } = await platform.admin.as(null).call(ADMIN_ROUTES.listPublicKeys, {});
  const publicKeys = body.data.map(({ public_key, version }) => parsePublicKey(public_key, version));
  const result = await verifyExport(splitLines(log.body as AsyncIterable<Uint8Array>), { publicKeys });
  expect(result).toMatchObject({ isIntact: true, findings: [] });
}

it('an attacker who can publish to NATS cannot get an entry sealed without the key of the service that audits the action', async () => {
  const forged = [
    await publish(anEntry('key.revoked')),
    await publish({
      ...signedBy('applications', anEntry('key.revoked')),
      occurred_at: '2020-01-01T00:00:00.000Z',
    }),
    await publish(signedBy('webhooks', anEntry('member.role_changed'))),
  ];
  const genuine = await publish(signedBy('applications', anEntry('application.renamed')));
  await eventually('the genuine entry is sealed', async () => (await recordIds()).includes(genuine));
  for (const reason of ['unsigned', 'altered', 'wrong-issuer'])
    await eventually(`${reason} is counted`, async () => (await unverified(reason)) === 1);
  const ids = await recordIds();
  expect(forged.filter((id) => ids.includes(id))).toEqual([]);
  await expectIntactLog();
});

it('an attacker who can write to MongoDB cannot get an entry sealed that no service wrote to an outbox', async () => {
  const { id } = await platform.createApplication();
  await eventually('the outbox is empty', async () => (await outboxOf(id)).length === 0);
  const unsigned = anEntry('application.archived');
  const altered = { ...signedBy('applications', anEntry('application.archived')), team_id: newId('team') };
  const before = await unverified('[^"]*');
  await inDatabase('applications', (documents) =>
    documents.update('applications', id, { $push: { outbox: { $each: [unsigned, altered] } } }),
  );
  await eventually('both are rejected', async () => (await unverified('[^"]*')) >= before + 2, SWEPT);
  await platform.call(renameApplication, { application_id: id, name: 'Renamed' });
  await eventually('only the forged entries stay', async () => (await outboxOf(id)).length === 2, SWEPT);
  const ids = await recordIds();
  expect([unsigned.id, altered.id].filter((forged) => ids.includes(forged))).toEqual([]);
  await expectIntactLog();
});

it('an attacker who can write to MongoDB cannot alter an entry that waits for the audit service', async () => {
  const { id } = await platform.createApplication();
  await platform.processes.audit.stop();
  await platform.call(renameApplication, { application_id: id, name: 'True name' });
  const entry = (await outboxOf(id)).at(-1) as SignedAuditEntry;
  await inDatabase('applications', (documents) =>
    documents.update('applications', id, {
      $set: { outbox: [{ ...entry, actor: { ...entry.actor, name: 'Another member' } }] },
    }),
  );
  await platform.processes.audit.start();
  await eventually('the entry is sealed', async () => (await recordIds()).includes(entry.id), SWEPT);
  const sealed = (await records()).find((record) => String(record['_id']) === entry.id);
  expect(sealed).toMatchObject({ actor: entry.actor, changes: { name: { after: 'True name' } } });
  await expectIntactLog();
});

it('an attacker who can write to MongoDB cannot suppress an entry with a record that takes its id', async () => {
  const { id } = await platform.createApplication();
  await eventually('the outbox is empty', async () => (await outboxOf(id)).length === 0, SWEPT);
  await platform.processes.audit.stop();
  await platform.call(renameApplication, { application_id: id, name: 'Not to be suppressed' });
  const [entry] = (await outboxOf(id)) as [SignedAuditEntry];
  await inDatabase('audit', (documents) =>
    documents.insert('records', { _id: entry.id as never, team_id: newId('team'), seq: 1 }),
  );
  await platform.processes.audit.start();
  await eventually('the audit log confirms the entry', async () => (await outboxOf(id)).length === 0, SWEPT);
  const sealed = (await records()).filter(
    ({ target }) => target?.id === id && target.name === 'Not to be suppressed',
  );
  expect(sealed).toHaveLength(1);
  expect(sealed[0]).toMatchObject({ team_id: platform.team.id, changes: entry.changes });
  expect(String(sealed[0]?.['_id'])).not.toBe(entry.id);
  const metrics = await (await fetch(`${platform.processes.audit.opsUrl}/metrics`)).text();
  expect(metrics).toMatch(/^tollgate_audit_taken_ids_total\{.*\} 1$/m);
  await expectIntactLog();
});

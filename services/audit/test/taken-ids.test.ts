import { callRpc } from '@tollgate/bus/rpc';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { confirmEntries } from '@tollgate/contracts/audit/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { auditEntryDigest } from '@tollgate/security/audit-entry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEntry, anEvent, type Harness, type Service, startHarness } from './harness.ts';

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());

const recordsOf = (teamId: string) =>
  service.app.context.records.listBySeq(teamId, { from: 0, upTo: 1e9, limit: 100 });

async function confirm(entry: AuditEntry): Promise<string[]> {
  const wanted = { id: entry.id, team_id: entry.team_id, digest: auditEntryDigest(entry) };
  return (await callRpc(harness.client, confirmEntries, { entries: [wanted] })).stored;
}

async function insertForged(document: object): Promise<void> {
  await service.connection.collection('records').insertOne(document as never);
}

describe('an entry whose id belongs to another record', () => {
  it.each([
    ['of another team', () => ({ team_id: newId('team'), seq: 1 })],
    ['of the same team', (entry: AuditEntry) => ({ ...entry, seq: 900, recorded_at: entry.occurred_at })],
  ])('%s is not confirmed, and is stored once under a substitute id', async (_, forge) => {
    const entry = anEntry(newId('team'));
    await insertForged({ ...forge(entry), id: undefined, _id: entry.id });
    expect(await confirm(entry)).toEqual([]);
    const { appender } = service.app.context;
    await appender.append(entry);
    await appender.append(entry);
    const sealed = (await recordsOf(entry.team_id)).filter(({ seal }) => seal !== undefined);
    expect(sealed.map(({ action, target }) => [action, target])).toEqual([[entry.action, entry.target]]);
    expect(sealed[0]?._id).not.toBe(entry.id);
    expect(await confirm(entry)).toEqual([entry.id]);
  });

  it('an entry whose id belongs to another record is stored beside an entry of the same batch with other content', async () => {
    const entry = anEntry(newId('team'));
    const other = { ...entry, action: 'application.archived' as const };
    const { appender } = service.app.context;
    await Promise.all([appender.append(entry), appender.append(other)]);
    expect((await recordsOf(entry.team_id)).map(({ action }) => action).sort()).toEqual(
      [entry.action, other.action].sort(),
    );
    expect([await confirm(entry), await confirm(other)]).toEqual([[entry.id], [entry.id]]);
  });
});

it('an entry of a payment stays one record when a later release derives more from the event, or a text is erased', async () => {
  const teamId = newId('team');
  const event = anEvent(teamId, { type: 'payment.created', cause: { type: 'key', id: newId('apiKey') } });
  harness.owned.push(event);
  harness.clock.advance(120_000);
  await service.app.reconcileIfDue();
  harness.owned.pop();
  harness.owned.push({ ...event, data: { ...event.data, reference: null } });
  harness.clock.advance(120_000);
  await service.app.reconcileIfDue();
  expect(await recordsOf(teamId)).toHaveLength(1);
});

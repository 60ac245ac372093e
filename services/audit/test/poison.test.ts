import { PoisonMessage } from '@tollgate/bus/consumer';
import { listDeadLetters } from '@tollgate/bus/dead-letters';
import { callRpc } from '@tollgate/bus/rpc';
import { member } from '@tollgate/bus/test/member';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import * as contract from '@tollgate/contracts/audit/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { MAX_REPLY_BYTES } from '@tollgate/contracts/platform/rpc-contract';
import { auditEntryDigest } from '@tollgate/security/audit-entry';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_ENTRY_BYTES } from '../src/append/storable-entry.ts';
import { anEntry, type Harness, type Service, startHarness } from './harness.ts';

let harness: Harness;
let service: Service;
beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());

const changed = (teamId: string, changes: AuditEntry['changes']) => anEntry(teamId, { changes });
const storedIds = async (teamId: string) => {
  const records = await service.app.context.records.listBySeq(teamId, { from: 0, upTo: 1e9, limit: 1e6 });
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1));
  return records.map(({ _id }) => _id).toSorted();
};

it('an entry that cannot be stored fails alone, and the others of its batch are stored without a gap', async () => {
  const teamId = newId('team');
  const good = Array.from({ length: 20 }, () => anEntry(teamId));
  const poison = changed(teamId, { 'a\u0000': { before: null, after: 1 } });
  const { appender } = service.app.context;
  const results = await Promise.allSettled(
    [...good.slice(0, 10), poison, ...good.slice(10)].map((entry) => appender.append(entry)),
  );
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: expect.any(PoisonMessage) },
  ]);
  expect(await storedIds(teamId)).toEqual(good.map(({ id }) => id).toSorted());
});

it('an entry that cannot be stored fails alone when only the database finds out', async () => {
  const teamId = newId('team');
  // MongoDB stores no document with two arrays in one index.
  const records = service.connection.collection('records');
  await records.createIndex({ 'changes.one.after': 1, 'changes.two.after': 1 });
  const good = Array.from({ length: 20 }, () => anEntry(teamId));
  const bad = changed(teamId, {
    one: { before: null, after: [1, 2] },
    two: { before: null, after: [1, 2] },
  });
  const { appender } = service.app.context;
  const results = await Promise.allSettled(
    [...good.slice(0, 10), bad, ...good.slice(10)].map((entry) => appender.append(entry)),
  );
  expect(results.map(({ status }) => status === 'rejected').indexOf(true)).toBe(10);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await storedIds(teamId)).toEqual(good.map(({ id }) => id).toSorted());
});

it('an entry that cannot be stored is counted, kept in the dead letters, and reported as rejected to its service', async () => {
  const poison = changed(newId('team'), { note: { before: null, after: 'x'.repeat(MAX_ENTRY_BYTES) } });
  await harness.publish(poison);
  await eventually('it is dead', async () => {
    for await (const { body } of listDeadLetters(harness.client)) if (body.includes(poison.id)) return true;
    return false;
  });
  const entries = [{ id: poison.id, team_id: poison.team_id, digest: auditEntryDigest(poison) }];
  expect(await callRpc(harness.client, contract.confirmEntries, { entries })).toEqual({
    stored: [],
    rejected: [poison.id],
  });
  const metric = await service.registry.getSingleMetricAsString('tollgate_dead_letters_total');
  expect(metric).toMatch(/consumer="audit"[^}]*} [1-9]/);
});

describe('records of the largest size', () => {
  it('fit into pages and exports, whose cursors skip none', async () => {
    const teamId = newId('team');
    // A control character has six bytes as JSON, and seven in a line inside of JSON.
    const note = '\u0001'.repeat(MAX_ENTRY_BYTES / 6 - 200);
    const entries = Array.from({ length: 12 }, () =>
      changed(teamId, { note: { before: null, after: note } }),
    );
    for (const entry of entries) await service.app.context.appender.append(entry);
    const ids = entries.map(({ id }) => id).toSorted();
    const owner = member('owner', teamId);

    const seen: string[][] = [];
    let cursor: string | null = null;
    do {
      const request: { limit: number; cursor?: string } = { limit: 100, ...(cursor && { cursor }) };
      const page = await harness.call(owner, contract.listRecords, request);
      expect(Buffer.byteLength(JSON.stringify({ ok: page }))).toBeLessThanOrEqual(MAX_REPLY_BYTES);
      seen.push(page.data.map(({ id }) => id));
      cursor = page.next_cursor;
      if (cursor === null) {
        const back = await harness.call(owner, contract.listRecords, {
          limit: 100,
          cursor: page.previous_cursor ?? '',
        });
        expect(back.data.map(({ id }) => id)).toEqual(seen.at(-2));
      }
    } while (cursor !== null);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.flat().toSorted()).toEqual(ids);

    await service.app.signTreeHeads();
    let lines = '';
    let next: string | null = null;
    const period = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    do {
      const part: { lines: string; next_cursor: string | null } = await harness.call(
        owner,
        contract.exportRecords,
        { ...period, ...(next && { cursor: next }) },
      );
      lines += part.lines;
      next = part.next_cursor;
    } while (next !== null);
    expect(ids.filter((id) => !lines.includes(id))).toEqual([]);
  });
});

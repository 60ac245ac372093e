import { verifyExport } from '@tollgate/audit-log/verify-export';
import { consistencyProofHolds, inclusionProofHolds } from '@tollgate/audit-log/verify-proof';
import { callRpc } from '@tollgate/bus/rpc';
import { member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import * as contract from '@tollgate/contracts/audit/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LEASE_MS } from '../src/verification/run-verification.ts';
import { anEntry, type Harness, type Service, startHarness } from './harness.ts';

const RECORDS = 600;
const RECORDS_PER_HEAD = 70;

let harness: Harness;
let service: Service;
const teamId = newId('team');
const admin = member('admin', teamId);
const viewer = member('viewer', teamId);
const stranger = member('owner');
let begin: string;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  begin = new Date(harness.clock.now()).toISOString();
  for (let written = 0; written < RECORDS; written += RECORDS_PER_HEAD) {
    await append(Math.min(RECORDS_PER_HEAD, RECORDS - written));
    await service.app.signTreeHeads();
    harness.clock.advance(60_000);
  }
});
afterAll(() => harness.stop());

async function append(count: number): Promise<void> {
  const { appender } = service.app.context;
  await Promise.all(Array.from({ length: count }, () => appender.append(anEntry(teamId))));
}

async function allHeads(): Promise<AuditHead[]> {
  const heads: AuditHead[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { data: AuditHead[]; next_cursor: string | null } = await harness.call(
      viewer,
      contract.listHeads,
      { limit: 4, ...(cursor && { cursor }) },
    );
    heads.push(...page.data);
    cursor = page.next_cursor;
  }
  return heads;
}

const recordAt = async (seq: number) => {
  const [record] = await service.app.context.records.listBySeq(teamId, { from: seq, upTo: seq, limit: 1 });
  return record?._id ?? '';
};

async function exportOf(from: string, to: string): Promise<string[]> {
  const lines: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const part: { lines: string; next_cursor: string | null } = await harness.call(
      admin,
      contract.exportRecords,
      { from, to, ...(cursor && { cursor }) },
    );
    lines.push(...part.lines.split('\n').slice(0, -1));
    cursor = part.next_cursor;
  }
  return lines;
}

async function* linesOf(lines: string[]): AsyncGenerator<string> {
  yield* lines;
}

it('signed tree heads are listed newest first, page by page in both directions, each exactly once', async () => {
  const heads = await allHeads();
  expect(heads.map(({ number }) => number)).toEqual(heads.map((_, index) => heads.length - index));
  expect(heads[0]?.size).toBe(RECORDS);
  const first = await harness.call(viewer, contract.listHeads, { limit: 3 });
  const second = await harness.call(viewer, contract.listHeads, {
    limit: 3,
    cursor: first.next_cursor as string,
  });
  expect(second.data[0]?.number).toBe((first.data[2]?.number ?? 0) - 1);
  const back = await harness.call(viewer, contract.listHeads, {
    limit: 3,
    cursor: second.previous_cursor as string,
  });
  expect(back).toMatchObject({ data: first.data, previous_cursor: null });
});

it('signed tree heads are created every hour even without activity, and exist once per number, whichever instance creates them', async () => {
  const other = await harness.startService({ isStarted: false });
  const before = (await allHeads()).length;
  await service.app.signTreeHeads();
  expect(await allHeads()).toHaveLength(before);
  harness.clock.advance(61 * 60_000);
  await Promise.all([service.app.signTreeHeads(), other.app.signTreeHeads()]);
  const heads = await allHeads();
  expect(heads).toHaveLength(before + 1);
  expect(heads[0]?.size).toBe(heads[1]?.size);
  await other.stop();
});

it('signed tree heads are written to the process log, at any log level', () => {
  const logged = harness.logLines
    .map((line) => JSON.parse(line) as { head?: AuditHead })
    .filter(({ head }) => head?.team_id === teamId);
  expect(logged.length).toBeGreaterThan(5);
  expect(logged[0]?.head).toMatchObject({ number: 1, root: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

it('proofs show for any record that it is in the log', async () => {
  for (const seq of [1, 2, 70, 71, 255, 256, 257, 300, 512, 513, RECORDS]) {
    const proof = await harness.call(viewer, contract.proveInclusion, { record_id: await recordAt(seq) });
    expect(proof.record.seq).toBe(seq);
    expect(inclusionProofHolds(proof, harness.publicKeys)).toBe(true);
    const changed = { ...proof, record: { ...proof.record, action: 'key.revoked' as const } };
    expect(inclusionProofHolds(changed, harness.publicKeys)).toBe(false);
  }
});

it('proofs show for any two tree heads that the later log starts with the earlier one', async () => {
  const { length } = await allHeads();
  for (let from = 1; from <= length; from += 1) {
    for (const to of new Set([from, Math.min(from + 1, length), length])) {
      const proof = await harness.call(viewer, contract.proveConsistency, {
        from_number: from,
        to_number: to,
      });
      expect(consistencyProofHolds(proof, harness.publicKeys)).toBe(true);
    }
  }
});

it('proofs are rejected before there is a tree head, and are not found for other teams', async () => {
  const young = member('viewer');
  const entry = anEntry(young.team_id);
  await service.app.context.appender.append(entry);
  const early = harness.call(young, contract.proveInclusion, { record_id: entry.id });
  expect(await rejection(early)).toMatchObject({ code: 'conflict' });
  const record_id = await recordAt(1);
  const proof = harness.call(stranger, contract.proveInclusion, { record_id });
  expect(await rejection(proof)).toMatchObject({ code: 'not-found' });
  const record = harness.call(stranger, contract.getRecord, { record_id });
  expect(await rejection(record)).toMatchObject({ code: 'not-found' });
  expect((await harness.call(stranger, contract.listRecords, {})).data).toEqual([]);
  expect((await harness.call(stranger, contract.listHeads, {})).data).toEqual([]);
});

it('an export verifies with the public key alone, for the whole log and for any period', async () => {
  const { data: keys } = await callRpc(harness.client, contract.publicKeys, {});
  expect(keys).toHaveLength(1);
  const now = harness.clock.now();
  for (const [fromMs, toMs] of [
    [Date.parse(begin), now + 60_000],
    [Date.parse(begin) + 150_000, Date.parse(begin) + 310_000],
    [now - 1_000, now + 1_000],
  ] as const) {
    const lines = await exportOf(new Date(fromMs).toISOString(), new Date(toMs).toISOString());
    const result = await verifyExport(linesOf(lines), { publicKeys: harness.publicKeys, everySeal: true });
    expect(result).toMatchObject({ isIntact: true, findings: [] });
    expect(result.heads).toBeGreaterThan(0);
  }
  const whole = await exportOf(begin, new Date(now + 60_000).toISOString());
  const { records } = await verifyExport(linesOf(whole), { publicKeys: harness.publicKeys });
  expect(records).toBeGreaterThan(RECORDS);
});

it('an export is itself recorded before the first response, requires the admin role, and requires a period', async () => {
  const period = { from: begin, to: new Date(harness.clock.now()).toISOString() };
  const exported = async () =>
    (await harness.call(viewer, contract.listRecords, { action: 'audit_records.exported' })).data.length;
  const before = await exported();
  await harness.call(admin, contract.exportRecords, period);
  expect(await exported()).toBe(before + 1);
  expect(await rejection(harness.call(viewer, contract.exportRecords, period))).toMatchObject({
    code: 'forbidden',
  });
  const backwards = { from: period.to, to: period.from };
  expect(await rejection(harness.call(admin, contract.exportRecords, backwards))).toMatchObject({
    code: 'invalid-request',
  });
  const forged = harness.call(admin, contract.exportRecords, { ...period, cursor: 'nonsense' });
  expect(await rejection(forged)).toMatchObject({ code: 'invalid-request' });
  expect(await exported()).toBe(before + 1);
});

it('a search matches prefixes of words, ids, and every filter, one page at a time', async () => {
  const team = member('viewer');
  const application_id = newId('application');
  const wanted = anEntry(team.team_id, {
    action: 'key.revoked',
    environment: 'live',
    application_id,
    target: { type: 'key', id: newId('apiKey'), name: 'Zürich (Nightly-Batch)' },
  });
  const others = Array.from({ length: 30 }, () => anEntry(team.team_id));
  for (const entry of [...others.slice(0, 15), wanted, ...others.slice(15)]) {
    await service.app.context.appender.append(entry);
  }
  const list = async (filters: object) =>
    (await harness.call(team, contract.listRecords, filters)).data.map(({ id }) => id);
  for (const filters of [
    { search: 'züri' },
    { search: 'BATCH night' },
    { search: '(nightly' },
    { search: wanted.target.id },
    { search: wanted.context.request_id },
    { target_id: wanted.target.id },
    { target_type: 'key' },
    { actor_id: wanted.actor.id },
    { application_id },
    { action: 'key.revoked' },
    { environment: 'live' },
    {
      occurred_from: wanted.occurred_at,
      occurred_to: new Date(Date.now() + 1_000).toISOString(),
      search: 'batch',
    },
  ]) {
    expect([filters, await list(filters)]).toEqual([filters, [wanted.id]]);
  }
  expect(await list({ search: 'batch grace nobody' })).toEqual([]);
  expect(await list({ search: 'batch.*' })).toEqual([]);
  expect(await list({ actor_type: 'key' })).toEqual([]);
  expect(await list({ occurred_to: '2020-01-01T00:00:00Z' })).toEqual([]);
  const first = await harness.call(team, contract.listRecords, { limit: 20, search: 'grace' });
  const second = await harness.call(team, contract.listRecords, {
    limit: 20,
    search: 'grace',
    cursor: first.next_cursor as string,
  });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(
    [...others, wanted]
      .map(({ id }) => id)
      .sort()
      .reverse(),
  );
});

it('a verification of the log reports its scope and that the log is intact; only one runs at a time', async () => {
  const [first, second] = await Promise.all([
    harness.call(viewer, contract.startVerification, {}),
    harness.call(viewer, contract.startVerification, {}),
  ]);
  expect(second.id).toBe(first.id);
  const get = () => harness.call(viewer, contract.getVerification, { verification_id: first.id });
  await eventually('it has ended', async () => (await get()).status !== 'running');
  const ended = await get();
  expect(ended).toMatchObject({ status: 'intact', findings: [], findings_count: 0 });
  expect(ended.records_checked).toBe(ended.records);
  expect(ended.heads_checked).toBe(ended.heads);
  expect(ended.last_head?.number).toBe(ended.heads);
  expect((await harness.call(viewer, contract.latestVerification, {})).verification).toEqual(ended);
  expect((await harness.call(stranger, contract.latestVerification, {})).verification).toBeNull();
  const foreign = harness.call(stranger, contract.getVerification, { verification_id: first.id });
  expect(await rejection(foreign)).toMatchObject({ code: 'not-found' });
});

it('a verification of the log that an instance abandoned is restarted by another', async () => {
  const { verifications, verificationRunner } = service.app.context;
  const left = {
    _id: newId('auditVerification'),
    team_id: teamId,
    instance_id: 'gone',
    leased_until: new Date(harness.clock.now() + LEASE_MS),
    status: 'running' as const,
    started_at: new Date(harness.clock.now()).toISOString(),
    ended_at: null,
    records_checked: 3,
    records: 9,
    heads_checked: 0,
    heads: 0,
    last_head: null,
    findings: [],
    findings_count: 0,
  };
  expect(await verifications.insert(left)).toBe(true);
  await verificationRunner.takeOver();
  expect((await verifications.find(teamId, left._id))?.records_checked).toBe(3);
  harness.clock.advance(LEASE_MS);
  await verificationRunner.takeOver();
  await eventually(
    'it has ended',
    async () => (await verifications.find(teamId, left._id))?.status === 'intact',
  );
});

it.each<[string, object, object]>([
  ['changed', { 'actor.name': 'Nobody' }, { 'actor.name': 'Grace Hopper' }],
  ['made unreadable', { 'changes.name.after': Number.NaN }, { 'changes.name.after': 'Web shop' }],
])(
  'a verification of the log names a record that was %s, and no tree head is signed over it until it is repaired',
  async (_what, change, back) => {
    await append(3);
    const seq = (await service.app.context.records.findLast(teamId))?.seq ?? 0;
    const record_id = await recordAt(seq - 1);
    const records = service.connection.collection<{ _id: string }>('records');
    await records.updateOne({ _id: record_id }, { $set: change });
    const before = await allHeads();
    await service.app.signTreeHeads();
    expect(await allHeads()).toEqual(before);
    const { id } = await harness.call(viewer, contract.startVerification, {});
    const get = () => harness.call(viewer, contract.getVerification, { verification_id: id });
    await eventually('it has ended', async () => (await get()).status !== 'running');
    expect(await get()).toMatchObject({
      status: 'tampered',
      findings: expect.arrayContaining([
        expect.objectContaining({ code: 'record-changed', record_id, seq: seq - 1 }),
      ]),
    });
    await eventually('it is counted', async () => {
      const metrics = await service.registry.metrics();
      return /^tollgate_audit_verifications_total\{outcome="tampered"[^}]*\} [1-9]/m.test(metrics);
    });
    await records.updateOne({ _id: record_id }, { $set: back });
    await service.app.signTreeHeads();
    expect((await allHeads())[0]?.size).toBe(seq);
  },
);

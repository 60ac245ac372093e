import { verifyExport } from '@tollgate/audit-log/verify-export';
import { inclusionProofHolds } from '@tollgate/audit-log/verify-proof';
import { member } from '@tollgate/bus/test/member';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import { RESTORES_COLLECTION, type RestoreDocument } from '@tollgate/contracts/audit/restore';
import * as contract from '@tollgate/contracts/audit/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createHead } from '../src/heads/create-head.ts';
import { sealRecord } from '../src/records/record-document.ts';
import { recordRestores } from '../src/restore/record-restores.ts';
import { anEntry, type Harness, type Service, startHarness } from './harness.ts';
import { readStoredLog, replaceStoredLog, type StoredLog } from './stored-log.ts';
import { listRecords } from './whole-log.ts';

let harness: Harness;
/** Two instances, which run while the database goes back. */
let services: [Service, Service];

beforeAll(async () => {
  harness = await startHarness();
  const start = () => harness.startService({ isStarted: false });
  services = [await start(), await start()];
  // Serves the RPCs.
  await harness.startService();
});
afterEach(async () => {
  // Each restore is recorded in all logs, and ends only if that is possible.
  for (const name of ['records', 'heads', 'nodes', 'logs'])
    await services[0].connection.collection(name).deleteMany({});
  await sign();
});
afterAll(() => harness.stop());

async function append(teamId: string, count: number): Promise<void> {
  const first = Array.from({ length: Math.ceil(count / 2) }, () => anEntry(teamId));
  const second = Array.from({ length: Math.floor(count / 2) }, () => anEntry(teamId));
  for (const [{ app }, entries] of [
    [services[0], first],
    [services[1], second],
  ] as const)
    await Promise.all(entries.map((entry) => app.context.appender.append(entry)));
}

const sign = async () => {
  for (const { app } of services) await app.signTreeHeads();
};

const recordsOf = (teamId: string) => listRecords(services[0], teamId);
const headsOf = (teamId: string) => services[0].app.context.heads.list(teamId, { limit: 1000 });

/** As `tollgate restore` writes it. */
async function declareRestore(): Promise<void> {
  const restore: RestoreDocument = {
    _id: newId('audit'),
    declared_at: new Date(harness.clock.now()),
    recorded_at: null,
    leased_until: null,
  };
  await services[0].connection.collection<RestoreDocument>(RESTORES_COLLECTION).insertOne(restore);
}

const abandonedHeadsOf = (teamId: string) =>
  services[0].connection.collection('abandoned_heads').countDocuments({ team_id: teamId });

async function exportOf(teamId: string): Promise<string[]> {
  const period = { from: new Date(0).toISOString(), to: new Date(harness.clock.now()).toISOString() };
  const { lines } = await harness.call(member('admin', teamId), contract.exportRecords, period);
  return lines.split('\n').slice(0, -1);
}

async function verify(teamId: string, witness: AuditHead[]) {
  return verifyExport(iterate(await exportOf(teamId)), {
    publicKeys: harness.publicKeys,
    everySeal: true,
    witness: iterate(witness.map((head) => JSON.stringify(head))),
  });
}

async function* iterate(lines: string[]): AsyncGenerator<string> {
  yield* lines;
}

/** What the dashboard shows. */
async function storedVerification(teamId: string) {
  const viewer = member('viewer', teamId);
  const { id } = await harness.call(viewer, contract.startVerification, {});
  let found = await harness.call(viewer, contract.getVerification, { verification_id: id });
  await eventually('it has ended', async () => {
    found = await harness.call(viewer, contract.getVerification, { verification_id: id });
    return found.status !== 'running';
  });
  return { status: found.status, findings: found.findings };
}

/** A log of 10 records and 2 heads that went back to 5 records and 1 head. Resolves to the heads of before. */
async function restoreOldLog(teamId: string): Promise<AuditHead[]> {
  await append(teamId, 5);
  await sign();
  const backup = await readStoredLog(services[0], teamId);
  harness.clock.advance(60_000);
  await append(teamId, 5);
  await sign();
  const heads = await headsOf(teamId);
  harness.clock.advance(60_000);
  await replaceStoredLog(services[0], teamId, backup);
  return heads;
}

it('a log that is restored while instances run continues without a gap', async () => {
  const teamId = newId('team');
  await restoreOldLog(teamId);
  await append(teamId, 4);
  expect((await recordsOf(teamId)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('a log that is restored while instances run gets tree heads if it did not exist in the backup', async () => {
  const teamId = newId('team');
  await append(teamId, 2);
  await replaceStoredLog(services[0], teamId, { records: [], logs: [] });
  await append(teamId, 2);
  await sign();
  expect(await headsOf(teamId)).toMatchObject([{ number: 1, size: 2 }]);
});

it('a log that is restored while instances run gets no tree head until the restore is declared, and a verification says why', async () => {
  const teamId = newId('team');
  await restoreOldLog(teamId);
  await append(teamId, 1);
  await sign();
  expect(await headsOf(teamId)).toMatchObject([{ number: 1 }]);
  expect(await storedVerification(teamId)).toMatchObject({
    status: 'tampered',
    findings: [{ code: 'witness-differs', head_number: 2 }],
  });
});

it('a log that is restored while instances run gets no tree head from an instance that was started later', async () => {
  const teamId = newId('team');
  await restoreOldLog(teamId);
  await append(teamId, 1);
  const later = await harness.startService({ isStarted: false });
  await later.app.signTreeHeads();
  expect(await headsOf(teamId)).toMatchObject([{ number: 1 }]);
  await later.stop();
});

it('a declared restore is a record of the log, which states what was lost', async () => {
  const teamId = newId('team');
  await restoreOldLog(teamId);
  await declareRestore();
  const declaredAt = new Date(harness.clock.now()).toISOString();
  await sign();
  const records = await recordsOf(teamId);
  expect(records).toHaveLength(6);
  expect(records.at(-1)).toMatchObject({
    seq: 6,
    action: 'log.restored',
    occurred_at: declaredAt,
    actor: { type: 'system' },
    changes: { records: { before: 10, after: 5 }, tree_heads: { before: 2, after: 1 } },
  });
});

it('a declared restore is recorded once in each log, even if several instances find it', async () => {
  const teamIds = [newId('team'), newId('team')];
  for (const teamId of teamIds) await append(teamId, 1);
  await declareRestore();
  await Promise.all(services.map(({ app }) => app.signTreeHeads()));
  await sign();
  for (const teamId of teamIds) {
    const actions = (await recordsOf(teamId)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'log.restored')).toHaveLength(1);
  }
});

it('a declared restore lets the log continue, and the log verifies with the earlier tree heads', async () => {
  const teamId = newId('team');
  const before = await restoreOldLog(teamId);
  await declareRestore();
  harness.clock.advance(60_000);
  await sign();
  await append(teamId, 3);
  harness.clock.advance(60_000);
  await sign();
  harness.clock.advance(60_000);
  expect(await storedVerification(teamId)).toEqual({ status: 'intact', findings: [] });
  const result = await verify(teamId, [...before, ...(await headsOf(teamId))]);
  expect(result).toMatchObject({
    isIntact: true,
    restores: [{ size: 5, headNumber: 1, abandonedHeads: 1 }],
  });
});

it('a declared restore repairs a backup that is not of one point in time: renumbers records, and sets later tree heads aside', async () => {
  const teamId = newId('team');
  await append(teamId, 300);
  await sign();
  const early = await readStoredLog(services[0], teamId);
  await append(teamId, 300);
  await sign();
  const late = await readStoredLog(services[0], teamId);
  harness.clock.advance(60_000);
  // The dump has heads, nodes, and the log of a later time than the records.
  await replaceStoredLog(services[0], teamId, { ...late, records: early.records });
  await append(teamId, 2);
  expect((await recordsOf(teamId)).at(-1)?.seq).toBe(602);

  await declareRestore();
  await sign();

  const records = await recordsOf(teamId);
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1));
  expect(records.at(-1)).toMatchObject({
    seq: 303,
    action: 'log.restored',
    changes: { records: { before: 600, after: 302 }, renumbered_records: { after: 2 } },
  });
  await append(teamId, 300);
  await sign();
  expect(await storedVerification(teamId)).toEqual({ status: 'intact', findings: [] });
  const proof = await harness.call(member('viewer', teamId), contract.proveInclusion, {
    record_id: records[301]?._id ?? '',
  });
  expect(inclusionProofHolds(proof, harness.publicKeys)).toBe(true);
});

it('a declared restore does not set aside a tree head that another instance signs meanwhile', async () => {
  const teamId = newId('team');
  await append(teamId, 3);
  await sign();
  await append(teamId, 2);
  await declareRestore();
  const [restoring, other] = services;
  const { records } = restoring.app.context;
  await recordRestores({
    ...restoring.app.context,
    records: {
      ...records,
      async countUpTo(...range) {
        if (range[0] === teamId) await createHead(other.app.context, teamId);
        return records.countUpTo(...range);
      },
    },
  });
  await sign();
  expect((await headsOf(teamId)).map(({ size }) => size)).toEqual([6, 5, 3]);
  expect(await abandonedHeadsOf(teamId)).toBe(0);
  expect((await recordsOf(teamId)).at(-1)?.changes).toMatchObject({ tree_heads: { before: 1, after: 1 } });
});

it.each([
  ['with all of its tree heads', (log: StoredLog) => log],
  [
    'without the tree heads over it',
    ({ records, heads }: StoredLog) => ({
      records,
      heads: heads.slice(0, 1),
      logs: [{ _id: records[0]?.team_id ?? '', last_head: null }],
    }),
  ],
])('a declared restore does not hide that a record was deleted from a log %s', async (_log, change) => {
  const teamId = newId('team');
  for (const count of [2, 6, 4]) {
    await append(teamId, count);
    await sign();
  }
  const log = await readStoredLog(services[0], teamId);
  const changed = change({ ...log, records: log.records.filter(({ seq }) => seq !== 3) });
  await replaceStoredLog(services[0], teamId, changed);
  harness.clock.advance(60_000);
  await declareRestore();
  await sign();
  await sign();
  expect(await abandonedHeadsOf(teamId)).toBe(0);
  expect((await recordsOf(teamId)).map(({ action }) => action)).not.toContain('log.restored');
  expect(await storedVerification(teamId)).toMatchObject({ status: 'tampered' });
});

it('a declared restore renumbers records that were appended since, also when a later tree head had covered their numbers', async () => {
  const teamId = newId('team');
  await append(teamId, 3);
  await sign();
  const early = await readStoredLog(services[0], teamId);
  await append(teamId, 3);
  await sign();
  const late = await readStoredLog(services[0], teamId);
  await append(teamId, 6);
  await sign();
  harness.clock.advance(60_000);
  await replaceStoredLog(services[0], teamId, { ...late, records: early.records });
  await append(teamId, 2);
  expect((await recordsOf(teamId)).map(({ seq }) => seq)).toEqual([1, 2, 3, 7, 8]);

  await declareRestore();
  await sign();
  expect((await recordsOf(teamId)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await storedVerification(teamId)).toEqual({ status: 'intact', findings: [] });
});

it.each(['at first', 'when it is repeated'])(
  'a declared restore closes the gap of a batch that is stored while the restore is recorded, %s',
  async (when) => {
    const teamId = newId('team');
    await append(teamId, 3);
    await sign();
    const early = await readStoredLog(services[0], teamId);
    await append(teamId, 3);
    await sign();
    const late = await readStoredLog(services[0], teamId);
    harness.clock.advance(60_000);
    await replaceStoredLog(services[0], teamId, { ...late, records: early.records });
    await declareRestore();
    const deps = services[0].app.context;
    const { appender, clock } = deps;
    await recordRestores({
      ...deps,
      appender: {
        async append(entry) {
          if (entry.team_id !== teamId) return appender.append(entry);
          if (when === 'when it is repeated') await appender.append(entry);
          // The batch had read that the log ends with record 6.
          const { id, ...batch } = anEntry(teamId);
          const record = { id, ...batch, seq: 7, recorded_at: new Date(clock.now()).toISOString() };
          await deps.records.insertInOrder([sealRecord(record, deps.signingKeys[0])]);
          if (when === 'when it is repeated') throw new Error('The instance ends.');
          await appender.append(entry);
        },
      },
    });
    await sign();
    expect((await recordsOf(teamId)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(await headsOf(teamId)).toMatchObject([{ size: 5 }, { size: 3 }]);
    expect(await storedVerification(teamId)).toEqual({ status: 'intact', findings: [] });
  },
);

it('a declared restore never seals a record that the service did not write', async () => {
  const teamId = newId('team');
  await append(teamId, 4);
  const log = await readStoredLog(services[0], teamId);
  const [first, , third, fourth] = log.records;
  if (!first || !third || !fourth) throw new Error('There are no records.');
  const forged = { ...fourth, action: 'key.revoked' as const };
  await replaceStoredLog(services[0], teamId, { records: [first, third, forged] });
  await declareRestore();
  await sign();
  expect((await recordsOf(teamId)).map(({ action }) => action)).not.toContain('log.restored');
  expect(await headsOf(teamId)).toEqual([]);
});

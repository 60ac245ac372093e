import { serveRpc } from '@tollgate/bus/rpc';
import { notifyOfTampering } from '@tollgate/contracts/accounts/rpc';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anEntry, type Harness, type Service, startHarness } from './harness.ts';

let harness: Harness;
let instances: Service[];
/** What accounts was called with. */
const notified: AuditEntry[] = [];
let isAccountsDown = false;
let accounts: { stop(): Promise<void> };

beforeAll(async () => {
  harness = await startHarness();
  instances = [
    await harness.startService({ isStarted: false }),
    await harness.startService({ isStarted: false }),
  ];
  accounts = serveRpc(
    harness.client,
    notifyOfTampering,
    async ({ entry }) => {
      if (isAccountsDown) throw new Error('accounts is down');
      notified.push(entry);
      return {};
    },
    { verifyActor: harness.verifyActor, isUnavailable: () => false, logger: harness.logger },
  );
});
afterAll(async () => {
  await accounts?.stop();
  await harness.stop();
});

async function ended(teamId: string, status: 'intact' | 'tampered'): Promise<string> {
  const { verifications } = (instances[0] as Service).app.context;
  const id = newId('auditVerification');
  const at = new Date(harness.clock.now()).toISOString();
  const until = new Date(harness.clock.now());
  const verification = {
    ...{ _id: id, team_id: teamId, instance_id: 'test', leased_until: until },
    ...{ started_at: at, ended_at: at, last_head: null, findings: [] },
    ...{ records_checked: 1, records: 1, heads_checked: 1, heads: 1 },
    findings_count: status === 'tampered' ? 3 : 0,
  };
  const running = { ...verification, status: 'running' as const };
  await verifications.insert(running);
  await verifications.leases.renew(running, until, { $set: { status } });
  return id;
}

async function report(): Promise<void> {
  await Promise.all(instances.map(({ app }) => app.reportTampering()));
}

const idsOf = (teamId: string) => [
  ...new Set(notified.filter(({ team_id }) => team_id === teamId).map(({ id }) => id)),
];

it('the audit service has members notified of the first of several verifications that fail, under one id', async () => {
  const teamId = newId('team');
  const { app } = instances[0] as Service;
  await app.context.appender.append(anEntry(teamId));
  await ended(teamId, 'intact');
  const failed = await ended(teamId, 'tampered');
  await ended(teamId, 'tampered');
  await report();
  await report();
  const [id, ...others] = idsOf(teamId);
  expect(others).toEqual([]);
  expect(await app.context.records.find(teamId, id ?? '')).toMatchObject({
    action: 'log.verification_failed',
    changes: { verification: { after: failed }, findings: { after: 3 } },
  });
  await ended(teamId, 'intact');
  await ended(teamId, 'tampered');
  await report();
  expect(idsOf(teamId)).toHaveLength(2);
});

it('the audit service repeats the notification until accounts confirms it', async () => {
  const teamId = newId('team');
  isAccountsDown = true;
  await ended(teamId, 'tampered');
  await report();
  expect(idsOf(teamId)).toEqual([]);
  isAccountsDown = false;
  await report();
  expect(idsOf(teamId)).toHaveLength(1);
});

it('the audit service does not report a result that is older than a day, or that found the log intact', async () => {
  const [old, intact] = [newId('team'), newId('team')];
  await ended(old, 'tampered');
  harness.clock.advance(DAY_MS + 1);
  await ended(intact, 'intact');
  await report();
  expect([idsOf(old), idsOf(intact)]).toEqual([[], []]);
});

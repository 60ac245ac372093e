import { member } from '@tollgate/bus/test/member';
import type { AuditVerification } from '@tollgate/contracts/audit/audit-log';
import * as contract from '@tollgate/contracts/audit/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, type Service, startHarness } from './harness.ts';

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());

it('starting a verification with an idempotency key again returns the same one, also after it ended', async () => {
  const actor = member('viewer');
  const start = () => harness.call(actor, contract.startVerification, {}, { idempotencyKey: 'k' });
  const replies = await Promise.all(Array.from({ length: 8 }, start));
  expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
  const [{ id }] = replies as [AuditVerification];
  const read = () => harness.call(actor, contract.getVerification, { verification_id: id });
  await eventually('the verification ended', async () => (await read()).status !== 'running');
  expect(await start()).toEqual(await read());
  const other = await harness.call(actor, contract.startVerification, {}, { idempotencyKey: 'other' });
  expect(other.id).not.toBe(id);
});

it('a key is bound to the running verification that a start returned', async () => {
  const actor = member('viewer');
  const { verifications, verificationRunner } = service.app.context;
  const example = await verificationRunner.start(newId('team'), newId('auditVerification'));
  const until = new Date(harness.clock.now() + 60_000);
  const other = { team_id: actor.team_id, instance_id: 'other', leased_until: until };
  const running = { ...example, ...other, _id: newId('auditVerification'), status: 'running' as const };
  await verifications.insert(running);
  const start = () => harness.call(actor, contract.startVerification, {}, { idempotencyKey: 'k' });
  expect((await start()).id).toBe(running._id);
  await verifications.leases.renew(running, until, { $set: { status: 'intact' } });
  expect(await start()).toMatchObject({ id: running._id, status: 'intact' });
});

import { member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import * as contract from '@tollgate/contracts/audit/rpc';
import { PAYMENT_LIMITS } from '@tollgate/contracts/payments/payment';
import { MAX_LISTED_IDS } from '@tollgate/contracts/payments/payment-history';
import { newId } from '@tollgate/contracts/platform/ids';
import { MAX_AMOUNT } from '@tollgate/contracts/platform/money';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEntry, anEvent, type Harness, type Service, startHarness } from './harness.ts';
import { expectWholeLog, listRecords } from './whole-log.ts';

let harness: Harness;
/** Two instances that share the messages. */
let services: [Service, Service];

beforeAll(async () => {
  harness = await startHarness();
  services = [await harness.startService(), await harness.startService()];
});
afterAll(() => harness.stop());

const recordsOf = (teamId: string) => listRecords(services[0], teamId);
const expectWhole = (teamId: string, ids: string[]) => expectWholeLog(services[0], teamId, ids);

it('two instances that append to one log at the same time leave no gap, store nothing twice, and lose nothing, even for entries that both receive', async () => {
  const teamId = newId('team');
  const entries = Array.from({ length: 450 }, () => anEntry(teamId));
  const [one, two] = services.map(({ app }) => app.context.appender);
  await Promise.all(
    entries.flatMap((entry, index) => {
      const takers = index % 3 === 0 ? [one, two] : index % 3 === 1 ? [one] : [two, two];
      return takers.map((appender) => appender?.append(entry));
    }),
  );
  await expectWhole(
    teamId,
    entries.map(({ id }) => id),
  );
});

it('two instances that append to one log at the same time never let recorded_at go back when the clock of one of them is behind', async () => {
  const teamId = newId('team');
  const late = await harness.startService({
    isStarted: false,
    clock: { now: () => harness.clock.now() - 600_000 },
  });
  const entries = Array.from({ length: 20 }, () => anEntry(teamId));
  for (const [index, entry] of entries.entries()) {
    const { app } = index % 2 === 0 ? services[0] : late;
    await app.context.appender.append(entry);
  }
  await late.stop();
  await expectWhole(
    teamId,
    entries.map(({ id }) => id),
  );
});

describe('a recorded export', () => {
  const actor = member('viewer');
  const record = (filters: Record<string, string>, of: 'payments' | 'usage' = 'payments') =>
    harness.call(actor, contract.recordExport, { of, environment: null, filters });

  it('a recorded export has all payments of the largest selection, with all other filters at their longest', async () => {
    const ids = Array.from({ length: MAX_LISTED_IDS }, () => newId('payment')).join(',');
    const text = '€'.repeat(PAYMENT_LIMITS.reference);
    const { changes } = await record({
      ids,
      application_id: newId('application'),
      environment: 'sandbox',
      status: 'processing',
      currency: 'EUR',
      amount_min: String(MAX_AMOUNT),
      amount_max: String(MAX_AMOUNT),
      created_from: '2026-01-01T00:00:00.000000000+00:00',
      created_to: '2026-01-01T00:00:00.000000000+00:00',
      search: text,
      reference: text,
      payer: text,
    });
    expect(changes['ids']).toEqual({ before: null, after: ids });
    expect(changes['payer']).toEqual({ before: null, after: '(not recorded)' });
  });

  it.each([
    ['more filters than an export has', Object.fromEntries(range(17).map((index) => [`f${index}`, 'x']))],
    [
      'filters of more bytes than an export has',
      Object.fromEntries(range(9).map((index) => [`f${index}`, 'é'.repeat(256)])),
    ],
    ['a filter name that the database cannot store', { 'a\u0000': 'x' }],
  ])('a recorded export with %s is rejected', async (_what, filters) => {
    expect(await rejection(record(filters))).toMatchObject({ code: 'invalid-request' });
  });

  it('a recorded export with the longest filters does not hide a page of records', async () => {
    const filters = Object.fromEntries(range(8).map((index) => [`f${index}`, '\u0001'.repeat(80)]));
    const recorded = await Promise.all(range(120).map(() => record(filters)));
    const first = await harness.call(actor, contract.listRecords, { limit: 100 });
    const cursor = first.next_cursor ?? '';
    const second = await harness.call(actor, contract.listRecords, { limit: 100, cursor });
    const listed = [...first.data, ...second.data].map(({ id }) => id);
    expect(recorded.filter(({ id }) => !listed.includes(id))).toEqual([]);
  });
});

it('a published audit entry becomes exactly one record, however often it is delivered', async () => {
  const teamId = newId('team');
  const entry = anEntry(teamId, {
    target: { type: 'application', id: newId('application'), name: '\ud800x' },
  });
  await harness.publish(entry);
  await eventually('it is there', async () => (await recordsOf(teamId)).length === 1);
  await Promise.all(services.map(({ app }) => app.context.appender.append(entry)));
  await expectWhole(teamId, [entry.id]);
  const viewer = member('viewer', teamId);
  const record = await harness.call(viewer, contract.getRecord, { record_id: entry.id });
  expect(record).toEqual({
    ...entry,
    target: { ...entry.target, name: '\ufffdx' },
    seq: 1,
    recorded_at: expect.any(String),
  } satisfies AuditRecord);
});

it("audit entries of payments record the decisions of keys, members, and time limits, and not a processor's own actions", async () => {
  const teamId = newId('team');
  const key = { type: 'key' as const, id: newId('apiKey') };
  const by = { type: 'member' as const, id: newId('member'), address: '198.51.100.9' };
  const processor = { type: 'processor' as const, id: 'sandbox' };
  const events = [
    anEvent(teamId, { type: 'payment.created', cause: key }),
    anEvent(teamId, { type: 'payment.canceled', cause: key }),
    anEvent(teamId, { type: 'payment.canceled', cause: { type: 'expiry', id: null } }),
    anEvent(teamId, { type: 'payment.succeeded', cause: by, environment: 'live' }),
    anEvent(teamId, { type: 'payment.failed', cause: by }),
    anEvent(teamId, { type: 'payment.canceled', cause: by, environment: 'live' }),
    anEvent(teamId, { type: 'payment.processing', cause: by }),
    anEvent(teamId, { type: 'payment.processing', cause: processor }),
    anEvent(teamId, { type: 'payment.succeeded', cause: processor }),
    anEvent(teamId, { type: 'payment.failed', cause: processor }),
  ];
  for (const event of events) await harness.publishEvent(event);
  await eventually('they are there', async () => (await recordsOf(teamId)).length >= 6);
  const records = await recordsOf(teamId);
  expect(new Map(records.map(({ _id, action, actor }) => [_id, [action, actor.type, actor.id]]))).toEqual(
    new Map(
      [
        ['payment.created', 'key', key.id],
        ['payment.canceled', 'key', key.id],
        ['payment.expired', 'system', null],
        ['payment.settled', 'member', by.id],
        ['payment.simulated', 'member', by.id],
        ['payment.canceled', 'member', by.id],
      ].map((expected, index) => [(events[index]?.id ?? '').replace('evt_', 'aud_'), expected]),
    ),
  );
});

it('audit entries of payments are fetched from payments once when no message delivered them', async () => {
  const teamId = newId('team');
  const cause = { type: 'key' as const, id: newId('apiKey') };
  const events = Array.from({ length: 120 }, () => anEvent(teamId, { type: 'payment.created', cause }));
  harness.owned.push(...events);
  harness.clock.advance(120_000);
  await services[0].app.reconcileIfDue();
  await services[1].app.reconcileIfDue();
  await eventually('all are there', async () => (await recordsOf(teamId)).length === events.length);
  await expectWhole(
    teamId,
    events.map(({ id }) => id.replace('evt_', 'aud_')),
  );
});

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

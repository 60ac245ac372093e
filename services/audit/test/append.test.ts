import { setTimeout as delay } from 'node:timers/promises';
import { member } from '@tollgate/bus/test/member';
import type { AuditRecord } from '@tollgate/contracts/audit';
import { newId } from '@tollgate/contracts/ids';
import * as contract from '@tollgate/contracts/rpc/audit';
import { eventually } from '@tollgate/test-kit/eventually';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEntry, anEvent, type Harness, type Service, startHarness } from './harness.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);
/** The long form, `npm run test:long`, has 10. */
const KILLS = Number(process.env['KILLS'] ?? 3);
/** Entries that are published and not yet appended. */
const BACKLOG = 200;

let harness: Harness;
/** Two instances that share the messages. */
let services: [Service, Service];

beforeAll(async () => {
  harness = await startHarness();
  services = [await harness.startService(), await harness.startService()];
});
afterAll(() => harness.stop());

const recordsOf = (teamId: string) =>
  services[0].app.context.records.listBySeq(teamId, { from: 0, upTo: 1e9, limit: 1e6 });

/** The sequence is 1, 2, 3 …, contains each entry once, and `recorded_at` never goes back. */
async function expectWhole(teamId: string, ids: Iterable<string>): Promise<void> {
  const records = await recordsOf(teamId);
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1));
  expect(records.map(({ _id }) => _id).sort()).toEqual([...ids].sort());
  const times = records.map(({ recorded_at }) => recorded_at);
  expect(times).toEqual([...times].sort());
}

describe('two instances that append to one log at the same time', () => {
  it('leave no gap, store nothing twice, and lose nothing, even for entries that both receive', async () => {
    const teamId = newId('team');
    const entries = Array.from({ length: 600 }, () => anEntry(teamId));
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

  it('never let recorded_at go back when the clock of one of them is behind', async () => {
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
});

describe('a published audit entry', () => {
  it('becomes exactly one record, however often it is delivered', async () => {
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
});

describe('audit entries of payments', () => {
  it("record the decisions of keys, members, and time limits, and not a processor's own actions", async () => {
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

  it('are fetched from payments once when no message delivered them', async () => {
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
});

describe(`instances that are killed ${KILLS} times while they append`, () => {
  it('lose no entry, leave no gap, and store nothing twice', async () => {
    await Promise.all(services.map((service) => service.stop()));
    const teamIds = [newId('team'), newId('team')];
    const published = new Map(teamIds.map((teamId) => [teamId, [] as string[]]));
    let isOver = false;
    const observer = await harness.startService({ isStarted: false });
    const appended = async () => {
      const last = await Promise.all(teamIds.map((teamId) => observer.app.context.records.findLast(teamId)));
      return last.reduce((sum, record) => sum + (record?.seq ?? 0), 0);
    };
    const publishing = (async () => {
      for (let count = 0; !isOver; count += 1) {
        // A bounded backlog: otherwise a slow start of the processes leaves minutes of work.
        if (count % 20 === 0) while (!isOver && count - (await appended()) > BACKLOG) await delay(5);
        const teamId = teamIds[count % 2] as string;
        const entry = anEntry(teamId);
        await harness.publish(entry);
        published.get(teamId)?.push(entry.id);
      }
    })();
    const start = async () => {
      const running = startProcessUnderTest(MAIN, harness.processEnv);
      await running.ready();
      return running;
    };
    const running = [await start(), await start()];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await appended();
      await eventually('they append', async () => (await appended()) > before, { timeoutMs: 60_000 });
      await running.shift()?.end('SIGKILL');
      running.push(await start());
    }
    isOver = true;
    await publishing;
    services = [await harness.startService(), await harness.startService()];
    for (const [teamId, ids] of published) {
      await eventually('all are there', async () => (await recordsOf(teamId)).length >= ids.length, {
        timeoutMs: 60_000,
      });
      await expectWhole(teamId, ids);
    }
    for (const process of running) expect(await process.end('SIGTERM')).toEqual([0, null]);
  }, 180_000);
});

import { newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEntry, type Harness, type Service, startHarness } from '../harness.ts';
import { expectWholeLog, listRecords } from '../whole-log.ts';

const MAIN = new URL('../../src/main.ts', import.meta.url);
/** The long form, `npm run test:long`, has 10. */
const KILLS = Number(process.env['KILLS'] ?? 2);
/** Entries that are published around each kill. */
const ENTRIES_PER_KILL = 300;

let harness: Harness;
/** Reads the logs. It is not started, so only the processes under test append. */
let observer: Service;
const teamIds = [newId('team'), newId('team')] as const;
const published = new Map<string, string[]>(teamIds.map((teamId) => [teamId, []]));

beforeAll(async () => {
  harness = await startHarness();
  observer = await harness.startService({ isStarted: false });
});
afterAll(() => harness.stop());

async function publishEntries(): Promise<void> {
  const entries = Array.from({ length: ENTRIES_PER_KILL }, (_, index) =>
    anEntry(teamIds[index % 2 === 0 ? 0 : 1]),
  );
  for (const { id, team_id } of entries) published.get(team_id)?.push(id);
  await Promise.all(entries.map((entry) => harness.publish(entry)));
}

async function countAppended(): Promise<number> {
  const last = await Promise.all(teamIds.map((teamId) => observer.app.context.records.findLast(teamId)));
  return last.reduce((sum, record) => sum + (record?.seq ?? 0), 0);
}

describe(`instances that are killed ${KILLS} times while they append`, () => {
  it(`instances that are killed ${KILLS} times while they append lose no entry, leave no gap, and store nothing twice`, async () => {
    const start = async () => {
      const running = startProcessUnderTest(MAIN, harness.processEnv);
      await running.ready();
      return running;
    };
    const running = await Promise.all([start(), start()]);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await countAppended();
      const publishing = publishEntries();
      await eventually('they append', async () => (await countAppended()) > before, { timeoutMs: 60_000 });
      await running.shift()?.end('SIGKILL');
      await publishing;
      running.push(await start());
    }
    for (const [teamId, ids] of published) {
      await eventually(
        'all are there',
        async () => (await listRecords(observer, teamId)).length >= ids.length,
        { timeoutMs: 60_000, intervalMs: 200 },
      );
      await expectWholeLog(observer, teamId, ids);
    }
    for (const process of running) expect(await process.end('SIGTERM')).toEqual([0, null]);
  }, 180_000);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { CLOCK_FOLDER_VARIABLE, STEPPED_CLOCK, stepClock } from '../../../support/platform/step-clock.ts';
import { everyProcess } from '../../../support/programme/kill-faults.ts';
import type { Fault } from '../../../support/programme/programme.ts';
import { testProgramme } from '../../../support/programme/test-programme.ts';
import { startWorld } from '../../../support/programme/world.ts';

const OPERATIONS = { least: 30, most: 60 };
/** What payments and webhooks schedule by a clock that is ahead is due after the run. */
const FORWARD = ['gateway 1', 'usage 1', 'audit 1'];
const BACKWARD = [...FORWARD, 'payments 1', 'webhooks 1'];

const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-clocks-'));

function steppedFor(operations: number, name: string, pid: number, offsetMs: number): Fault {
  return {
    name: `the clock of ${name} is stepped by ${offsetMs / HOUR_MS} h for ${operations} operations`,
    async inject(load) {
      stepClock(folder, pid, offsetMs);
      await load.complete(operations);
      stepClock(folder, pid, 0);
    },
  };
}

testProgramme({
  name: 'clocks stepped by an hour',
  file: 'clock-stepped',
  faults: { short: 2, long: 60 },
  operationsPerFault: 30,
  operationsPerSecond: 30,
  // A service rejects members whose tokens are an hour old by its clock.
  shares: { list: 0, settle: 0 },
  async startWorld() {
    const world = await startWorld({
      maxClockErrorMs: HOUR_MS,
      platform: {
        instances: { payments: 2, webhooks: 2 },
        gatewayEnvs: [{}, {}],
        preload: [STEPPED_CLOCK],
        env: { [CLOCK_FOLDER_VARIABLE]: folder },
      },
    });
    return {
      ...world,
      async stop() {
        await world.stop();
        rmSync(folder, { recursive: true });
      },
    };
  },
  drawFault(world, random, index) {
    const isForward = index % 2 === 0;
    const victim = random.pick(isForward ? FORWARD : BACKWARD);
    const pid = everyProcess(world).find(({ name }) => name === victim)?.pid;
    if (!pid) throw new Error(`${victim} is not running.`);
    const operations = random.int(OPERATIONS.least, OPERATIONS.most);
    return steppedFor(operations, victim, pid, isForward ? HOUR_MS : -HOUR_MS);
  },
});

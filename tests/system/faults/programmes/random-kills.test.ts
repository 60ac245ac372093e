import { LEASES_OF_FORM } from '../../../support/platform/changed-sources/short-leases.ts';
import { everyProcess, killed, type NamedProcess } from '../../../support/programme/kill-faults.ts';
import { testProgramme } from '../../../support/programme/test-programme.ts';
import { startWorld } from '../../../support/programme/world.ts';

/** Each process is killed once before any is killed again. */
let remaining: NamedProcess[] = [];

testProgramme({
  name: 'every process killed with SIGKILL in random order',
  file: 'random-kills',
  faults: { short: 10, long: 200 },
  operationsPerFault: 15,
  operationsPerSecond: 30,
  startWorld: () => startWorld({ platform: { sourceChanges: LEASES_OF_FORM } }),
  drawFault(world, random) {
    if (remaining.length === 0) remaining = random.shuffle(everyProcess(world));
    return killed(remaining.pop() as NamedProcess);
  },
});

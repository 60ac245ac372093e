import { everyProcess, killed } from '../../programme/kill-faults.ts';
import { testProgramme } from '../../programme/test-programme.ts';
import { startWorld } from '../../programme/world.ts';

testProgramme({
  name: 'every process killed with SIGKILL in random order',
  file: 'random-kills',
  faults: { short: 10, long: 200 },
  operationsPerFault: 30,
  operationsPerSecond: 30,
  startWorld: () => startWorld(),
  drawFault: (world, random) => killed(random.pick(everyProcess(world))),
});

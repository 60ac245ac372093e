import { downFor } from '../../../support/programme/kill-faults.ts';
import { testProgramme } from '../../../support/programme/test-programme.ts';
import { startWorld } from '../../../support/programme/world.ts';

const MAX_OPERATIONS_DOWN = 40;

testProgramme({
  name: 'MongoDB killed and started again',
  file: 'mongodb-killed',
  faults: { short: 4, long: 30 },
  operationsPerFault: 40,
  operationsPerSecond: 30,
  startWorld: () => startWorld(),
  drawFault: ({ platform: { infra } }, random) =>
    downFor(random.int(0, MAX_OPERATIONS_DOWN), 'mongodb', infra.mongodb),
});

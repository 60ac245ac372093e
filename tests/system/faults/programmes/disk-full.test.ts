import { unableToWriteFor } from '../../../support/programme/disk-faults.ts';
import { testProgramme } from '../../../support/programme/test-programme.ts';
import { startWorld } from '../../../support/programme/world.ts';

const OPERATIONS = { least: 20, most: 60 };

testProgramme({
  name: 'the disk of MongoDB or of NATS is full',
  file: 'disk-full',
  faults: { short: 4, long: 40 },
  operationsPerFault: 30,
  operationsPerSecond: 30,
  startWorld: () => startWorld(),
  drawFault({ platform: { infra } }, random, index) {
    const operations = random.int(OPERATIONS.least, OPERATIONS.most);
    return index % 2 === 0
      ? unableToWriteFor(operations, ['mongodb', infra.mongodb])
      : unableToWriteFor(operations, ['nats', infra.nats]);
  },
});

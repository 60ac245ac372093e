import { LEASES_OF_FORM } from '../../../support/platform/changed-sources/short-leases.ts';
import { unableToWriteFor } from '../../../support/programme/disk-faults.ts';
import { downFor } from '../../../support/programme/kill-faults.ts';
import type { Fault } from '../../../support/programme/programme.ts';
import { testProgramme } from '../../../support/programme/test-programme.ts';
import { startWorld, type World } from '../../../support/programme/world.ts';

/** A server that is down for no operation is started again at once. One that cannot write must be asked to. */
const MAX_OPERATIONS = 40;
const LEAST_UNABLE = 20;

type DrawnFault = (operations: number, infra: World['platform']['infra']) => Fault;

const FAULTS: readonly DrawnFault[] = [
  (operations, { mongodb }) => downFor(operations, 'mongodb', mongodb),
  (operations, { nats }) => unableToWriteFor(LEAST_UNABLE + operations, 'nats', nats),
  (operations, { nats }) => downFor(operations, 'nats', nats),
  (operations, { mongodb }) => unableToWriteFor(LEAST_UNABLE + operations, 'mongodb', mongodb),
  storeDeleted,
];

function storeDeleted(operations: number, { nats }: World['platform']['infra']): Fault {
  return {
    name: `the store of nats is deleted, and nats is down for ${operations} operations`,
    async inject(load) {
      await nats.deleteStore();
      await load.complete(operations);
      await nats.start();
    },
  };
}

testProgramme({
  name: 'MongoDB or NATS killed or unable to write, and the store of NATS deleted',
  file: 'servers-fail',
  faults: { short: FAULTS.length, long: 20 * FAULTS.length },
  operationsPerFault: 30,
  operationsPerSecond: 30,
  startWorld: () => startWorld({ platform: { sourceChanges: LEASES_OF_FORM } }),
  drawFault({ platform: { infra } }, random, index) {
    const fault = FAULTS[index % FAULTS.length] as DrawnFault;
    return fault(random.int(0, MAX_OPERATIONS), infra);
  },
});

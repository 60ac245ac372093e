import { downFor } from '../../../support/programme/kill-faults.ts';
import type { Fault } from '../../../support/programme/programme.ts';
import { testProgramme } from '../../../support/programme/test-programme.ts';
import { startWorld, type World } from '../../../support/programme/world.ts';

/** One of so many faults also deletes the store. */
const DELETE_EVERY = 4;
const MAX_OPERATIONS_DOWN = 40;

testProgramme({
  name: 'NATS killed, and its store deleted',
  file: 'nats-killed',
  faults: { short: DELETE_EVERY, long: 5 * DELETE_EVERY },
  operationsPerFault: 40,
  operationsPerSecond: 30,
  startWorld: () => startWorld(),
  drawFault(world, random, index) {
    const operations = random.int(0, MAX_OPERATIONS_DOWN);
    return index % DELETE_EVERY === DELETE_EVERY - 1
      ? storeDeleted(world, operations)
      : downFor(operations, 'nats', world.platform.infra.nats);
  },
});

function storeDeleted({ platform: { infra } }: World, operations: number): Fault {
  return {
    name: `the store of nats is deleted, and nats is down for ${operations} operations`,
    async inject(load) {
      await infra.nats.deleteStore();
      await load.complete(operations);
      await infra.nats.start();
    },
  };
}

import { type PartitionProxy, startPartitionProxy } from '@tollgate/test-kit/partition-proxy';
import type { Fault } from '../../../support/programme/programme.ts';
import { testProgramme } from '../../../support/programme/test-programme.ts';
import { startWorld, type World } from '../../../support/programme/world.ts';

/** The first gateway is partitioned, the second one is not. Keys are changed through the second one. */
const PARTITIONED = 0;
const MAX_STALENESS_MS = 3_000;
/** At 30 per second, about twice the staleness, so that keys are tried that were revoked for longer than it. */
const OPERATIONS = { least: 150, most: 240 };

let proxy: PartitionProxy;

async function startPartitionable(): Promise<World> {
  const world = await startWorld({
    principalsMaxStalenessMs: MAX_STALENESS_MS,
    platform: {
      gatewayEnvs: [{}, {}],
      async advertiseNats(natsUrl, gateway) {
        if (gateway !== PARTITIONED) return natsUrl;
        proxy = await startPartitionProxy(natsUrl);
        return proxy.url;
      },
    },
  });
  const { adminUrl } = world.addressesFor(PARTITIONED + 1);
  return {
    ...world,
    addressesFor: (index) => ({ ...world.addressesFor(index), adminUrl }),
    async stop() {
      await world.stop();
      await proxy.stop();
    },
  };
}

function partitionedFor(operations: number, how: 'silent' | 'closed'): Fault {
  return {
    name: `a gateway is separated from NATS for ${operations} operations (${how})`,
    async inject(load) {
      proxy.partition(how);
      await load.complete(operations);
      proxy.heal();
    },
  };
}

testProgramme({
  name: 'a gateway partitioned from NATS while keys are revoked',
  file: 'gateway-partitioned',
  faults: { short: 2, long: 30 },
  operationsPerFault: 40,
  operationsPerSecond: 30,
  shares: { 'create-key': 30, 'use-key': 90, 'revoke-key': 10 },
  startWorld: startPartitionable,
  drawFault: (_world, random, index) =>
    partitionedFor(random.int(OPERATIONS.least, OPERATIONS.most), index % 2 === 0 ? 'silent' : 'closed'),
});

import { SHORT_LEASES } from '../../../support/platform/changed-sources/short-leases.ts';
import { everyProcess } from '../../../support/programme/kill-faults.ts';
import { suspendedFor } from '../../../support/programme/suspend-faults.ts';
import { testProgramme } from '../../../support/programme/test-programme.ts';
import { startWorld } from '../../../support/programme/world.ts';

/** At 30 per second, from less than a lease to more. */
const OPERATIONS = { least: 50, most: 130 };

testProgramme({
  name: 'processes suspended with SIGSTOP, and continued after their leases have ended',
  file: 'suspended',
  faults: { short: 2, long: 60 },
  operationsPerFault: 30,
  operationsPerSecond: 30,
  startWorld: () =>
    startWorld({
      platform: {
        instances: { payments: 2, webhooks: 2 },
        gatewayEnvs: [{}, {}],
        sourceChanges: SHORT_LEASES,
      },
    }),
  drawFault(world, random, index) {
    const processes = everyProcess(world).filter(({ pid }) => pid !== null);
    const withLeases = processes.filter(({ name }) => /^(payments|webhooks)/.test(name));
    const victim = random.pick(index % 2 === 0 ? withLeases : processes);
    return suspendedFor(random.int(OPERATIONS.least, OPERATIONS.most), victim);
  },
});

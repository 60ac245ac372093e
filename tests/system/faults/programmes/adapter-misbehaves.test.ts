import {
  MISBEHAVIOURS,
  type MisbehavingAdapter,
  startMisbehavingAdapter,
} from '../../../support/programme/processor/misbehaving-adapter.ts';
import { testProgramme } from '../../../support/programme/test-programme.ts';
import { startWorld } from '../../../support/programme/world.ts';

const OPERATIONS = { least: 15, most: 30 };

let adapter: MisbehavingAdapter;

testProgramme({
  name: 'an adapter that returns errors, garbage, and responses of other payments, late, twice, or never',
  file: 'adapter-misbehaves',
  faults: { short: MISBEHAVIOURS.length, long: 10 * MISBEHAVIOURS.length },
  operationsPerFault: 15,
  operationsPerSecond: 30,
  async startWorld({ random }) {
    const world = await startWorld({
      platform: {
        topology: 'all-in-one',
        sourceChanges: [
          {
            file: 'payments/src/processors/routing/processors-file.ts',
            from: 'DEFAULT_DEADLINE_MS = 10_000',
            to: 'DEFAULT_DEADLINE_MS = 1_000',
          },
        ],
      },
      async advertiseAdapter(url) {
        adapter = await startMisbehavingAdapter(url, random);
        return adapter.url;
      },
    });
    return {
      ...world,
      async stop() {
        await world.stop();
        await adapter.stop();
      },
    };
  },
  drawFault(_world, random, index) {
    const how = MISBEHAVIOURS[index % MISBEHAVIOURS.length] as (typeof MISBEHAVIOURS)[number];
    const operations = random.int(OPERATIONS.least, OPERATIONS.most);
    return {
      name: `${how} for ${operations} operations`,
      async inject(load) {
        adapter.misbehave(how);
        await load.complete(operations);
        adapter.misbehave(null);
      },
    };
  },
});

import { testProgramme } from '../../../support/programme/test-programme.ts';
import {
  createUnreliableNetwork,
  type UnreliableNetwork,
} from '../../../support/programme/unreliable-network.ts';
import { startWorld } from '../../../support/programme/world.ts';
import { report } from '../../../support/report.ts';

const LOST_SHARE = 0.1;
const MAX_OPERATIONS = 80;

let network: UnreliableNetwork;

testProgramme({
  name: 'a tenth of the responses of gateways, payments, and the adapter lost, to four clients at once',
  file: 'responses-lost',
  faults: { short: 2, long: 60 },
  operationsPerFault: 20,
  operationsPerSecond: 20,
  concurrency: 4,
  async startWorld({ random }) {
    network = createUnreliableNetwork(random);
    const world = await startWorld({
      platform: { topology: 'all-in-one', advertise: network.reach },
      advertiseAdapter: network.reach,
      advertiseGateway: network.reach,
    });
    return {
      ...world,
      async stop() {
        await world.stop();
        report(`${network.lost()} responses lost`);
        await network.stop();
      },
    };
  },
  drawFault: (_world, random) =>
    network.losingResponses(LOST_SHARE, random.int(MAX_OPERATIONS / 2, MAX_OPERATIONS)),
});

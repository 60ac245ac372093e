/** `TEST_INFRA=embedded node bench/due-backlog.ts [deliveries]`: how long the backlog metrics take while that many deliveries are due. Prints one table. */
import { newId } from '@tollgate/contracts/platform/ids';
import { systemClock } from '@tollgate/runtime/clock';
import { newDelivery, type StoredDelivery } from '../src/deliveries/delivery.ts';
import { createDueBacklog } from '../src/dispatch/due-backlog.ts';
import type { Endpoint } from '../src/endpoints/endpoint.ts';
import { startHarness } from '../test/harness.ts';

const DUE = Number(process.argv[2] ?? 100_000);
const ROUNDS = 5;
const PER_INSERT = 1_000;

const harness = await startHarness();
try {
  // Creates the indexes and serves nothing.
  const { connection, logger } = await harness.startService({ isStarted: false });
  const collection = connection.collection<StoredDelivery>('deliveries');
  const endpoint = { _id: newId('webhookEndpoint'), team_id: newId('team'), disabled: null } as Endpoint;
  const owner = { application_id: newId('application'), environment: 'sandbox' } as const;
  for (let stored = 0; stored < DUE; stored += PER_INSERT) {
    const documents = Array.from({ length: Math.min(PER_INSERT, DUE - stored) }, () => {
      const event = { _id: newId('event'), type: 'payment.succeeded', payment_id: newId('payment') } as const;
      return { ...newDelivery(event, endpoint, new Date(harness.clock.now())), ...owner };
    });
    await collection.insertMany(documents);
  }
  const rows = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // A new one, because it keeps its count for a while.
    const backlog = createDueBacklog(connection, { clock: systemClock, logger });
    const startedAt = performance.now();
    const due = await backlog.countDue();
    const countedAt = performance.now();
    await backlog.oldestDueAgeS();
    const endedAt = performance.now();
    rows.push({
      due,
      'count ms': Math.round(countedAt - startedAt),
      'oldest ms': Math.round(endedAt - countedAt),
    });
  }
  console.table(rows);
} finally {
  await harness.stop();
}

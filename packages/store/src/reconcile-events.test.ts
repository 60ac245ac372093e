import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { createLogger } from '@tollgate/runtime/logger';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leaseTimes } from './lease.ts';
import { connectMongoDB } from './mongodb.ts';
import { INTERVAL_MS, reconcileEvents } from './reconcile-events.ts';
import { createReconciliationStore } from './reconciliation-store.ts';

const clock = createFakeClock();
const BEGINNING = new Date(clock.now());
const LONGER_THAN_A_LEASE_MS = 20_000;

let server: Awaited<ReturnType<typeof startMongoDB>>;
let connection: Awaited<ReturnType<typeof connectMongoDB>>;
beforeAll(async () => {
  server = await startMongoDB();
  const logger = createLogger({ service: 'test', level: 'silent' });
  connection = await connectMongoDB({ url: server.url, database: 'reconciling', appName: 'test', logger });
});
afterAll(async () => {
  await connection.close();
  await server.dispose();
});

/** An instance that reads two pages, each with one event. */
function anInstance(whileReading: () => Promise<unknown> = async () => {}) {
  const event = () => ({ occurred_at: new Date(clock.now()).toISOString() }) as PaymentEvent;
  const reconciliation = {
    reconciliations: createReconciliationStore(connection),
    async eventsSince({ cursor }: { since: string; cursor?: string }) {
      const page = { events: [event()], next_cursor: cursor === undefined ? 'second' : null };
      await whileReading();
      return page;
    },
    takeMissing: async (events: PaymentEvent[]) => events.length,
    firstSince: BEGINNING,
    clock,
  };
  return { run: (isUrgent = false) => reconcileEvents(reconciliation, { isUrgent }) };
}

it('a reconciliation is run by one instance at a time, and again when it is due', async () => {
  const other = anInstance();
  const first = anInstance(async () => expect(await other.run(true)).toBeNull());
  expect(await first.run()).toBe(2);
  expect(await other.run()).toBeNull();
  clock.advance(INTERVAL_MS);
  expect(await other.run()).toBe(2);
});

it('a reconciliation that takes longer than its lease stops when another instance has begun one, and what it processed is recorded', async () => {
  clock.advance(INTERVAL_MS);
  const processedAt = new Date(clock.now());
  const late = anInstance(async () => {
    clock.advance(LONGER_THAN_A_LEASE_MS);
    const other = await createReconciliationStore(connection).acquire({}, leaseTimes(clock, HOUR_MS));
    expect(other).not.toBeNull();
  });
  expect(await late.run()).toBe(1);
  expect(await connection.collection('reconciliations').findOne({})).toMatchObject({
    reconciled_until: processedAt,
    claimed_until: new Date(clock.now() + HOUR_MS),
  });
});

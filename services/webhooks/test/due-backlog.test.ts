import { newId } from '@tollgate/contracts/platform/ids';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newDelivery, type StoredDelivery } from '../src/deliveries/delivery.ts';
import type { Endpoint } from '../src/endpoints/endpoint.ts';
import { type Harness, type Service, startHarness } from './harness.ts';

const DUE = 2_500;
const AGE_S = 90;

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  // It is not started, so nothing is sent.
  service = await harness.startService({ isStarted: false });
});
afterAll(() => harness.stop());

/** A delivery that becomes due so many seconds from now. */
function aDelivery(dueInS: number): StoredDelivery {
  const endpoint = { _id: newId('webhookEndpoint'), team_id: newId('team'), disabled: null } as Endpoint;
  const event = { _id: newId('event'), type: 'payment.succeeded', payment_id: newId('payment') } as const;
  const document = newDelivery(event, endpoint, new Date(harness.clock.now() + dueInS * 1_000));
  return { ...document, application_id: newId('application'), environment: 'sandbox' };
}

const store = (documents: StoredDelivery[]) =>
  service.connection.collection<StoredDelivery>('deliveries').insertMany(documents);

async function measured(name: string): Promise<number | undefined> {
  const { values } = (await service.registry.getSingleMetric(`tollgate_webhooks_${name}`)?.get()) ?? {};
  return values?.[0]?.value;
}

it('the backlog metric counts every due delivery, and no other', async () => {
  await store(Array.from({ length: DUE }, () => aDelivery(-1)));
  await store([aDelivery(60), { ...aDelivery(-1), status: 'succeeded', next_attempt_at: null }]);
  expect(await measured('deliveries_due')).toBe(DUE);
});

it('the backlog metric measures how long the oldest due delivery has been due', async () => {
  await store([aDelivery(-AGE_S)]);
  expect(await measured('oldest_due_age_seconds')).toBe(AGE_S);
});

it('the backlog metric is unknown without MongoDB', async () => {
  await harness.infra.mongodb.stop();
  await eventually('both are NaN', async () => {
    const values = await Promise.all(['deliveries_due', 'oldest_due_age_seconds'].map(measured));
    return values.every(Number.isNaN);
  });
});

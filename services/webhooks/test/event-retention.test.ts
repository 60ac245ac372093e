import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { destinationOf, newDelivery } from '../src/deliveries/delivery.ts';
import type { Endpoint } from '../src/endpoints/endpoint.ts';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import type { Receiver } from './receiver.ts';

let harness: Harness;
let service: Service;
let receiver: Receiver;
let application: TestApplication;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  receiver = await harness.startReceiver();
  application = await harness.anApplication();
});
afterEach(() => receiver.stop());

/** When MongoDB takes the document away, by the indexes of its collection. */
async function expiryMs(collection: string, id: string): Promise<number> {
  const stored = service.connection.collection(collection);
  const indexes = await stored.indexes();
  const document = await stored.findOne({ _id: id as never });
  const ends = indexes.flatMap(({ key, expireAfterSeconds }) => {
    const from = document?.[Object.keys(key)[0] as string];
    return expireAfterSeconds !== undefined && from instanceof Date
      ? [from.getTime() + expireAfterSeconds * 1000]
      : [];
  });
  expect(ends).toHaveLength(1);
  return ends[0] as number;
}

it('an event stays a day longer than its newest delivery, including one replayed much later', async () => {
  const { id: first } = await harness.anEndpoint(application, receiver.url);
  const event = anEvent(application, { at: new Date(harness.clock.now()) });
  const since = event.occurred_at;
  await service.app.fanOut(event);
  const deliveryTo = async (endpoint_id: string) =>
    (await harness.call(application.viewer, contract.listDeliveries, { endpoint_id })).data[0]?.id as string;
  expect(await expiryMs('events', event.id)).toBe(
    (await expiryMs('deliveries', await deliveryTo(first))) + DAY_MS,
  );

  // An attempt in flight when the clock jumps arrives with a signature that is too old.
  await eventually('it is delivered', () => receiver.received.length === 1);
  harness.clock.advance(80 * DAY_MS);
  const { id: second } = await harness.anEndpoint(application, receiver.url);
  await harness.call(application.developer, contract.replayMissing, { endpoint_id: second, since });
  expect(await expiryMs('events', event.id)).toBe(
    (await expiryMs('deliveries', await deliveryTo(second))) + DAY_MS,
  );
});

it('a delivery whose event has expired fails once with the reason, and does not count as a failure of the endpoint', async () => {
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  const { deliveries, endpoints } = service.app.context;
  const endpoint = (await endpoints.find(application.teamId, endpoint_id)) as Endpoint;
  const gone = { _id: newId('event'), type: 'payment.failed', payment_id: newId('payment') } as const;
  const delivery = newDelivery(gone, endpoint, new Date(harness.clock.now()));
  await deliveries.insertMissing([delivery]);
  service.app.dispatcher.wake(destinationOf(endpoint));
  const read = () => harness.call(application.viewer, contract.getDelivery, { delivery_id: delivery._id });
  await eventually('it failed', async () => (await read()).status === 'failed');

  const { attempt_log: log, next_attempt_at } = await read();
  expect(next_attempt_at).toBeNull();
  expect(log).toMatchObject([{ error: { code: 'event-gone' }, response: null }]);
  expect(receiver.connections()).toBe(0);
  const shown = await harness.call(application.viewer, contract.getEndpoint, { endpoint_id });
  expect(shown.failing_since).toBeNull();
});

import { subscribeText } from '@tollgate/bus/announce';
import {
  DeliveryChange,
  LIVE_SUBJECTS,
  WebhookEndpointChange,
} from '@tollgate/contracts/webhooks/live-changes';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { Compile } from 'typebox/compile';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import { agentsToThisMachine, aLiveEndpoint } from './live-endpoint.ts';
import type { Receiver } from './receiver.ts';

const deliveryChange = Compile(DeliveryChange);
const endpointChange = Compile(WebhookEndpointChange);

let harness: Harness;
let service: Service;
let receiver: Receiver;
let application: TestApplication;
const subscriptions: { stop(): void }[] = [];
/** Changes received since the test began. */
let deliveries: DeliveryChange[] = [];
let endpoints: WebhookEndpointChange[] = [];

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService({ agents: agentsToThisMachine() });
  subscriptions.push(
    subscribeText(harness.client, LIVE_SUBJECTS.delivery, (text) =>
      deliveries.push(deliveryChange.Parse(JSON.parse(text))),
    ),
    subscribeText(harness.client, LIVE_SUBJECTS.webhookEndpoint, (text) =>
      endpoints.push(endpointChange.Parse(JSON.parse(text))),
    ),
  );
});
afterAll(async () => {
  for (const subscription of subscriptions) subscription.stop();
  await harness.stop();
});
beforeEach(async () => {
  receiver = await harness.startReceiver();
  application = await harness.anApplication();
  deliveries = [];
  endpoints = [];
});
afterEach(() => receiver.stop());

const fail = () => {
  receiver.answer = (_request, response) => response.writeHead(500).end();
};
const steps = () => deliveries.map(({ status, attempts }) => [status, attempts]);
const receivedChanges = (count: number) =>
  eventually(`${count} changes of deliveries are received`, () => deliveries.length >= count);
/** Waits for a change of this endpoint, then clears the received changes. */
async function changesOf(endpointId: string, environment = 'sandbox') {
  await eventually('a change of the endpoint is received', () => endpoints.length > 0);
  expect(endpoints).toContainEqual({
    team_id: application.teamId,
    environment,
    application_id: application.id,
    endpoint_id: endpointId,
  });
  endpoints = [];
}
async function anEndpoint() {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  await changesOf(endpoint.id);
  return endpoint;
}

it('a live change of a delivery is published when it is created and when it is attempted, with the ids it belongs to', async () => {
  const endpoint = await anEndpoint();
  const event = anEvent(application);
  await harness.publish(event);
  await receivedChanges(2);
  expect(steps()).toEqual([
    ['pending', 0],
    ['succeeded', 1],
  ]);
  const [owed, attempted] = deliveries as [DeliveryChange, DeliveryChange];
  expect(owed).toEqual({
    team_id: application.teamId,
    environment: 'sandbox',
    application_id: application.id,
    delivery_id: attempted.delivery_id,
    endpoint_id: endpoint.id,
    event_id: event.id,
    payment_id: event.data.id,
    status: 'pending',
    attempts: 0,
  });
  const read = { delivery_id: owed.delivery_id };
  expect(await harness.call(application.viewer, contract.getDelivery, read)).toMatchObject({
    id: owed.delivery_id,
    status: 'succeeded',
  });
});

it('a live change of a delivery is published when a member cancels or resends it', async () => {
  await anEndpoint();
  fail();
  await harness.publish(anEvent(application));
  await receivedChanges(2);
  const [{ delivery_id }] = deliveries as [DeliveryChange];
  await harness.call(application.developer, contract.cancelDelivery, { delivery_id });
  await harness.call(application.developer, contract.resendDelivery, { delivery_id });
  await receivedChanges(5);
  expect(steps()).toEqual([
    ['pending', 0],
    ['pending', 1],
    ['canceled', 1],
    ['pending', 1],
    ['pending', 2],
  ]);
  expect(new Set(deliveries.map((change) => change.delivery_id))).toEqual(new Set([delivery_id]));
});

it('a live change of a delivery is published when it belongs to a test event', async () => {
  const { id } = await anEndpoint();
  await harness.call(application.developer, contract.sendTestEvent, {
    endpoint_id: id,
    event_type: 'payment.failed',
  });
  await receivedChanges(2);
  expect(steps()).toEqual([
    ['pending', 0],
    ['succeeded', 1],
  ]);
});

describe('a live change of an endpoint is published', () => {
  it('a live change of an endpoint is published when a member changes, disables, enables, or deletes it', async () => {
    const { id: endpoint_id } = await anEndpoint();
    const as = application.developer;
    await harness.call(as, contract.updateEndpoint, { endpoint_id, description: 'Shop' });
    await changesOf(endpoint_id);
    await harness.call(as, contract.rotateSecret, { endpoint_id });
    await changesOf(endpoint_id);
    await harness.call(as, contract.disableEndpoint, { endpoint_id });
    await changesOf(endpoint_id);
    await harness.call(as, contract.enableEndpoint, { endpoint_id });
    await changesOf(endpoint_id);
    await harness.call(as, contract.deleteEndpoint, { endpoint_id });
    await changesOf(endpoint_id);
  });

  it('once when it starts to fail, and once when it recovers', async () => {
    await anEndpoint();
    fail();
    for (const count of [2, 4]) {
      await harness.publish(anEvent(application));
      await receivedChanges(count);
    }
    await eventually('the failing state is received', () => endpoints.length > 0);
    receiver.answer = (_request, response) => response.writeHead(204).end();
    for (const count of [6, 8]) {
      await harness.publish(anEvent(application));
      await receivedChanges(count);
    }
    await eventually('the working state is received', () => endpoints.length > 1);
    expect(endpoints).toHaveLength(2);
  });

  it('a live change of an endpoint is published when it is paused because it is unreachable', async () => {
    const { id } = await aLiveEndpoint(harness, service, { application, url: receiver.url });
    await changesOf(id, 'live');
    await receiver.stop();
    const publish = () => harness.publish(anEvent(application, { environment: 'live' }));
    for (let count = 0; count < 5; count += 1) await publish();
    await receivedChanges(10);
    await eventually('failing and paused are received', () => endpoints.length === 2);
    await changesOf(id, 'live');
  });

  it('a live change of an endpoint is published when the platform disables it and skips its pending deliveries', async () => {
    const { id } = await anEndpoint();
    receiver.answer = (_request, response) => response.writeHead(410).end();
    await harness.publish(anEvent(application));
    await receivedChanges(2);
    await changesOf(id);
    expect(deliveries.at(-1)?.status).toBe('failed');
  });

  it('a live change of an endpoint is published when many deliveries change at once', async () => {
    const { id: endpoint_id } = await anEndpoint();
    receiver.answer = (_request, response) => response.writeHead(410).end();
    await harness.publish(anEvent(application));
    const read = () => harness.call(application.developer, contract.getEndpoint, { endpoint_id });
    await eventually('it is disabled', async () => (await read()).status === 'disabled');
    receiver.answer = (_request, response) => response.writeHead(204).end();
    await harness.call(application.developer, contract.enableEndpoint, { endpoint_id });
    await changesOf(endpoint_id);
    const since = new Date(0).toISOString();
    for (const method of [contract.recoverEndpoint, contract.replayMissing]) {
      await eventually('earlier changes have been received', () => endpoints.splice(0).length === 0);
      await harness.call(application.developer, method, { endpoint_id, since });
      await changesOf(endpoint_id);
    }
    await eventually('the recovered delivery succeeds', () =>
      deliveries.some(({ status }) => status === 'succeeded'),
    );
  });
});

describe('while NATS is down', () => {
  it('deliveries continue, and their changes are dropped', async () => {
    await anEndpoint();
    fail();
    await harness.publish(anEvent(application));
    await receivedChanges(2);
    await harness.infra.nats.kill();
    await eventually('the service has noticed', () => !service.bus.isConnected());
    receiver.answer = (_request, response) => response.writeHead(204).end();
    harness.clock.advance(60_000);
    await service.app.dispatcher.sweep();
    const stored = service.connection.collection<{ _id: string }>('deliveries');
    const [{ delivery_id }] = deliveries as [DeliveryChange];
    await eventually('it is recorded', async () =>
      Boolean(await stored.findOne({ _id: delivery_id, status: 'succeeded' })),
    );
    await harness.infra.nats.start();
    await eventually('NATS is back', () => service.bus.isConnected());
    await eventually('the test is connected again', () => harness.client.isConnected());
    // A client is connected before the server has its subscriptions.
    await harness.client.nats.flush();
    // The pending deliveries now is received after whatever was kept back.
    await service.app.fanOut(anEvent(application));
    await receivedChanges(3);
    expect(steps().slice(0, 3)).toEqual([
      ['pending', 0],
      ['pending', 1],
      ['pending', 0],
    ]);
  });
});

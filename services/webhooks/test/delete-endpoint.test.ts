import { consume } from '@tollgate/bus/consumer';
import { callRpc } from '@tollgate/bus/rpc';
import { rejection } from '@tollgate/bus/test/rejection';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import type { Receiver } from './receiver.ts';

let harness: Harness;
let service: Service;
let receiver: Receiver;
let application: TestApplication;
let consumer: { stop(): Promise<void> };
const audited: AuditEntry[] = [];

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
  consumer = consume(harness.client, {
    stream: 'AUDIT',
    durable: 'delete-endpoint-test',
    logger: harness.logger,
    schema: AuditEntry,
    handle: async ({ body }) => void audited.push(body),
  });
});
afterAll(async () => {
  await consumer.stop();
  await harness.stop();
});
beforeEach(async () => {
  receiver = await harness.startReceiver();
  application = await harness.anApplication();
});
afterEach(() => receiver.stop());

const deliveriesOf = async (endpointId: string) =>
  (await harness.call(application.viewer, contract.listDeliveries, { endpoint_id: endpointId })).data;
const theDelivery = async (endpointId: string) => {
  const [delivery, ...others] = await deliveriesOf(endpointId);
  expect(others).toEqual([]);
  return delivery as NonNullable<typeof delivery>;
};
const remove = (endpointId: string, ifVersion?: number) =>
  harness.call(application.developer, contract.deleteEndpoint, {
    endpoint_id: endpointId,
    ...(ifVersion !== undefined && { if_version: ifVersion }),
  });
const stored = () => service.connection.collection<{ _id: string }>('endpoints');

/** An endpoint with one delivery that failed once and waits for its next attempt. */
async function withWaitingDelivery() {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) => response.writeHead(500).end();
  await service.app.fanOut(anEvent(application));
  await eventually('it failed once', async () => (await theDelivery(endpoint.id)).attempts === 1);
  return { endpoint, delivery: await theDelivery(endpoint.id) };
}

/** Everything that would be due within a year is looked for. */
async function sweepLater(): Promise<void> {
  harness.clock.advance(365 * 24 * 3_600_000);
  await service.app.dispatcher.sweep();
  await eventually('no attempt is in flight', () => service.app.dispatcher.inFlight() === 0);
}

it('a deleted endpoint is not found by any method or list, and its secrets are deleted', async () => {
  const { endpoint } = await withWaitingDelivery();
  const endpoint_id = endpoint.id;
  expect(await remove(endpoint_id)).toEqual({});

  const since = new Date(0).toISOString();
  const methods = [
    [contract.getEndpoint, { endpoint_id }],
    [contract.getEndpointHealth, { endpoint_id }],
    [contract.updateEndpoint, { endpoint_id, description: 'x' }],
    [contract.enableEndpoint, { endpoint_id }],
    [contract.disableEndpoint, { endpoint_id }],
    [contract.rotateSecret, { endpoint_id }],
    [contract.revealSecret, { endpoint_id }],
    [contract.recoverEndpoint, { endpoint_id, since }],
    [contract.replayMissing, { endpoint_id, since }],
    [contract.sendTestEvent, { endpoint_id, event_type: 'payment.created' }],
    [contract.deleteEndpoint, { endpoint_id }],
  ] as const;
  for (const [method, request] of methods) {
    const { code } = await rejection(harness.call(application.admin, method as never, request as never));
    expect(code, method.method).toBe('not-found');
  }
  expect((await harness.call(application.viewer, contract.listEndpoints, {})).data).toEqual([]);
  expect(await stored().findOne({ _id: endpoint_id })).toMatchObject({ secrets: [] });
});

it('a deleted endpoint does not count as an endpoint of its application', async () => {
  const { teamId: team_id, id: application_id } = application;
  const has = async () =>
    (await callRpc(harness.client, contract.hasEndpoints, { team_id, application_id })).has_endpoints;
  expect(await has()).toBe(false);
  const endpoint = await harness.anEndpoint(application, receiver.url);
  expect(await has()).toBe(true);
  await remove(endpoint.id);
  expect(await has()).toBe(false);
});

it('a deleted endpoint receives no pending delivery, which is canceled, and no new one', async () => {
  const { endpoint } = await withWaitingDelivery();
  const other = await harness.startReceiver();
  const staying = await harness.anEndpoint(application, other.url);
  await remove(endpoint.id);
  expect(await theDelivery(endpoint.id)).toMatchObject({ status: 'canceled', next_attempt_at: null });

  const event = anEvent(application);
  await service.app.fanOut(event);
  await eventually('the other endpoint has it', () => other.received.length === 1);
  await sweepLater();
  expect((await theDelivery(endpoint.id)).status).toBe('canceled');
  expect((await deliveriesOf(staying.id)).map(({ event_id }) => event_id)).toEqual([event.id]);
  expect(receiver.received).toHaveLength(1);
  await other.stop();
});

it('a deleted endpoint gets no retry of an attempt in flight, whose result is discarded', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  let answer = () => {};
  receiver.answer = (_request, response) => {
    answer = () => void response.writeHead(500).end();
  };
  await service.app.fanOut(anEvent(application));
  await eventually('it is in flight', () => receiver.received.length === 1);
  await remove(endpoint.id);
  answer();
  await sweepLater();
  expect(await theDelivery(endpoint.id)).toMatchObject({ status: 'canceled', attempts: 0 });
  expect(receiver.received).toHaveLength(1);
});

it('a deleted endpoint receives nothing even if the process died before it canceled the pending deliveries', async () => {
  const { endpoint } = await withWaitingDelivery();
  // What the first of the two writes leaves.
  await stored().updateOne(
    { _id: endpoint.id },
    { $set: { deleted_at: new Date(), secrets: [] }, $inc: { version: 1 } },
  );
  await sweepLater();
  await eventually('it is canceled', async () => (await theDelivery(endpoint.id)).status === 'canceled');
  expect(receiver.received).toHaveLength(1);
});

it('a deleted endpoint keeps its deliveries, attempts, and events readable, with its URL', async () => {
  const { endpoint, delivery } = await withWaitingDelivery();
  await remove(endpoint.id);
  const as = application.viewer;
  const detail = await harness.call(as, contract.getDelivery, { delivery_id: delivery.id });
  expect(detail).toMatchObject({ endpoint_id: endpoint.id, endpoint_url: receiver.url });
  const attempt_id = detail.attempt_log[0]?.id as string;
  expect(await harness.call(as, contract.getAttempt, { delivery_id: delivery.id, attempt_id })).toMatchObject(
    { number: 1, request_body: receiver.received[0]?.body.toString() },
  );
  const event = await harness.call(as, contract.getEvent, { event_id: delivery.event_id });
  expect(event.deliveries.map(({ endpoint_url }) => endpoint_url)).toEqual([receiver.url]);
});

it('a deleted endpoint rejects a resend with a conflict that says what to do instead, which works', async () => {
  const { endpoint, delivery } = await withWaitingDelivery();
  await remove(endpoint.id);
  const { code, detail } = await rejection(
    harness.call(application.admin, contract.resendDelivery, { delivery_id: delivery.id }),
  );
  expect([code, detail]).toEqual(['conflict', expect.stringContaining('Create another endpoint')]);

  receiver.answer = (_request, response) => response.writeHead(204).end();
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  const since = new Date(0).toISOString();
  await harness.call(application.developer, contract.replayMissing, { endpoint_id, since });
  await eventually('it has it', async () => (await theDelivery(endpoint_id)).status === 'succeeded');
  expect(receiver.received[1]?.headers['webhook-id']).toBe(delivery.event_id);
});

it('a deleted endpoint is deleted only for a caller that has read its version, with an audit record without a secret', async () => {
  const { id, secret } = await harness.anEndpoint(application, receiver.url);
  await harness.call(application.developer, contract.updateEndpoint, { endpoint_id: id, description: 'x' });
  expect((await rejection(remove(id, 1))).code).toBe('precondition-failed');
  await remove(id, 2);
  const entries = () =>
    audited.filter(({ target, action }) => target.id === id && action === 'webhook_endpoint.deleted');
  await eventually('it is audited', () => entries().length === 1);
  expect(entries()[0]).toMatchObject({
    actor: { type: 'member', id: application.developer.member_id },
    target: { name: receiver.url },
    changes: { deleted_at: { before: null, after: expect.any(String) } },
  });
  expect(JSON.stringify(entries())).not.toContain(secret.slice(6, 30));
});

it('a deleted endpoint does not count towards the limit', async () => {
  const create = () => harness.anEndpoint(application, receiver.url);
  const made = await Promise.all(Array.from({ length: WEBHOOK_LIMITS.endpointsPerApplication }, create));
  expect((await rejection(create())).code).toBe('conflict');
  await remove(made[0]?.id as string);
  expect((await create()).status).toBe('enabled');
});

it('a delivery is listed without a URL when its endpoint is no longer stored', async () => {
  const { endpoint, delivery } = await withWaitingDelivery();
  await stored().deleteOne({ _id: endpoint.id });
  const { data } = await harness.call(application.viewer, contract.listDeliveries, {});
  expect(data.map(({ id, endpoint_url }) => [id, endpoint_url])).toEqual([[delivery.id, null]]);
  const detail = await harness.call(application.viewer, contract.getDelivery, { delivery_id: delivery.id });
  expect(detail).toMatchObject({ endpoint_id: endpoint.id, endpoint_url: null });
});

it('a delivery has the current URL of its endpoint in every reply', async () => {
  const { endpoint, delivery } = await withWaitingDelivery();
  const url = `${receiver.url}/moved`;
  await harness.call(application.developer, contract.updateEndpoint, { endpoint_id: endpoint.id, url });
  const delivery_id = delivery.id;
  const as = application.developer;
  const shown = [
    delivery,
    await theDelivery(endpoint.id),
    await harness.call(as, contract.getDelivery, { delivery_id }),
    (await harness.call(as, contract.getEvent, { event_id: delivery.event_id })).deliveries[0],
    await harness.call(as, contract.cancelDelivery, { delivery_id }),
    await harness.call(as, contract.resendDelivery, { delivery_id }),
    await harness.call(as, contract.sendTestEvent, {
      endpoint_id: endpoint.id,
      event_type: 'payment.failed',
    }),
  ];
  expect(shown.map((one) => one?.endpoint_url)).toEqual([receiver.url, url, url, url, url, url, url]);
});

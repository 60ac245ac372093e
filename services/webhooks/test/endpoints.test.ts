import { consume } from '@tollgate/bus/consumer';
import { afterAWhile, member } from '@tollgate/bus/test/member';
import { rejection } from '@tollgate/bus/test/rejection';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { Webhook } from 'standardwebhooks';
import Value from 'typebox/value';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { replayMissing } from '../src/recovery/recover-endpoint.ts';
import {
  ALL_TYPES,
  anEvent,
  type Harness,
  type Service,
  startHarness,
  type TestApplication,
} from './harness.ts';
import type { Receiver } from './receiver.ts';

/** As `createTeamQueries` limits the searches of a team. */
const AT_ONCE_PER_TEAM = 4;
const MAX_WAITING_PER_TEAM = 32;

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
    durable: 'endpoints-test',
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

const call = <M extends Parameters<Harness['call']>[1]>(
  actor: Actor,
  method: M,
  request: Parameters<typeof harness.call<M['request'], M['reply']>>[2],
) => harness.call<M['request'], M['reply']>(actor, method, request);
const actionsOn = (id: string) =>
  audited.filter(({ target }) => target.id === id).map(({ action }) => action);
const received = (count: number) =>
  eventually(`${count} requests came`, () => receiver.received.length === count);
const deliveriesOf = async (endpointId: string) =>
  (await call(application.viewer, contract.listDeliveries, { endpoint_id: endpointId })).data;
const settled = (endpointId: string, status: string) =>
  eventually(`all are ${status}`, async () => {
    const deliveries = await deliveriesOf(endpointId);
    return deliveries.length > 0 && deliveries.every((delivery) => delivery.status === status);
  });

/** Every method that names something, with a request for it. */
async function everyMethod(environment: 'live' | 'sandbox') {
  const url = environment === 'live' ? 'https://1.1.1.1/' : receiver.url;
  const { id: endpoint_id } = await harness.anEndpoint(application, url, { environment });
  await service.app.fanOut(anEvent(application, { environment }));
  const { data } = await call(application.viewer, contract.listDeliveries, { endpoint_id });
  const delivery_id = data[0]?.id as string;
  const since = new Date(0).toISOString();
  return {
    reading: [
      [contract.getEndpoint, { endpoint_id }],
      [contract.getEndpointHealth, { endpoint_id }],
      [contract.countRecovery, { endpoint_id, since }],
      [contract.getDelivery, { delivery_id }],
      [contract.getEvent, { event_id: data[0]?.event_id as string }],
    ] as const,
    changing: [
      [contract.updateEndpoint, { endpoint_id, description: 'x' }],
      [contract.rotateSecret, { endpoint_id }],
      [contract.revealSecret, { endpoint_id }],
      [contract.sendTestEvent, { endpoint_id, event_type: 'payment.created' }],
      [contract.recoverEndpoint, { endpoint_id, since }],
      [contract.replayMissing, { endpoint_id, since }],
      [contract.resendDelivery, { delivery_id }],
      [contract.cancelDelivery, { delivery_id }],
      [contract.disableEndpoint, { endpoint_id }],
      [contract.enableEndpoint, { endpoint_id }],
      [contract.deleteEndpoint, { endpoint_id }],
    ] as const,
  };
}

it.each(['live', 'sandbox'] as const)(
  'permissions in %s let viewers read and change nothing; live requires the admin role',
  async (environment) => {
    const { reading, changing } = await everyMethod(environment);
    for (const [method, request] of reading)
      await harness.call(application.viewer, method as never, request as never);
    for (const [method, request] of changing) {
      const as = (actor: Actor) => rejection(harness.call(actor, method as never, request as never));
      expect((await as(application.viewer)).code, method.method).toBe('forbidden');
      if (environment === 'live')
        expect((await as(application.developer)).code, method.method).toBe('forbidden');
    }
    const create = (actor: Actor) =>
      call(actor, contract.createEndpoint, {
        application_id: application.id,
        environment,
        url: 'https://1.1.1.1/',
        event_types: ALL_TYPES,
      });
    expect((await rejection(create(application.viewer))).code).toBe('forbidden');
    if (environment === 'live')
      expect((await rejection(create(application.developer))).code).toBe('forbidden');
    else expect((await create(application.developer)).status).toBe('enabled');
  },
);

it('permissions find nothing of another team for any role, and do not reveal that it exists', async () => {
  const { reading, changing } = await everyMethod('sandbox');
  const stranger = member('owner');
  for (const [method, request] of [...reading, ...changing]) {
    const { code } = await rejection(harness.call(stranger, method as never, request as never));
    expect(code, method.method).toBe('not-found');
  }
  for (const list of [contract.listEndpoints, contract.listDeliveries, contract.listEvents])
    expect(((await harness.call(stranger, list as never, {} as never)) as { data: unknown[] }).data).toEqual(
      [],
    );
  const foreign = {
    application_id: application.id,
    environment: 'sandbox',
    url: receiver.url,
    event_types: ALL_TYPES,
  } as const;
  expect((await rejection(call(stranger, contract.createEndpoint, foreign))).code).toBe('not-found');
  const deletedAt = { deleted_at: new Date().toISOString() };
  const deleted = await harness.anApplication(application.teamId, deletedAt);
  for (const application_id of [newId('application'), deleted.id]) {
    const create = call(application.admin, contract.createEndpoint, { ...foreign, application_id });
    expect((await rejection(create)).code).toBe('not-found');
  }
});

it('the secret is stored encrypted, returned at creation, and revealed only with an audit record', async () => {
  const { id: endpoint_id, secret } = await harness.anEndpoint(application, receiver.url);
  const stored = await service.connection
    .collection<{ _id: string }>('endpoints')
    .findOne({ _id: endpoint_id });
  expect(JSON.stringify(stored)).not.toContain(secret.slice(6, 30));
  expect(JSON.stringify(await call(application.viewer, contract.getEndpoint, { endpoint_id }))).not.toContain(
    'whsec_',
  );
  expect(await call(application.developer, contract.revealSecret, { endpoint_id })).toEqual({ secret });
  await eventually('it is audited', () =>
    actionsOn(endpoint_id).includes('webhook_endpoint.secret_revealed'),
  );
  expect(harness.logLines.join()).not.toContain(secret.slice(6, 30));
  expect(JSON.stringify(audited)).not.toContain(secret.slice(6, 30));
});

it('the secret of a live endpoint is neither revealed nor rotated without a recent authentication', async () => {
  const { id: endpoint_id } = await harness.anEndpoint(application, 'https://1.1.1.1/', {
    environment: 'live',
  });
  const earlier = afterAWhile(application.admin, harness.clock.now());
  for (const method of [contract.revealSecret, contract.rotateSecret]) {
    const { code } = await rejection(call(earlier, method as never, { endpoint_id } as never));
    expect(code, method.method).toBe('reauthentication-required');
  }
  expect(actionsOn(endpoint_id)).not.toContain('webhook_endpoint.secret_revealed');
});

it('the secret of a sandbox endpoint is revealed and rotated without one', async () => {
  const { id: endpoint_id, secret } = await harness.anEndpoint(application, receiver.url);
  const earlier = afterAWhile(application.developer, harness.clock.now());
  expect(await call(earlier, contract.revealSecret, { endpoint_id })).toEqual({ secret });
  await call(earlier, contract.rotateSecret, { endpoint_id });
});

it('the secret that was rotated also signs for 24 hours, then expires', async () => {
  const old = await harness.anEndpoint(application, receiver.url);
  const ref = { endpoint_id: old.id };
  const rotated = await call(application.developer, contract.rotateSecret, ref);
  expect(Date.parse(rotated.old_secret_expires_at as string) - harness.clock.now()).toBe(24 * 3_600_000);
  await service.app.fanOut(anEvent(application));
  await received(1);
  const verify = (secret: string, index: number) => {
    const { headers, body } = receiver.received[index] as Receiver['received'][number];
    return new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
  };
  verify(old.secret, 0);
  verify(rotated.secret, 0);
  const now = await call(application.developer, contract.rotateSecret, { ...ref, overlap_s: 0 });
  // An instance uses what it has read of an endpoint for a second at most.
  harness.clock.advance(1_000);
  await service.app.fanOut(anEvent(application));
  await received(2);
  verify(now.secret, 1);
  for (const ended of [old.secret, rotated.secret]) expect(() => verify(ended, 1)).toThrow('signature');
});

it('recovery retries failed deliveries, and those skipped while the endpoint was disabled', async () => {
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  const since = new Date(harness.clock.now()).toISOString();
  receiver.answer = (_request, response) => response.writeHead(410).end();
  const failed = anEvent(application);
  await service.app.fanOut(failed);
  await settled(endpoint_id, 'failed');
  const skipped = [anEvent(application), anEvent(application)];
  for (const event of skipped) await service.app.fanOut(event);
  expect(
    (await rejection(call(application.developer, contract.recoverEndpoint, { endpoint_id, since }))).code,
  ).toBe('conflict');

  receiver.answer = (_request, response) => response.writeHead(204).end();
  await call(application.developer, contract.enableEndpoint, { endpoint_id });
  expect(await call(application.viewer, contract.countRecovery, { endpoint_id, since })).toEqual({
    failed: { count: 1, at_least: false },
    missing: { count: 2, at_least: false },
  });
  const recovered = await call(application.developer, contract.recoverEndpoint, { endpoint_id, since });
  expect(recovered.deliveries).toBe(1);
  const replayed = await call(application.developer, contract.replayMissing, { endpoint_id, since });
  expect(replayed).toEqual({ deliveries: 2, next_cursor: null });
  await settled(endpoint_id, 'succeeded');
  expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    [failed, failed, ...skipped].map(({ id }) => id).sort(),
  );
  await eventually('it is audited', () => {
    const actions = actionsOn(endpoint_id);
    return ['created', 'disabled', 'enabled', 'recovered', 'replayed'].every((action) =>
      actions.includes(`webhook_endpoint.${action}` as AuditEntry['action']),
    );
  });
  for (const entry of audited) expect(Value.Check(AuditEntry, entry)).toBe(true);
});

it('recovery replays events from before the endpoint was created, of its types only, once', async () => {
  const before = anEvent(application, { type: 'payment.failed', at: new Date(harness.clock.now()) });
  await service.app.fanOut(before);
  await service.app.fanOut(
    anEvent(application, { type: 'payment.created', at: new Date(harness.clock.now()) }),
  );
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url, {
    event_types: ['payment.failed'],
  });
  const since = new Date(harness.clock.now() - 60_000).toISOString();
  const replay = () => call(application.developer, contract.replayMissing, { endpoint_id, since });
  const missing = async () =>
    (await call(application.viewer, contract.countRecovery, { endpoint_id, since })).missing;
  expect(await missing()).toEqual({ count: 1, at_least: false });
  expect((await replay()).deliveries).toBe(1);
  await received(1);
  expect(receiver.received[0]?.headers['webhook-id']).toBe(before.id);
  expect(await missing()).toEqual({ count: 0, at_least: false });
  expect((await replay()).deliveries).toBe(0);
});

it('recovery replays any number of events, each call continuing after the previous one', async () => {
  const { id: endpointId } = await harness.anEndpoint(application, receiver.url, {
    event_types: ['payment.canceled'],
  });
  const missed = [1, 2, 3].map(() =>
    anEvent(application, { type: 'payment.failed', at: new Date(harness.clock.now()) }),
  );
  for (const event of missed) await service.app.fanOut(event);
  await call(application.developer, contract.updateEndpoint, {
    endpoint_id: endpointId,
    event_types: ['payment.failed'],
  });
  const since = new Date(harness.clock.now() - 60_000).toISOString();
  const counts: number[] = [];
  let cursor: string | null = null;
  do {
    const replayed: Awaited<ReturnType<typeof replayMissing>> = await replayMissing(
      service.app.context,
      application.developer,
      { endpoint_id: endpointId, since, ...(cursor !== null && { cursor }) },
      { pages: 1, eventsPerPage: 2 },
    );
    counts.push(replayed.deliveries);
    cursor = replayed.next_cursor;
  } while (cursor !== null);
  expect(counts).toEqual([2, 1]);
  await received(3);
  expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    missed.map(({ id }) => id).sort(),
  );
});

it('recovery resends a succeeded delivery under the same id, and cancels only pending ones', async () => {
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  await service.app.fanOut(anEvent(application));
  await settled(endpoint_id, 'succeeded');
  const delivery_id = (await deliveriesOf(endpoint_id))[0]?.id as string;
  expect((await rejection(call(application.developer, contract.cancelDelivery, { delivery_id }))).code).toBe(
    'conflict',
  );
  receiver.answer = (_request, response) => response.writeHead(500).end();
  await call(application.developer, contract.resendDelivery, { delivery_id });
  await eventually('it was sent again', async () => (await deliveriesOf(endpoint_id))[0]?.attempts === 2);
  const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(second).toBe(first);
  const canceled = await call(application.developer, contract.cancelDelivery, { delivery_id });
  expect([canceled.status, canceled.next_attempt_at]).toEqual(['canceled', null]);
  harness.clock.advance(3_600_000);
  await service.app.dispatcher.sweep();
  await eventually('both are audited', () => actionsOn(delivery_id).length === 2);
  expect(actionsOn(delivery_id)).toEqual(['delivery.resent', 'delivery.canceled']);
  expect(receiver.received).toHaveLength(2);
});

it('recovery resends selected deliveries once, however often the request is repeated, and says why others stay unchanged', async () => {
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  for (const event of [anEvent(application), anEvent(application)]) await service.app.fanOut(event);
  await settled(endpoint_id, 'succeeded');
  const [first, second] = (await deliveriesOf(endpoint_id)).map(({ id }) => id) as [string, string];
  const unknown = newId('delivery');
  const request = {
    environment: 'sandbox' as const,
    deliveries: [
      { delivery_id: first, attempts: 1 },
      { delivery_id: second, attempts: 0 },
      { delivery_id: unknown, attempts: 1 },
    ],
  };
  const resend = (actor: Actor, more = {}) => call(actor, contract.resendDeliveries, { ...request, ...more });
  expect(await resend(application.developer)).toEqual({
    resent: [first],
    not_resent: expect.arrayContaining([
      { delivery_id: second, reason: 'The delivery was attempted since it was read.' },
      { delivery_id: unknown, reason: `Your team has no delivery ${unknown}.` },
    ]),
  });
  await received(3);
  await settled(endpoint_id, 'succeeded');
  expect((await resend(application.developer)).resent).toEqual([]);
  const stranger = (await harness.anApplication()).developer;
  expect((await resend(stranger)).not_resent.map(({ reason }) => reason).sort()).toEqual(
    [first, second, unknown].map((id) => `Your team has no delivery ${id}.`).sort(),
  );
  expect((await rejection(resend(application.viewer))).code).toBe('forbidden');
  expect((await rejection(resend(application.developer, { environment: 'live' }))).code).toBe('forbidden');
  await eventually('the resent one is audited', () => actionsOn(first).length === 1);
  expect([actionsOn(first), actionsOn(second)]).toEqual([['delivery.resent'], []]);
});

it('recovery sends a test event to this endpoint only, marked as a test', async () => {
  const other = await harness.startReceiver();
  await harness.anEndpoint(application, other.url);
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  const sent = await call(application.developer, contract.sendTestEvent, {
    endpoint_id,
    event_type: 'payment.failed',
  });
  await received(1);
  expect(JSON.parse(receiver.received[0]?.body.toString() ?? '')).toMatchObject({
    type: 'payment.failed',
    data: { application_id: application.id, environment: 'sandbox' },
  });
  expect((await call(application.viewer, contract.getEvent, { event_id: sent.event_id })).is_test).toBe(true);
  expect(other.received).toEqual([]);
  await other.stop();
});

it('an endpoint changes only for a caller that has read its version, and returns its health', async () => {
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  const update = { endpoint_id, if_version: 1, description: 'Orders' };
  const updated = await call(application.developer, contract.updateEndpoint, update);
  expect([updated.version, updated.description, updated.url]).toEqual([2, 'Orders', receiver.url]);
  expect((await rejection(call(application.developer, contract.updateEndpoint, update))).code).toBe(
    'precondition-failed',
  );
  await service.app.fanOut(anEvent(application));
  await settled(endpoint_id, 'succeeded');
  receiver.answer = (_request, response) => response.writeHead(500).end();
  await service.app.fanOut(anEvent(application));
  await eventually('it failed', async () => (await deliveriesOf(endpoint_id))[0]?.attempts === 1);
  expect(await call(application.viewer, contract.getEndpointHealth, { endpoint_id })).toMatchObject({
    deliveries: 2,
    attempts: 2,
    succeeded_attempts: 1,
    success_rate: 0.5,
    pending: 1,
    failing_since: expect.any(String),
  });
});

it('an endpoint returns its health in turn with the other searches of the team', async () => {
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  const search = Promise.withResolvers<void>();
  const run = () => service.app.context.queries.run(application.teamId, () => search.promise);
  const searches = Array.from({ length: AT_ONCE_PER_TEAM + MAX_WAITING_PER_TEAM }, run);
  const health = () => call(application.viewer, contract.getEndpointHealth, { endpoint_id });
  expect((await rejection(health())).code).toBe('rate-limited');
  search.resolve();
  await Promise.all(searches);
  expect(await health()).toMatchObject({ deliveries: 0, pending: 0 });
});
